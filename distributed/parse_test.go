package distributed

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestParseTree(t *testing.T) {
	for s, want := range map[string][]ID{
		"binary": {0, 0, 0, 1}, "path": {0, 0, 1, 2}, "star": {0, 0, 0, 0}, "3, 3,3,3": {3, 3, 3, 3},
	} {
		got, err := ParseTree(s, 4)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	for s, says := range map[string]string{
		"ring":    `tree "ring": it is binary, kary:K, path, star, or a list of parents such as 0,0,0,1`,
		"0,0":     "a tree of 2 parents for 4 nodes",
		"0,2,3,1": "the tree has a cycle: node 1 never reaches the root 0",
		"0,0,0,9": "the parent of node 3 is 9, which is none of 0..3",
	} {
		_, err := ParseTree(s, 4)
		require.EqualError(t, err, says)
	}
}

func TestTreesByName(t *testing.T) {
	for name, want := range map[string]struct {
		parent   []ID
		diameter int
	}{
		"binary":        {[]ID{0, 0, 0, 1, 1, 2, 2}, 4},
		"kary:3":        {[]ID{0, 0, 0, 0, 1, 1, 1}, 3},
		"path":          {[]ID{0, 0, 1, 2, 3, 4, 5}, 6},
		"star":          {[]ID{0, 0, 0, 0, 0, 0, 0}, 2},
		"1,1,1,0,0,0,2": {[]ID{1, 1, 1, 0, 0, 0, 2}, 4},
	} {
		parent, err := ParseTree(name, 7)
		require.NoError(t, err, name)
		require.Equal(t, want.parent, parent, name)
		require.Equal(t, want.diameter, Diameter(parent), name)
	}
}
