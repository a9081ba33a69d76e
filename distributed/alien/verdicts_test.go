package alien_test

import (
	"testing"

	"shmbench/distributed"
	"shmbench/distributed/alien"
	"shmbench/distributed/internal/verifytest"
)

// correct lists the algorithms of the package.
var correct = []distributed.Algorithm{
	alien.V1,
	alien.V1Piggyback,
	alien.V2,
	alien.V2Piggyback,
}

// The explorer reaches the verdicts and numbers of states in testdata/verdicts.tsv.
func TestVerdictsInSmallSystems(t *testing.T) {
	verifytest.Algorithms(t, 4000, correct, alien.Mutants)
}

// The stated costs have the values in testdata/costs.tsv.
func TestStatedCosts(t *testing.T) { verifytest.Costs(t, correct) }

// The nodes go through the states in testdata/runs.txt.
func TestRuns(t *testing.T) { verifytest.Runs(t, correct) }
