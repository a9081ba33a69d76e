package treetest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestCopy: a copy has the files of the tree with their text, without .git and what is skipped.
func TestCopy(t *testing.T) {
	from, to := t.TempDir(), t.TempDir()
	for _, name := range []string{"a", "d/b", "d/e/c", ".git/config", "skipped/x", "d/skipped", "d/e/kept"} {
		path := filepath.Join(from, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
		require.NoError(t, os.WriteFile(path, []byte(name), 0o666))
	}
	Copy(t, from, to, "skipped", "d/skipped", "kept")
	copied := map[string]string{}
	require.NoError(t, filepath.WalkDir(to, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(to, path)
		copied[filepath.ToSlash(name)] = string(text)
		return err
	}))
	require.Equal(t, map[string]string{"a": "a", "d/b": "d/b", "d/e/c": "d/e/c", "d/e/kept": "d/e/kept"}, copied)
}

// TestHasRace: without cgo, or without the C compiler, there is no race detector.
func TestHasRace(t *testing.T) {
	for _, c := range []struct {
		cgo, compiler string
		has           bool
	}{{"1", "go -x", true}, {"1", "no-such-compiler", false}, {"0", "go", false}} {
		t.Setenv("CGO_ENABLED", c.cgo)
		t.Setenv("CC", c.compiler)
		require.Equal(t, c.has, HasRace(t), "%+v", c)
	}
}
