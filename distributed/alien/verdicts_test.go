package alien_test

import (
	"testing"

	"shmbench/distributed"
	"shmbench/distributed/alien"
	"shmbench/distributed/internal/verifytest"
)

// The explorer reaches the verdicts and numbers of states in testdata/verdicts.tsv.
func TestVerdictsInSmallSystems(t *testing.T) {
	verifytest.Algorithms(t, 1200, []distributed.Algorithm{
		alien.V1,
		alien.V1Piggyback,
		alien.V2,
		alien.V2Piggyback,
	}, alien.Mutants)
}
