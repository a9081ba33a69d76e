package catalog

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestShort: each name of the short list is that of an algorithm here or of one that
// this platform cannot have, in the order of all, and no variant.
func TestShort(t *testing.T) {
	last, absent := -1, 0
	for _, s := range short {
		require.NotEmpty(t, s.why, s.name)
		if slices.ContainsFunc(Absent(), func(a Absence) bool { return a.Name == s.name }) {
			absent++
			continue
		}
		at := -1
		for i, a := range All() {
			if a.Name == s.name {
				at = i
				require.Empty(t, a.VariantOf, s.name)
			}
		}
		require.Greater(t, at, last, "%s is not in the catalogue, or not in its order", s.name)
		last = at
	}
	require.Len(t, Short(), len(short)-absent)
	require.InDelta(t, 20, len(short), 4)
}
