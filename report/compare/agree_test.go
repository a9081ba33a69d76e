package compare

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/perf/benchfmt"

	"shmbench/bench"
	"shmbench/bench/benchfile"
)

// reruns are n reruns of two locks with nine samples under each of two names; the
// second name of a lock costs more by again, and each rerun by drift more than
// the one before.
func reruns(n int, again, drift float64) (all [][]*benchfmt.Result) {
	random := rand.New(rand.NewPCG(1, 2))
	for i := range n {
		var results []*benchfmt.Result
		for _, lock := range []string{"a/x", "a/y", "a/x" + bench.Again, "a/y" + bench.Again} {
			for range 9 {
				ns := 100 + random.Float64() + drift*float64(i)
				if lock == "a/y"+bench.Again {
					ns += again
				}
				results = append(results, bench.Line{Name: bench.Workload{Procs: 2}.Name(lock), Iterations: 1, Values: []bench.Value{{Value: ns, Unit: "ns/op"}}}.Result())
			}
		}
		all = append(all, results)
	}
	return all
}

func TestRerunsOfTheSameAgree(t *testing.T) {
	a := Agree(reruns(20, 0, 0))
	require.Equal(t, []int{20, 19, 2, 4}, []int{a.Names.Comparisons, a.Reruns.Comparisons, a.Names.Benchmarks, a.Reruns.Benchmarks})
	require.True(t, a.Names.Holds())
	require.True(t, a.Reruns.Holds())
}

// TestNothingComparedSaysNothing: no rerun, or only one, makes no line about comparisons that
// did not take place.
func TestNothingComparedSaysNothing(t *testing.T) {
	for n, lines := range []int{0, 1, 2} {
		var out strings.Builder
		require.NoError(t, Agree(reruns(n, 0, 0)).WriteText(&out))
		require.Equal(t, lines, strings.Count(out.String(), "comparisons"), out.String())
	}
}

func TestANameThatCostsMoreIsAnAlarm(t *testing.T) {
	a := Agree(reruns(20, 3, 0))
	require.Len(t, a.Names.Found, 20)
	require.False(t, a.Names.Holds())
	require.True(t, a.Reruns.Holds())
	require.Contains(t, a.Names.Found[0], "rerun 1: Passage/alg=a-y/procs=2/cs=0/ncs=0 +")
	var out bytes.Buffer
	require.NoError(t, a.WriteText(&out))
	require.Contains(t, out.String(), "20 of 20 comparisons between the two names of each lock, of 2 benchmarks each, show a significant difference: MORE THAN ONE IN TWENTY\n  rerun 1: ")
}

func TestRerunsThatDriftAreAnAlarm(t *testing.T) {
	a := Agree(reruns(20, 0, 2))
	require.True(t, a.Names.Holds())
	require.Len(t, a.Reruns.Found, 19)
	require.False(t, a.Reruns.Holds())
}

func TestOneAlarmOfAFewIsChance(t *testing.T) {
	require.True(t, Alarms{Comparisons: 20, Found: []string{"x"}}.Holds())
	require.True(t, Alarms{Comparisons: 2, Found: []string{"x"}}.Holds())
	require.False(t, Alarms{Comparisons: 20, Found: []string{"x", "y"}}.Holds())
	require.True(t, Alarms{Comparisons: 40, Found: []string{"x", "y"}}.Holds())
}

// Of three comparisons with p = 2/252 each none is significant together.
func TestAlarmsAreCorrected(t *testing.T) {
	low, high := []float64{1, 2, 3, 4, 5}, []float64{6, 7, 8, 9, 10}
	var a Alarms
	a.compare("three", map[string][]float64{"x": low, "y": low, "z": low}, map[string][]float64{"x": high, "y": high, "z": high})
	require.Equal(t, Alarms{Comparisons: 1, Benchmarks: 3}, a)
	a.compare("one", map[string][]float64{"x": low, "y": low}, map[string][]float64{"x": high})
	require.Equal(t, Alarms{Comparisons: 2, Benchmarks: 3, Found: []string{"one: x +166.7%, p = 0.008"}}, a)
	a.compare("none", map[string][]float64{"x": low}, nil)
	require.Equal(t, 2, a.Comparisons)
}

// TestWhatIsNotCompared: a sample of the null lock, a doubtful one, and a line about the machine
// are left out, wherever they stand, and the samples after them are not.
func TestWhatIsNotCompared(t *testing.T) {
	line := func(name string, values ...bench.Value) *benchfmt.Result {
		return bench.Line{Name: name, Iterations: 1, Values: values}.Result()
	}
	w := bench.Workload{Procs: 2}
	other := []*benchfmt.Result{
		line("Machine/op=clock", bench.Value{Value: 1, Unit: "ns/op"}),
		line(w.Name("baseline/null"), bench.Value{Value: 1, Unit: "ns/op"}),
		line(w.Name("a/x"), bench.Value{Value: 1, Unit: "p50-ns"}),
		line(w.Name("a/x"), bench.Value{Value: 1, Unit: "ns/op"}, bench.Value{Value: 5, Unit: "least-passages"}),
	}
	plain := reruns(3, 3, 0)
	want := Agree(plain)
	require.NotEmpty(t, want.Names.Found)
	for i := range plain {
		plain[i] = append(append(other[:len(other):len(other)], plain[i]...), other...)
	}
	require.Equal(t, want, Agree(plain))
}

// TestDoubts: the samples of a benchmark in a file are counted together, with the reason of the
// last one.
func TestDoubts(t *testing.T) {
	var d doubts
	require.Empty(t, d.text())
	d.add("a", "x", "first")
	d.add("b", "x", "other")
	d.add("a", "y", "second")
	d.add("a", "x", "third")
	require.Equal(t, []string{"a in x: 2: third", "b in x: 1: other", "a in y: 1: second"}, d.text())
}

// TestFirstIn: a benchmark of a lock that has the unit comes before one of the machine.
func TestFirstIn(t *testing.T) {
	of := func(lines ...bench.Line) *benchfile.File {
		f := new(benchfile.File)
		for _, l := range lines {
			f.Results = append(f.Results, l.Result())
		}
		return f
	}
	ns := []bench.Value{{Value: 1, Unit: "ns/op"}}
	clock, load := bench.Line{Name: "Machine/op=clock", Values: ns}, bench.Line{Name: "Machine/op=load", Values: ns}
	first, second := bench.Line{Name: "Passage/alg=a-a/procs=1", Values: ns}, bench.Line{Name: "Passage/alg=a-b/procs=1", Values: ns}
	require.Equal(t, "Passage/alg=a-a/procs=1", firstIn("ns/op", of(clock, first, second)))
	require.Equal(t, "Machine/op=clock", firstIn("ns/op", of(clock, load)))
	require.Empty(t, firstIn("jain", of(clock, first)))
	require.Empty(t, firstIn("ns/op", of()))
	first.Values = []bench.Value{{Value: 1, Unit: "jain"}}
	require.Equal(t, "Passage/alg=a-b/procs=1", firstIn("ns/op", of(first, clock, second)))
	require.Equal(t, "Passage/alg=a-a/procs=1", firstIn("jain", of(first, clock, second)))
}
