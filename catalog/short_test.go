package catalog

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestShort: each name of the short list is that of an algorithm, in the order of all, and
// no variant.
func TestShort(t *testing.T) {
	last := -1
	for _, s := range short {
		require.NotEmpty(t, s.why, s.name)
		at := -1
		for i, a := range All() {
			if a.Name == s.name {
				at = i
				require.Empty(t, a.VariantOf, s.name)
			}
		}
		require.Greater(t, at, last, "%s is not in the catalog, or not in its order", s.name)
		last = at
	}
	require.Len(t, Short(), len(short))
	require.InDelta(t, 20, len(short), 4)
}
