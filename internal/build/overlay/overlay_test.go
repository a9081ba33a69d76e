package overlay_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/internal/build/gocmd"
	"shmbench/internal/build/overlay"
	"shmbench/internal/testkit/sample"
)

func TestRewrite(t *testing.T) {
	const text = `// Package p has "sync/atomic" in a comment.
package p

import (
	"sync"
	"sync/atomic" // kept
	real "sync/atomic"
)

var x = "sync/atomic"
`
	got, err := overlay.Rewrite("p.go", []byte(text), map[string]string{"sync/atomic": "a.b/twin"})
	require.NoError(t, err)
	want := strings.Replace(text, "\t\"sync/atomic\" //", "\tatomic \"a.b/twin\" //", 1)
	want = strings.Replace(want, "real \"sync/atomic\"", "real \"a.b/twin\"", 1)
	require.Equal(t, want, string(got))
	_, err = overlay.Rewrite("p.go", []byte("package"), nil)
	require.ErrorContains(t, err, "p.go")
}

// module writes a module of its own: a program that counts twice on one word,
// and a twin of sync/atomic whose words count by ten.
func module(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":          "module m\n\ngo 1.24\n",
		"main.go":         "package main\n\nimport \"m/count\"\n\nfunc main() { println(count.Twice()) }\n",
		"count/count.go":  "package count\n\nimport \"sync/atomic\"\n\nfunc Twice() uint32 {\n\tvar w atomic.Uint32\n\tw.Add(1)\n\treturn w.Add(1)\n}\n",
		"twin/twin.go":    "package twin\n\ntype Uint32 struct{ v uint32 }\n\nfunc (w *Uint32) Add(d uint32) uint32 { w.v += 10 * d; return w.v }\n",
		"empty/empty.go":  "package empty\n",
		"narrow/other.go": "package narrow\n\ntype Uint32 struct{}\n",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	}
	return dir
}

func TestBuild(t *testing.T) {
	sample.NeedsAll(t)
	dir := module(t)
	build := func(twin string) (string, error) {
		bin := filepath.Join(t.TempDir(), "m.exe")
		err := overlay.Build(t.Context(), overlay.Options{
			Place: gocmd.In(dir), Packages: []string{"m/count", "m/empty"}, Target: ".", Output: bin,
			Replace: map[string]string{"sync/atomic": twin},
		})
		if err != nil {
			return "", err
		}
		out, err := exec.Command(bin).CombinedOutput()
		return strings.TrimSpace(string(out)), err
	}
	out, err := build("sync/atomic")
	require.NoError(t, err)
	require.Equal(t, "2", out)
	out, err = build("m/twin")
	require.NoError(t, err)
	require.Equal(t, "20", out)
	_, err = build("m/narrow")
	require.ErrorContains(t, err, "count.go:7", "a message is about a place in the source")
}

func TestBuildSaysWhatIsMissing(t *testing.T) {
	t.Run("toolchain", func(t *testing.T) {
		t.Setenv("PATH", "")
		require.ErrorIs(t, overlay.Build(t.Context(), overlay.Options{}), gocmd.ErrMissing)
	})
	t.Run("module", func(t *testing.T) {
		err := overlay.Build(t.Context(), overlay.Options{Place: gocmd.In(t.TempDir()), Packages: []string{"shmbench/tas"}})
		require.ErrorContains(t, err, "go list failed")
	})
	t.Run("canceled", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		require.ErrorIs(t, overlay.Build(ctx, overlay.Options{Place: gocmd.In(module(t)), Packages: []string{"m/count"}}), context.Canceled)
	})
}
