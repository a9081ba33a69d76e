package permission

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/distributed"
)

// For every set of crashed nodes, the live nodes form a quorum exactly if they include
// one, for as many sets of failures as the tree can survive. A quorum has between a path
// and half of the voters. Any two quorums share a voter, for all beliefs about crashed
// nodes.
func TestTreeQuorumsOfAllFailures(t *testing.T) {
	for n, want := range map[int]struct {
		survives    []int // of the sets of so many failures
		least, most int
	}{
		3: {[]int{1, 3, 0, 0}, 2, 2},
		7: {[]int{1, 7, 21, 29, 6, 0, 0, 0}, 3, 4},
	} {
		tree, survives := votersOf(n), make([]int, n+1)
		seen := map[int]bool{} // quorums, as sets of bits
		for failures := range 1 << n {
			down, failed := make([]bool, n), 0
			for i := range down {
				if down[i] = failures>>i&1 != 0; down[i] {
					failed++
				}
			}
			for me := range distributed.ID(n) {
				q, ok := tree.quorum(nil, 0, me, down)
				require.Equal(t, ok, tree.has(0, func(i distributed.ID) bool { return !down[i] }))
				if !ok {
					continue
				}
				if me == 0 {
					survives[failed]++
				}
				set := 0
				for _, i := range q {
					require.False(t, down[i])
					set |= 1 << i
				}
				require.True(t, tree.has(0, func(i distributed.ID) bool { return slices.Contains(q, i) }))
				require.GreaterOrEqual(t, len(q), want.least)
				require.LessOrEqual(t, len(q), want.most)
				seen[set] = true
			}
		}
		require.Equal(t, want.survives, survives, "%d voters", n)
		for a := range seen {
			for b := range seen {
				require.NotZero(t, a&b, "quorums %b and %b of %d voters", a, b, n)
			}
		}
	}
}

// From a path to all leaves: what is asked for with no node down, with the root
// and with all but the leaves.
func TestTreeQuorumsGrow(t *testing.T) {
	tree := votersOf(31)
	down := make([]bool, 31)
	size := func() int {
		q, ok := tree.quorum(nil, 0, 30, down)
		require.True(t, ok)
		return len(q)
	}
	require.Equal(t, 5, size())
	down[0] = true
	require.Equal(t, 8, size())
	for i := range 15 {
		down[i] = true
	}
	require.Equal(t, 16, size())
	down[20] = true // a leaf whose parent is down
	_, ok := tree.quorum(nil, 0, 30, down)
	require.False(t, ok)
}

// One child's quorum in place of a crashed voter would share a voter with no other quorum.
func TestTreeQuorumsWantBothChildren(t *testing.T) {
	tree := votersOf(3)
	for _, alone := range []distributed.ID{0, 1, 2} {
		require.False(t, tree.has(0, func(i distributed.ID) bool { return i == alone }))
	}
}

func TestPaths(t *testing.T) {
	require.Equal(t, [][]distributed.ID{{0, 1, 3}, {0, 1, 3}, {0, 2, 5}, {0, 1, 3}, {0, 1, 4}, {0, 2, 5}, {0, 2, 6}}, Paths(7))
	require.Equal(t, [][]distributed.ID{{0}, {0}}, Paths(2))
	require.Equal(t, []distributed.ID{0, 1}, Paths(4)[3], "node 3 has no vote")
}
