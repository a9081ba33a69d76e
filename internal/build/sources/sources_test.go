package sources

import (
	"context"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shmbench/internal/testkit/sample"
)

// emptyCache gives the test a cache folder of its own, and returns the folder of copies.
func emptyCache(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, variable := range []string{"XDG_CACHE_HOME", "HOME", "LocalAppData"} {
		t.Setenv(variable, dir)
	}
	folder, err := cache()
	require.NoError(t, err)
	return folder
}

// TestCacheIsAbsolute: the folder of copies does not move with the current folder, even if the home folder is a relative path.
func TestCacheIsAbsolute(t *testing.T) {
	emptyCache(t)
	t.Setenv("XDG_CACHE_HOME", "")
	t.Setenv("HOME", "home")
	folder, err := cache()
	if err == nil { // a home folder need not be a variable
		require.True(t, filepath.IsAbs(folder), folder)
	}
}

// content returns all files below a directory.
func content(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	require.NoError(t, filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		require.NoError(t, err)
		files[filepath.ToSlash(name)], err = os.ReadFile(path)
		return err
	}))
	return files
}

// TestDir: the sources are those of the checkout around the current directory, and
// those that the binary carries everywhere else.
func TestDir(t *testing.T) {
	folder := emptyCache(t)
	root, err := filepath.Abs("../../..")
	require.NoError(t, err)
	dir, err := Dir(t.Context())
	require.NoError(t, err)
	require.Equal(t, root, dir)
	require.NoDirExists(t, folder, "a checkout needs no copy")
	require.False(t, Unpacked(dir))

	for _, elsewhere := range []string{t.TempDir(), filepath.Join(root, "examples", "ownlock")} {
		t.Chdir(elsewhere)
		dir, err = Dir(t.Context())
		require.NoError(t, err)
		require.Equal(t, folder, filepath.Dir(dir), elsewhere)
	}
	require.True(t, Unpacked(dir))
	require.True(t, Unpacked(filepath.Join(dir, "locks")))
	require.False(t, Unpacked(""))
	require.Equal(t, all(), content(t, dir))
	text, err := os.ReadFile(filepath.Join(root, "locks", "queue", "mcs.go"))
	require.NoError(t, err)
	require.Equal(t, string(text), string(all()["locks/queue/mcs.go"]))

	elsewhere := t.TempDir()
	for pkg, want := range map[string][2]string{
		Module + "/catalog": {dir, Module + "/catalog"},
		"./mylock":          {"", "./mylock"},
		"../no/such/folder": {"", "../no/such/folder"},
		elsewhere:           {elsewhere, "."},
	} {
		of, from, err := For(t.Context(), pkg)
		require.NoError(t, err)
		require.Equal(t, want, [2]string{of, from}, pkg)
	}
}

// TestNoCacheFolder: without a cache folder the error says which variable to set.
func TestNoCacheFolder(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", "")
	t.Setenv("HOME", "")
	t.Setenv("LocalAppData", "")
	t.Chdir(t.TempDir())
	_, err := Dir(t.Context())
	require.ErrorContains(t, err, "there is none")
	require.ErrorContains(t, err, "defined")

	blocked := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(blocked, nil, 0o666))
	_, err = unpack(t.Context(), blocked, map[string][]byte{"a": nil})
	require.ErrorContains(t, err, "cannot be unpacked into the user's cache folder")
}

// TestUnpackRepairs: whatever is wrong with a copy is put right, and the rest is left
// alone.
func TestUnpackRepairs(t *testing.T) {
	folder := emptyCache(t)
	files := map[string][]byte{"go.mod": []byte("module m\n"), "a/a.go": []byte("package a\n"), "a/b/b.go": []byte("package b\n")}
	dir, err := unpack(t.Context(), folder, files)
	require.NoError(t, err)
	require.Equal(t, files, content(t, dir))
	in := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	past := time.Now().Add(-time.Hour).Truncate(time.Second)

	for what, damage := range map[string]func() error{
		"a changed file":   func() error { return os.WriteFile(in("a/a.go"), []byte("package b\n"), 0o666) },
		"a cut file":       func() error { return os.Truncate(in("a/a.go"), 3) },
		"a missing file":   func() error { return os.Remove(in("a/a.go")) },
		"a missing folder": func() error { return os.RemoveAll(in("a")) },
		"another file":     func() error { return os.WriteFile(in("a/c.go"), []byte("package a\n"), 0o666) },
		"another folder": func() error {
			return os.MkdirAll(in("c"), 0o777) // with no file in it, it does no harm
		},
	} {
		require.NoError(t, os.Chtimes(in("go.mod"), past, past))
		require.NoError(t, damage(), what)
		again, err := unpack(t.Context(), folder, files)
		require.NoError(t, err, what)
		require.Equal(t, dir, again)
		require.Equal(t, files, content(t, dir), what)
		info, err := os.Stat(in("go.mod"))
		require.NoError(t, err)
		require.Equal(t, past, info.ModTime(), "%s: what was right was not written again", what)
	}
	files["a/a.go"] = []byte("package a // changed\n")
	other, err := unpack(t.Context(), folder, files)
	require.NoError(t, err)
	require.NotEqual(t, dir, other, "other sources have another copy")
	entries, err := os.ReadDir(folder)
	require.NoError(t, err)
	require.Len(t, entries, 2, "nothing else stays")
}

