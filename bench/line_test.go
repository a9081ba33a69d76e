package bench

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchunit"

	"shmbench/internal/topo"
)

// A line as x/perf reads it has base units, and beside them those that it was
// written in where they differ.
func TestALineAsXPerfReadsIt(t *testing.T) {
	seconds, _ := benchunit.Tidy(81.5, nsPerOp)
	require.InDelta(t, 81.5e-9, seconds, 1e-20)
	l := Line{Name: "Passage/alg=a-a", Iterations: 7, Values: []Value{{81.5, nsPerOp}, {0.25, jainRun}}, Fork: 2}
	require.Equal(t, &benchfmt.Result{
		Name: benchfmt.Name("Passage/alg=a-a"), Iters: 7,
		Config: []benchfmt.Config{{Key: "fork", Value: []byte("2")}},
		Values: []benchfmt.Value{
			{Value: seconds, Unit: "sec/op", OrigValue: 81.5, OrigUnit: "ns/op"},
			{Value: 0.25, Unit: "jain"},
		},
	}, l.Result())
	l.Fork = 0
	require.Nil(t, l.Result().Config)
}

// The line about how quiet a round was is one, and is read as it was written.
func TestTheLineOfARound(t *testing.T) {
	before := topo.ReadTimes()
	time.Sleep(20 * time.Millisecond)
	line, ok := quiet(before, topo.ReadTimes())
	if !ok {
		t.Skip("the platform tells nothing")
	}
	require.Equal(t, "Quiet", line.Name)
	require.Equal(t, uint64(1), line.Iterations)
	q, ok := ParseQuiet(line.Result())
	require.True(t, ok)
	want := Quiet{-1, -1, -1, -1}
	for _, v := range line.Values {
		switch v.Unit {
		case otherLoad:
			want.Others = v.Value
		case stolen:
			want.Stolen = v.Value
		case slowestMHz:
			want.Slowest = v.Value
		case fastestMHz:
			want.Fastest = v.Value
		}
	}
	require.Equal(t, want, q)
}
