package bench

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchunit"

	"shmbench/internal/machine/topo"
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

// TestRankUnit: an open loop is ranked by latency, and any other workload by the time of a
// passage.
func TestRankUnit(t *testing.T) {
	require.Equal(t, "sec/op", RankUnit(Workload{Procs: 1, Readers: 1}))
	require.Equal(t, "mean-sec", RankUnit(Workload{Procs: 1, Rate: 0.5}))
}

// TestBehind: a lock is saturated if it reached clearly less than its rate.
func TestBehind(t *testing.T) {
	for part, is := range map[float64]bool{0: true, leastReached - 0.001: true, leastReached: false, 1: false} {
		require.Equal(t, is, Behind(Line{Name: "x", Values: []Value{{part, reached}}}.Result()), "%v", part)
	}
	require.False(t, Behind(Line{Name: "x"}.Result()), "a closed loop has no rate")
}

// TestDirections: every unit has a direction, in the order of Units, until the caller stops.
func TestDirections(t *testing.T) {
	var all, some []string
	for unit, better := range Directions {
		all = append(all, unit)
		require.Contains(t, []string{"lower", "higher"}, better, unit)
		if len(some) < 2 {
			some = append(some, unit)
		}
	}
	require.Len(t, all, len(Units))
	for unit := range Directions {
		require.Equal(t, Units[0].Name, unit)
		break
	}
	require.Equal(t, all[:2], some)
}

// TestOtherLinesAreNotQuiet: a line about a passage is no line about a round.
func TestOtherLinesAreNotQuiet(t *testing.T) {
	_, ok := ParseQuiet(Line{Name: "Passage/alg=a-a", Values: []Value{{1, otherLoad}}}.Result())
	require.False(t, ok)
	q, _ := ParseQuiet(Line{Name: quietName, Values: []Value{{0.5, stolen}, {3000, fastestMHz}}}.Result())
	require.Equal(t, Quiet{Others: -1, Stolen: 0.5, Slowest: -1, Fastest: 3000}, q)
}