// TestUnpackAtOnce: several that unpack and repair at once all get a whole copy.
func TestUnpackAtOnce(t *testing.T) {
	sample.NeedsAll(t)
	folder, files := emptyCache(t), all()
	for range 3 {
		var group sync.WaitGroup
		for range 8 {
			group.Go(func() {
				dir, err := unpack(context.Background(), folder, files)
				if err != nil {
					t.Error(err)
					return
				}
				if !maps.EqualFunc(files, content(t, dir), slices.Equal) {
					t.Error("a copy is not whole after it was unpacked")
				}
			})
		}
		group.Wait()
		require.NoError(t, os.RemoveAll(filepath.Join(folder, hash(files), "locks")))
	}
}

// TestUnpackInterrupted: an interruption ends it, and a later call completes the copy.
func TestUnpackInterrupted(t *testing.T) {
	folder, files := emptyCache(t), map[string][]byte{"a.go": nil}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := unpack(ctx, folder, files)
	require.ErrorIs(t, err, context.Canceled)
	dir, err := unpack(t.Context(), folder, files)
	require.NoError(t, err)
	require.Len(t, content(t, dir), 1)
}

// TestDiscard: a copy that no program has used for long is removed when another is
// made, and one that is used is not.
func TestDiscard(t *testing.T) {
	folder := emptyCache(t)
	file := func(text string) map[string][]byte { return map[string][]byte{"a.go": []byte(text)} }
	old, err := unpack(t.Context(), folder, file("old"))
	require.NoError(t, err)
	used, err := unpack(t.Context(), folder, file("used"))
	require.NoError(t, err)
	long := time.Now().Add(-kept - time.Hour)
	for _, dir := range []string{old, used} {
		require.NoError(t, os.Chtimes(dir, long, long))
	}
	_, err = unpack(t.Context(), folder, file("used"))
	require.NoError(t, err)
	_, err = unpack(t.Context(), folder, file("new"))
	require.NoError(t, err)
	require.NoDirExists(t, old)
	require.DirExists(t, used)
}

// TestTheCopyIsWhole: every package that is compiled in the copy has its files there.
// The packages are those of the catalog and of the programs that run a lock.
func TestTheCopyIsWhole(t *testing.T) {
	packages := []string{"catalog", "catalog/knownbroken", "catalog/mutants/byhand", "stress", "bench/forks", "predict/compiled/locks", "cmd/shmbench/stressed/program"}
	for i, p := range packages {
		packages[i] = Module + "/" + p
	}
	const format = "{{$p := .ImportPath}}{{range .GoFiles}}{{$p}}/{{.}}\n{{end}}{{range .SFiles}}{{$p}}/{{.}}\n{{end}}" +
		"{{range .EmbedFiles}}{{$p}}/{{.}}\n{{end}}{{range .IgnoredGoFiles}}{{$p}}/{{.}}\n{{end}}{{range .IgnoredOtherFiles}}{{$p}}/{{.}}\n{{end}}"
	out, err := exec.Command("go", append([]string{"list", "-deps", "-f", format}, packages...)...).Output()
	require.NoError(t, err)
	carried, needed := all(), 0
	for line := range strings.Lines(string(out)) {
		if name, ours := strings.CutPrefix(strings.TrimSpace(line), Module+"/"); ours && !strings.HasSuffix(name, "_test.go") {
			needed++
			require.Contains(t, carried, name, "a pattern of shmbench.go has to match it")
		}
	}
	require.Greater(t, needed, 150)
}
