package distributed

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCheckTree(t *testing.T) {
	require.NoError(t, CheckTree(nil))
	require.NoError(t, CheckTree(CompleteTree(31)))
	require.NoError(t, CheckTree([]ID{1, 2, 2}))
	for _, c := range []struct {
		parent []ID
		says   string
	}{
		{[]ID{0, 2, 1}, "the tree has a cycle: node 1 never reaches the root 0"},
		{[]ID{0, 1}, "nodes 0 and 1 are both roots: one node, the token's first holder, is its own parent"},
		{[]ID{1, 0}, "the tree has no root: one node, the token's first holder, must be its own parent"},
		{[]ID{0, 7}, "the parent of node 1 is 7, which is none of 0..1"},
	} {
		require.EqualError(t, CheckTree(c.parent), c.says)
	}
}

func TestConfigCheck(t *testing.T) {
	require.NoError(t, Config{Nodes: 2, Threads: 1}.Check())
	for says, c := range map[string]Config{
		"1 nodes: mutual exclusion by messages wants at least 2": {Nodes: 1, Threads: 1},
		"0 threads a node: at least 1":                           {Nodes: 2},
		"a tree of 1 parents for 2 nodes":                        {Nodes: 2, Threads: 1, Parent: []ID{0}},
	} {
		require.EqualError(t, c.Check(), says)
	}
}
