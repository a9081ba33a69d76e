package catalog

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPublishedBoundsAreOfLocks: every entry of the table is of a lock, and not of a variant.
func TestPublishedBoundsAreOfLocks(t *testing.T) {
	for name := range published {
		a, err := Get(name)
		require.NoError(t, err)
		require.Empty(t, a.VariantOf, name)
	}
}
