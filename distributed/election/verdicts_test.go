package election_test

import (
	"testing"

	"shmbench/distributed/election"
	"shmbench/distributed/internal/verifytest"
)

// The explorer reaches the verdicts and numbers of states in testdata/verdicts.tsv.
func TestVerdictsInSmallSystems(t *testing.T) {
	verifytest.Elections(t, 1500, election.All, election.Mutants)
}
