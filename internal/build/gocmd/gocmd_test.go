package gocmd

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/internal/build/sources"
)

// TestCopiesShareCompiledPackages: two copies of the sources, in different folders, use the
// same compiled package of the build cache.
func TestCopiesShareCompiledPackages(t *testing.T) {
	variables := []string{"GOCACHE", "GOMODCACHE"}
	out, _, err := Run(t.Context(), "", append([]string{"env"}, variables...)...)
	require.NoError(t, err)
	for i, value := range strings.Fields(out) {
		t.Setenv(variables[i], value)
	}
	t.Chdir(t.TempDir()) // outside the checkout, so that the sources are unpacked
	var dirs, compiled []string
	for range 2 {
		folder := t.TempDir()
		for _, variable := range []string{"XDG_CACHE_HOME", "HOME", "LocalAppData"} {
			t.Setenv(variable, folder)
		}
		dir, err := sources.Dir(t.Context())
		require.NoError(t, err)
		out, _, err := Run(t.Context(), dir, "list", "-export", "-f", "{{.Export}}", sources.Module+"/shm")
		require.NoError(t, err)
		dirs, compiled = append(dirs, dir), append(compiled, out)
	}
	require.NotEqual(t, dirs[0], dirs[1])
	require.NotEmpty(t, strings.TrimSpace(compiled[0]))
	require.Equal(t, compiled[0], compiled[1])
}
