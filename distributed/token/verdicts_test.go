package token_test

import (
	"testing"

	"shmbench/distributed"
	"shmbench/distributed/internal/verifytest"
	"shmbench/distributed/token"
)

// The explorer reaches the verdicts and numbers of states in testdata/verdicts.tsv.
func TestVerdictsInSmallSystems(t *testing.T) {
	verifytest.Algorithms(t, 1200, []distributed.Algorithm{
		token.Ring,
		token.SuzukiKasami,
		token.Raymond,
		token.NeilsenMizuno,
		token.NaimiTrehel,
		token.Mueller,
	}, token.Mutants)
}
