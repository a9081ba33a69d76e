package gobench_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/perf/benchfmt"

	"shmbench/internal/machine/topo"
	"shmbench/internal/results/gobench"
)

var facts = []topo.Pair{
	{Key: "goos", Value: "linux"}, {Key: "cpu", Value: "Fast One"}, {Key: "kernel", Value: "Linux 6"}, {Key: "gomaxprocs", Value: "2"},
	{Key: "command", Value: "run -alg='a\nwait: busy'"}, {Key: "wait", Value: "yield"}, {Key: "lock/queue/mine", Value: `{"name": "queue/mine"}`},
}

// Only the configuration is configuration for benchfmt, whatever the values are.
func TestWhatBenchfmtTakesAsConfiguration(t *testing.T) {
	var text strings.Builder
	require.NoError(t, gobench.WriteHeader(&text, maps.All(map[string]string{"ns/op": "lower"}), facts))
	require.Equal(t, "Unit ns/op better=lower\n# kernel: Linux 6\n# command: run -alg='a\\nwait: busy'\n# lock/queue/mine: {\"name\": \"queue/mine\"}\n"+
		"gomaxprocs: 2\nwait: yield\ngoos: linux\ncpu: Fast One\n", text.String())
	text.WriteString("BenchmarkA 1 1 ns/op\n")
	r := benchfmt.NewReader(strings.NewReader(text.String()), "f")
	require.True(t, r.Scan())
	require.IsType(t, (*benchfmt.UnitMetadata)(nil), r.Result())
	require.True(t, r.Scan())
	got := map[string]string{}
	for _, c := range r.Result().(*benchfmt.Result).Config {
		got[c.Key] = string(c.Value)
	}
	require.Equal(t, map[string]string{"goos": "linux", "cpu": "Fast One", "gomaxprocs": "2", "wait": "yield"}, got)
}

func TestProvenanceIsReadAsItIsWritten(t *testing.T) {
	for _, f := range facts {
		got, ok := gobench.ParseProvenance(gobench.Provenance(f) + "\n")
		require.True(t, ok)
		require.Equal(t, f.Key, got.Key)
		require.Equal(t, strings.ReplaceAll(f.Value, "\n", `\n`), got.Value)
	}
	for _, line := range []string{"", "#", "# ", "# a note", "# A: b", "# two words: b", "#a: b", "a: b", "# : b", "# a:b", "# 1: b", "## a: b"} {
		_, ok := gobench.ParseProvenance(line)
		require.False(t, ok, line)
	}
}

func TestEachKeyIsOfOneKind(t *testing.T) {
	for _, f := range topo.Describe() {
		require.NotEqual(t, gobench.IsConfiguration(f.Key), gobench.WasConfiguration(f.Key), f.Key)
	}
}
