package load

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestLoad: a package comes with the source of what it is made of, and with the
// types of the rest.
func TestLoad(t *testing.T) {
	const path = "shmbench/check/internal/interp/testdata/constructs"
	p, err := Load(t.Context(), "", path)
	require.NoError(t, err)
	require.Equal(t, path, p.Main.Pkg.Path())
	require.Equal(t, "constructs", filepath.Base(p.Dir))
	require.Len(t, p.Sources, 1, "spin is read, but not to stop in")
	require.Equal(t, path, p.Sources[0].Types.Path())
	require.Greater(t, len(p.Sources[0].Files), 100)
	require.True(t, p.Spin)
	lock := p.Main.Func("NewSpinUntil")
	file, line := p.Place(lock.Pos())
	require.Equal(t, "check/internal/interp/testdata/constructs/spin_until.go", file)
	require.Equal(t, 12, line)
	require.False(t, p.Foreign(lock.Pos()))
	until := p.Main.Prog.ImportedPackage("shmbench/shm/spin").Func("Until")
	require.NotEmpty(t, until.Blocks, "it is interpreted")
	require.True(t, p.Foreign(until.Pos()), "but not stopped in")
	require.Empty(t, p.Main.Prog.ImportedPackage("sync/atomic").Func("AddInt32").Blocks, "only its type is known")

	for pattern, want := range map[string]string{
		"shmbench/check/...":           "names more than one package",
		"shmbench/check/nothing":       "cannot load shmbench/check/nothing",
		"shmbench/check/internal/...x": "names no package",
	} {
		_, err := Load(t.Context(), "", pattern)
		require.ErrorContains(t, err, want, pattern)
	}
}
