package token_test

import (
	"testing"

	"shmbench/distributed"
	"shmbench/distributed/internal/verifytest"
	"shmbench/distributed/token"
)

// correct lists the algorithms of the package.
var correct = []distributed.Algorithm{
	token.Ring,
	token.SuzukiKasami,
	token.Raymond,
	token.NeilsenMizuno,
	token.NaimiTrehel,
	token.Mueller,
}

// The explorer reaches the verdicts and numbers of states in testdata/verdicts.tsv.
func TestVerdictsInSmallSystems(t *testing.T) {
	verifytest.Algorithms(t, 1500, correct, token.Mutants)
}

// The stated costs have the values in testdata/costs.tsv.
func TestStatedCosts(t *testing.T) { verifytest.Costs(t, correct) }

// The nodes go through the states in testdata/runs.txt.
func TestRuns(t *testing.T) { verifytest.Runs(t, correct) }
