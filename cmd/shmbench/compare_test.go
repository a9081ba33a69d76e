package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// results writes a file with samples of one benchmark, of ns and a little
// more.
func results(t *testing.T, ns int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "results.txt")
	text := "Unit ns/op better=lower\n"
	for i := range 8 {
		text += fmt.Sprintf("BenchmarkPassage/alg=a-a/procs=2 1 %d ns/op\n", ns+i)
	}
	require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	return path
}

func TestCompareFailsOverALimit(t *testing.T) {
	fast, slow := results(t, 100), results(t, 150)
	out, diag, status := shmbench(t.Context(), "compare", "-fail-over", "5%", fast, slow)
	require.Equal(t, exitViolated, status)
	require.Contains(t, out, "+48.3%")
	require.Equal(t, "worse by more than 5%: Passage/alg=a-a/procs=2\n", diag)

	for _, args := range [][]string{{"-fail-over", "50%", fast, slow}, {"-fail-over", "5%", slow, fast}, {fast, slow}, {fast, slow, slow}} {
		_, diag, status := shmbench(t.Context(), append([]string{"compare"}, args...)...)
		require.Equal(t, exitHolds, status, diag)
	}
	out, _, status = shmbench(t.Context(), "compare", "-json", fast, slow)
	require.Equal(t, exitHolds, status)
	require.Contains(t, out, `"unit": "sec/op"`)
}

// TestCompareOfAnIncompleteFile: what is whole is compared, and what is missing is said, with
// status 3. A regression is graver.
func TestCompareOfAnIncompleteFile(t *testing.T) {
	whole, slow := results(t, 100), results(t, 150)
	for cut, want := range map[string]string{
		"BenchmarkPassage/alg=a-b/procs=2 1 1": "cut off in the line BenchmarkPassage/alg=a-b/procs=2",
		"--- FAIL: BenchmarkB\nFAIL\n":         "BenchmarkB failed",
		"BenchmarkB 1 NaN ns/op\n":             "line 10: NaN ns/op is no measurement",
	} {
		for path, status := range map[string]int{whole: exitUndecided, slow: exitViolated} {
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			path = filepath.Join(t.TempDir(), "cut.txt")
			require.NoError(t, os.WriteFile(path, append(text, cut...), 0o666))
			out, diag, got := shmbench(t.Context(), "compare", whole, path)
			require.Equal(t, exitUndecided, got)
			require.Equal(t, "shmbench compare: "+path+" is not complete: "+want+"\n", diag)
			require.Contains(t, out, "cut is not complete)\n"+path+" is not complete: "+want+"\n")
			out, _, got = shmbench(t.Context(), "compare", "-fail-over", "5%", "-json", whole, path)
			require.Equal(t, status, got)
			require.Contains(t, out, `"complete": false`)
		}
	}
	none := filepath.Join(t.TempDir(), "none.txt")
	require.NoError(t, os.WriteFile(none, []byte("BenchmarkOther 1 1 ns/op\n--- FAIL: BenchmarkA\n"), 0o666))
	_, diag, got := shmbench(t.Context(), "compare", whole, none)
	require.Equal(t, exitUndecided, got)
	require.Contains(t, diag, "no benchmark with a value in ns/op in common")
	require.Contains(t, diag, "none.txt is not complete: BenchmarkA failed\n")
}

func TestCompareRefuses(t *testing.T) {
	good := results(t, 100)
	write := func(text string) string {
		path := filepath.Join(t.TempDir(), "bad.txt")
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
		return path
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, "two files or more"},
		{[]string{good}, "two files or more"},
		{[]string{good, "missing.txt"}, "missing.txt"},
		{[]string{good, write("")}, "no benchmark results in it"},
		{[]string{good, write("\x7fELF\x00")}, "no benchmark results in it"},
		{[]string{good, write("BenchmarkOther 1 1 ns/op\n")}, "no benchmark with a value in ns/op in common"},
		{[]string{"-unit", "p99-ns", good, good}, "no benchmark with a value in p99-ns in common"},
		{[]string{"-fail-over", "5", good, good}, "a percentage is like 5%"},
		{[]string{"-fail-over", "-5%", good, good}, "a percentage is like 5%"},
		{[]string{"-fail-over", "NaN%", good, good}, "a percentage is like 5%"},
	} {
		_, diag, status := shmbench(t.Context(), append([]string{"compare"}, c.args...)...)
		require.Equal(t, exitUsage, status, c.args)
		require.Contains(t, diag, c.want)
		require.Equal(t, 1, strings.Count(diag, "\n"), diag)
	}
}
