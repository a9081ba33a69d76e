package permission_test

import (
	"testing"

	"shmbench/distributed"
	"shmbench/distributed/internal/verifytest"
	"shmbench/distributed/permission"
)

// correct lists the algorithms of the package.
var correct = []distributed.Algorithm{
	permission.Central,
	permission.Lamport,
	permission.RicartAgrawala,
	permission.RicartAgrawalaReply,
	permission.RicartAgrawalaTimeout,
	permission.Maekawa,
	permission.AgrawalElAbbadi,
	permission.AgrawalElAbbadiTimeout,
}

// The explorer reaches the verdicts and numbers of states in testdata/verdicts.tsv.
func TestVerdictsInSmallSystems(t *testing.T) {
	verifytest.Algorithms(t, 1500, correct, permission.Mutants)
}

// The stated costs have the values in testdata/costs.tsv.
func TestStatedCosts(t *testing.T) { verifytest.Costs(t, correct) }

// The nodes go through the states in testdata/runs.txt.
func TestRuns(t *testing.T) { verifytest.Runs(t, correct) }
