package globals_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/catalog"
	"shmbench/internal/build/sources"
	"shmbench/internal/testkit/sample"
	"shmbench/shm/region/globals"
)

// TestFind: each variable that a passage uses is found, with the place of the use, also
// behind a call and of a generic function.
func TestFind(t *testing.T) {
	sample.NeedsAll(t)
	found, err := globals.Find(t.Context(), ".", "./testdata/bad")
	require.NoError(t, err)
	var names []string
	for _, r := range found {
		names = append(names, r.Path)
		require.Regexp(t, `uses it at .*\.go:\d+:\d+, and each process has its own`, r.Why)
	}
	const bad = "shmbench/shm/region/globals/testdata/bad."
	require.Equal(t, []string{bad + "busy", bad + "nodes", bad + "owner", bad + "shared", "shmbench/shm/region/globals/testdata/bad/elsewhere.count"}, names)

	found, err = globals.Find(t.Context(), ".", "./testdata/good")
	require.NoError(t, err)
	require.Empty(t, found)
	_, err = globals.Find(t.Context(), ".", "./testdata/none")
	require.Error(t, err)
}

// TestCatalogue: no passage of a lock of the catalog uses a package-level variable that
// changes.
func TestCatalogue(t *testing.T) {
	sample.NeedsAll(t)
	found, err := globals.Find(t.Context(), "../../..", sources.Packages(catalog.Families())...)
	require.NoError(t, err)
	require.Empty(t, found)
}
