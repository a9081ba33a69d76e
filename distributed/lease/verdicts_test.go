package lease_test

import (
	"testing"

	"shmbench/distributed"
	"shmbench/distributed/internal/verifytest"
	"shmbench/distributed/lease"
)

// correct lists the algorithms of the package.
var correct = []distributed.Algorithm{
	lease.Register,
}

// The explorer reaches the verdicts and numbers of states in testdata/verdicts.tsv.
func TestVerdictsInSmallSystems(t *testing.T) {
	verifytest.Algorithms(t, 2900, correct, lease.Mutants)
}

// The stated costs have the values in testdata/costs.tsv.
func TestStatedCosts(t *testing.T) { verifytest.Costs(t, correct) }

// The nodes go through the states in testdata/runs.txt.
func TestRuns(t *testing.T) { verifytest.Runs(t, correct) }
