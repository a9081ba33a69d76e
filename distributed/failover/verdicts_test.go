package failover_test

import (
	"testing"

	"shmbench/distributed"
	"shmbench/distributed/failover"
	"shmbench/distributed/internal/verifytest"
)

// correct lists the algorithms of the package.
var correct = []distributed.Algorithm{
	failover.CentralBully,
	failover.CentralRing,
	failover.CentralChangRoberts,
	failover.RingBully,
	failover.RingRing,
	failover.RingChangRoberts,
	failover.CentralRegister,
	failover.CentralMajority,
}

// The explorer reaches the verdicts and numbers of states in testdata/verdicts.tsv.
func TestVerdictsInSmallSystems(t *testing.T) {
	verifytest.Algorithms(t, 2900, correct, failover.Mutants)
}

// The stated costs have the values in testdata/costs.tsv.
func TestStatedCosts(t *testing.T) { verifytest.Costs(t, correct) }

// The nodes go through the states in testdata/runs.txt.
func TestRuns(t *testing.T) { verifytest.Runs(t, correct) }
