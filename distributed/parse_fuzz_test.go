package distributed_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/distributed"
	"shmbench/distributed/permission"
)

// Whatever text is given, a tree that is accepted has as many nodes as asked
// for, and each reaches the root.
func FuzzParseTree(f *testing.F) {
	for _, s := range []string{"binary", "path", "star", "0,0,0,1", "0,2,1", "1,0", "", "-1", "0,0,99"} {
		f.Add(s, 4)
	}
	f.Fuzz(func(t *testing.T, s string, n int) {
		if n < 1 || n > 64 {
			return
		}
		parent, err := distributed.ParseTree(s, n)
		if err != nil {
			return
		}
		require.Len(t, parent, n)
		for at := range parent {
			for steps := 0; parent[at] != distributed.ID(at); steps++ {
				require.Less(t, steps, n, "%q: a node never reaches the root", s)
				at = int(parent[at])
			}
		}
	})
}

// Whatever text is given, quorums are read as often as there are semicolons.
func FuzzParseQuorums(f *testing.F) {
	for _, s := range []string{"0,1;1,2;2,0", "0", ";", "0,;1", "a", "99999999999"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		quorums, err := permission.ParseQuorums(s, 7)
		if err != nil {
			return
		}
		for _, q := range quorums {
			require.NotEmpty(t, q, "%q", s)
		}
	})
}
