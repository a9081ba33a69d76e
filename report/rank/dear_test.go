package rank

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/perf/benchfmt"

	"shmbench/bench"
)

// TestDear: who takes more than 1.2 times its own operations is named, net of the
// harness, and no other process; what has no counts or no null lock cannot be.
func TestDear(t *testing.T) {
	var all []*benchfmt.Result
	add := func(name string, ns, atomics, harness float64) {
		values := []bench.Value{{Value: ns, Unit: "ns/op"}}
		if atomics > 0 {
			values = append(values, bench.Value{Value: atomics, Unit: "atomics/op"})
		}
		if harness > 0 {
			values = append(values, bench.Value{Value: harness, Unit: "overhead-ns"})
		}
		for range 7 {
			all = append(all, bench.Line{Name: "Passage/alg=" + name + "/procs=1/cs=0/ncs=0", Iterations: 1, Values: values}.Result())
		}
	}
	add("a-cheap", 15, 1.5, 4) // 11 for 10
	add("a-dear", 20, 2, 4)    // 16 for 10
	add("a-dearest", 14, 7, 4) // 10 for 2
	add("a-uncounted", 50, 0, 4)
	add("a-alone", 50, 5, 0)
	dear := New(all).Tables[0].Dear()
	require.Len(t, dear, 2)
	require.Equal(t, "a/dearest", dear[0].Algorithm)
	require.InDelta(t, 5, dear[0].Times, 1e-9)
	require.InDelta(t, 8, dear[0].More, 1e-9)
	require.Equal(t, "a/dear", dear[1].Algorithm)
	require.InDelta(t, 1.6, dear[1].Times, 1e-9)

	var out bytes.Buffer
	require.NoError(t, New(all).WriteText(&out))
	require.Contains(t, out.String(), "\nMore than 1.2 times their own atomics, less the null lock: a/dearest 5.00 (8.00 ns more), a/dear 1.60 (6.00 ns more).\n")
	out.Reset()
	require.NoError(t, New(results()).WriteText(&out))
	require.NotContains(t, out.String(), "More than")
}
