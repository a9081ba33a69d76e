package failover_test

import (
	"testing"

	"shmbench/distributed"
	"shmbench/distributed/failover"
	"shmbench/distributed/internal/verifytest"
)

// The explorer reaches the verdicts and numbers of states in testdata/verdicts.tsv.
func TestVerdictsInSmallSystems(t *testing.T) {
	verifytest.Algorithms(t, 1200, []distributed.Algorithm{
		failover.CentralBully,
		failover.CentralRing,
		failover.CentralChangRoberts,
		failover.RingBully,
		failover.RingRing,
		failover.RingChangRoberts,
		failover.CentralRegister,
		failover.CentralMajority,
	}, failover.Mutants)
}
