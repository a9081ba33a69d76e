package catalog

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestBoundsOfLocks: each entry of the two tables is of a lock, and of one table only.
func TestBoundsOfLocks(t *testing.T) {
	var names []string
	for _, a := range All() {
		names = append(names, a.Name)
	}
	entries := slices.Sorted(maps.Keys(published))
	entries = append(entries, slices.Sorted(maps.Keys(unpublished))...)
	require.Subset(t, names, entries)
	slices.Sort(entries)
	require.Len(t, slices.Compact(slices.Clone(entries)), len(entries))
}
