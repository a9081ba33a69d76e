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

func TestCompareRefuses(t *testing.T) {
	good := results(t, 100)
	write := func(text string) string {
		path := filepath.Join(t.TempDir(), "bad.txt")
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
		return path
	}
	text, err := os.ReadFile(good)
	require.NoError(t, err)
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, "two files or more"},
		{[]string{good}, "two files or more"},
		{[]string{good, "missing.txt"}, "missing.txt"},
		{[]string{good, write("")}, "no benchmark results in it"},
		{[]string{good, write("\x7fELF\x00")}, "no benchmark results in it"},
		{[]string{good, write(string(text[:len(text)-7]))}, "the last line is broken off"},
		{[]string{good, write(string(text[:len(text)-1]))}, "the last line is broken off"},
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
