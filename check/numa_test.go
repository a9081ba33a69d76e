package check_test

import (
	"flag"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"shmbench/check"
	"shmbench/check/testdata/numa"
	"shmbench/internal/testkit/sample"
	"shmbench/shm"
)

var four = flag.Int("four", 0, "check locks for four processes with up to this many `states` each")

// TestNUMABatches holds the specifications of the locks for several nodes in batches of one
// and of two, and that of a tree of three levels: with -four, for two processes on each of
// two nodes, as far as they fit.
func TestNUMABatches(t *testing.T) {
	if *four == 0 {
		sample.NeedsAll(t)
	}
	t.Parallel()
	src := check.Testdata(t, "numa")
	o := check.Options{N: []int{2, 3}, Replays: 500}
	all := numa.All()
	if *four > 0 {
		o.N, o.Replays, o.MaxStates = []int{4}, 5000, *four
	} else {
		all = slices.DeleteFunc(all, func(a shm.Algorithm) bool { // those of two are as the catalog's
			return !strings.HasSuffix(a.Name, "-1") && !strings.HasSuffix(a.Name, "-drawn")
		})
	}
	for _, a := range all {
		// Within two passages of four tickets cannot show that nothing bounds a bypass.
		if o.Passages = 0; *four > 0 && !a.Space.Bounded(4) {
			o.Passages = 2
		}
		reports, err := src.AlgorithmOnce(t.Context(), a, o)
		require.NoError(t, err)
		for _, r := range reports {
			t.Logf("%s, n=%d: %d states, exhausted: %v, %d passages", r.Algorithm, r.N, r.States, r.Exhausted, r.Passages)
			assert.Empty(t, r.Disagreements, "%s, n=%d", r.Algorithm, r.N)
		}
	}
}

// TestTopologies holds the specifications of the locks for several nodes where processes
// are told to be elsewhere: all on one node of two, on the only one, each on its own, and
// in a tree.
func TestTopologies(t *testing.T) {
	sample.NeedsAll(t)
	t.Parallel()
	src := check.Testdata(t, "numa")
	var traces []*check.Trace
	for _, c := range []struct {
		paths [][]int
		n     []int
	}{
		{[][]int{{0}, {0}, {0}, {1}}, []int{2, 3}},
		{[][]int{{}, {}, {}}, []int{2}},
		{[][]int{{0}, {1}, {2}}, []int{2}},
		{[][]int{{0, 0}, {0, 1}, {1, 0}}, []int{2}},
	} {
		some := numa.At(c.paths)
		require.NotEmpty(t, some)
		reports, err := src.Algorithms(t.Context(), "At", some, check.Options{N: c.n, AcceptUnreplayed: true, Paths: c.paths})
		require.NoError(t, err)
		require.GreaterOrEqual(t, len(reports), len(some)*len(c.n), "some in all modes too")
		for _, r := range reports {
			require.Equal(t, c.paths[:r.N], r.Paths)
			require.Empty(t, append(r.Violated(), r.Disagreements...), "%v", r.Paths)
			traces = append(traces, r.Counterexamples...)
		}
	}
	require.NotEmpty(t, traces)
	out := new(strings.Builder)
	require.NoError(t, traces[len(traces)-1].Replay(t.Context(), out), "a trace knows where its processes are, and so does the compiled code")
}
