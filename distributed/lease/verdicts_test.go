package lease_test

import (
	"testing"

	"shmbench/distributed"
	"shmbench/distributed/internal/verifytest"
	"shmbench/distributed/lease"
)

// The explorer reaches the verdicts and numbers of states in testdata/verdicts.tsv.
func TestVerdictsInSmallSystems(t *testing.T) {
	verifytest.Algorithms(t, 3000, []distributed.Algorithm{
		lease.Register,
	}, lease.Mutants)
}
