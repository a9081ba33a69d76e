package batch_test

import (
	"testing"

	"shmbench/distributed"
	"shmbench/distributed/batch"
	"shmbench/distributed/internal/verifytest"
)

// The explorer reaches the verdicts and numbers of states in testdata/verdicts.tsv.
func TestVerdictsInSmallSystems(t *testing.T) {
	verifytest.Algorithms(t, 1200, []distributed.Algorithm{
		batch.RaymondWaiting,
		batch.SuzukiKasamiWaiting,
		batch.NaimiTrehelWaiting,
	}, batch.Mutants)
}
