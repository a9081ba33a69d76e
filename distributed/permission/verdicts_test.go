package permission_test

import (
	"testing"

	"shmbench/distributed"
	"shmbench/distributed/internal/verifytest"
	"shmbench/distributed/permission"
)

// The explorer reaches the verdicts and numbers of states in testdata/verdicts.tsv.
func TestVerdictsInSmallSystems(t *testing.T) {
	verifytest.Algorithms(t, 1200, []distributed.Algorithm{
		permission.Central,
		permission.Lamport,
		permission.RicartAgrawala,
		permission.RicartAgrawalaReply,
		permission.RicartAgrawalaTimeout,
		permission.Maekawa,
		permission.AgrawalElAbbadi,
		permission.AgrawalElAbbadiTimeout,
	}, permission.Mutants)
}
