package gobench_test

import (
	"errors"
	"maps"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/perf/benchfmt"

	"shmbench/internal/machine/topo"
	"shmbench/internal/results/gobench"
)

// TestNames: a name ends with the GOMAXPROCS that it was measured with, except 1.
func TestNames(t *testing.T) {
	for processors, suffix := range map[string]string{"1": "", "2": "-2", "10": "-10", "11": "-11"} {
		require.Equal(t, suffix, gobench.Suffix(processors))
	}
	for name, want := range map[string][2]string{
		"A":            {"A", ""},
		"A-8":          {"A", "8"},
		"A/alg=b":      {"A/alg=b", ""},
		"A/alg=b-c-16": {"A/alg=b-c", "16"},
		"A/b-c":        {"A/b-c", ""},
	} {
		bare, processors := gobench.SplitName(benchfmt.Name(name))
		require.Equal(t, want, [2]string{string(bare), processors}, name)
	}
}

// TestAppendLine: the fields of a line are separated by tabs, each value from its unit by a space.
func TestAppendLine(t *testing.T) {
	b := gobench.AppendLine([]byte("before\n"), "A/b=c-2", 1000, []gobench.Value{{Value: 81.5, Unit: "ns/op"}, {Value: 2, Unit: "jain"}})
	require.Equal(t, "before\nBenchmarkA/b=c-2\t1000\t81.5 ns/op\t2 jain\n", string(b))
	require.Equal(t, "BenchmarkA\t1\n", string(gobench.AppendLine(nil, "A", 1, nil)))
}

// limited fails at the line of its number.
type limited struct{ lines int }

var errFull = errors.New("full")

func (l *limited) Write(p []byte) (int, error) {
	if l.lines--; l.lines < 0 {
		return 0, errFull
	}
	return len(p), nil
}

// TestHeaderFails: each line of the header that cannot be written is an error.
func TestHeaderFails(t *testing.T) {
	units, facts := map[string]string{"ns/op": "lower"}, []topo.Pair{{Key: "kernel", Value: "6"}, {Key: "goos", Value: "linux"}}
	for lines := range 3 {
		require.ErrorIs(t, gobench.WriteHeader(&limited{lines}, maps.All(units), facts), errFull, lines)
	}
	require.NoError(t, gobench.WriteHeader(&limited{3}, maps.All(units), facts))
}

// TestParseProvenance: the ends of a line do not belong to the value, and everything else does.
func TestParseProvenance(t *testing.T) {
	for line, want := range map[string]topo.Pair{
		"# a: b\r\n":        {Key: "a", Value: "b"},
		"# lock/q/m: b: c ": {Key: "lock/q/m", Value: "b: c "},
		"# z: ":             {Key: "z"},
	} {
		got, ok := gobench.ParseProvenance(line)
		require.True(t, ok, line)
		require.Equal(t, want, got)
	}
	for _, line := range []string{"# {: b", "# `: b", "# a\tb: c", "# a:b: c"} {
		_, ok := gobench.ParseProvenance(line)
		require.False(t, ok, line)
	}
	var text strings.Builder
	require.NoError(t, gobench.WriteHeader(&text, maps.All(map[string]string{}), []topo.Pair{{Key: "pin", Value: "a\r\nb"}, {Key: "about", Value: "c\rd"}}))
	require.Equal(t, "# about: c\\rd\npin: a\\r\\nb\n", text.String())
}
