package overlay_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/internal/build/gocmd"
	"shmbench/internal/build/overlay"
)

// TestOverlay: the build reads the changed imports of all listed packages, and the files that are added, and
// writes nothing into the source tree. Its messages have the lines of that tree.
func TestOverlay(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	}
	write("go.mod", "module m\n\ngo 1.24\n")
	write("wide/wide.go", "package wide\n\nfunc One() {}\n\nfunc Two() {}\n")
	write("narrow/narrow.go", "package narrow\n")
	write("one/one.go", "package one\n\nimport \"m/wide\"\n\nvar F = wide.One\n")
	write("two/two.go", "package two\n\nimport (\n\t_ \"m/one\"\n\t\"m/wide\"\n)\n\nvar F = wide.Two\n")
	file := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	o := overlay.Options{
		Place: gocmd.In(dir), Packages: []string{"m/one", "m/two"}, Replace: map[string]string{"m/wide": "m/narrow"},
		Add:    map[string][]byte{file("two/more.go"): []byte("package two\n\nimport _ \"m/new\"\n"), file("new/new.go"): []byte("package new\n\nvar x int = \"x\"\n")},
		Target: "m/two", Output: file("two.a"),
	}
	err := overlay.Build(t.Context(), o)
	require.ErrorContains(t, err, filepath.Join("one", "one.go")+":5:14: undefined: wide.One")
	require.ErrorContains(t, err, "new.go:3:13: cannot use")
	require.NoFileExists(t, o.Output)
	require.NoDirExists(t, filepath.Join(dir, "new"))
}
