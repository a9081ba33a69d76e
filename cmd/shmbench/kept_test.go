package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Without -o, run keeps its results and names the file in its last line; compare and
// report read them by the word last.
func TestRunKeepsItsResults(t *testing.T) {
	t.Chdir(t.TempDir()) // a probe for -o would change this folder, and go test would not cache the result
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	_, diag, code := shmbench(t.Context(), "compare", "last")
	require.Equal(t, exitUsage, code)
	require.Equal(t, "shmbench compare: last: a comparison needs two kept results, and there are 0: shmbench run without -o keeps its results\n", diag)
	_, diag, code = shmbench(t.Context(), "report", "last")
	require.Equal(t, exitUsage, code)
	require.Contains(t, diag, "last: no results are kept")
	for _, flag := range []string{"-cheapest", "-layout-for"} {
		_, diag, code = shmbench(t.Context(), "list", flag, "last")
		require.Equal(t, exitUsage, code)
		require.Contains(t, diag, "last: no results are kept")
	}

	var files []string
	for range 2 {
		_, diag, code := shmbench(t.Context(), quick("-procs", "1")...)
		require.Equal(t, exitHolds, code, diag)
		lines := strings.Split(strings.TrimSuffix(diag, "\n"), "\n")
		file, after, ok := strings.Cut(strings.TrimPrefix(lines[len(lines)-1], "The results are in "), ": ")
		require.True(t, ok, diag)
		require.Equal(t, "shmbench compare last, shmbench report last", after)
		require.Contains(t, file, time.Now().Format("run-2006"))
		require.FileExists(t, file)
		files = append(files, file)
	}
	out, diag, code := shmbench(t.Context(), "compare", "last")
	require.Equal(t, exitHolds, code, diag)
	require.Contains(t, out, "A: "+files[0]+"\nB: "+files[1]+"\n")
	out, diag, code = shmbench(t.Context(), "compare", files[0], "last")
	require.Equal(t, exitHolds, code, diag)
	require.Contains(t, out, "B: "+files[1]+"\n")
	out, diag, code = shmbench(t.Context(), "list", "-cheapest", "last")
	require.Equal(t, exitHolds, code, diag)
	require.Contains(t, out, "procs=1\n")
	_, diag, _ = shmbench(t.Context(), "list", "-layout-for", "last", "-alg", "queue/mcs", "-procs", "1024")
	require.Contains(t, diag, "-layout-for "+files[1]+": ", "no lock in both layouts, or on a busy machine no recommendation")
	page := filepath.Join(t.TempDir(), "r.html")
	_, diag, code = shmbench(t.Context(), "report", "-o", page, "last")
	require.Equal(t, exitHolds, code, diag)
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	require.Contains(t, string(text), filepath.Base(files[1]))
	require.NotContains(t, string(text), filepath.Base(files[0]))
}

// With -o nothing is kept besides that file.
func TestRunWithAFileKeepsNothing(t *testing.T) {
	cache := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", cache)
	_, diag, code := shmbench(t.Context(), quick("-procs", "1", "-o", filepath.Join(t.TempDir(), "r.txt"))...)
	require.Equal(t, exitHolds, code, diag)
	require.NotContains(t, diag, "The results are in")
	require.NoDirExists(t, filepath.Join(cache, "shmbench", "results"))
}

// The oldest results give way, and a folder that cannot be made is said and stops nothing.
func TestKeptResultsAreFew(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	begin := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for i := range mostKept + 3 {
		name, err := newKept(begin.Add(time.Duration(i) * time.Second))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(name, []byte("x"), 0o666))
	}
	names, err := kept()
	require.NoError(t, err)
	require.Len(t, names, mostKept)
	require.Equal(t, "run-20260102-030408.000000.txt", filepath.Base(names[0]))

	blocked := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(blocked, nil, 0o666))
	t.Setenv("XDG_CACHE_HOME", blocked)
	out, diag, code := shmbench(t.Context(), quick("-procs", "1")...)
	require.Equal(t, exitHolds, code, diag)
	require.Contains(t, out, "procs=1")
	require.Contains(t, diag, fmt.Sprintf("the results are not kept: mkdir %s: not a directory; -o names a file\n", blocked))
}
