package rank

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/perf/benchfmt"

	"shmbench/bench"
)

// results has, for two processes, one lock that is clearly the fastest, one
// that cannot be told from it, and one that is clearly slower.
func results() []*benchfmt.Result {
	var all []*benchfmt.Result
	add := func(name string, values ...bench.Value) {
		all = append(all, bench.Line{Name: name, Iterations: 1, Values: values}.Result())
	}
	ns := func(v float64) bench.Value { return bench.Value{Value: v, Unit: "ns/op"} }
	for i := range 7 {
		drift := float64(i)
		add("Machine/op=transfer", ns(30))
		add("Machine/op=clock", ns(25+drift))
		add("Passage/alg=baseline-null/procs=1/cs=0/ncs=0", ns(3.5))
		add("Passage/alg=a-slow/procs=2/cs=0/ncs=0", ns(200+drift), bench.Value{Value: 6.5, Unit: "xfers/op"})
		add("Passage/alg=a-fast/procs=2/cs=0/ncs=0", ns(100+drift), bench.Value{Value: 3.25, Unit: "xfers/op"}, bench.Value{Value: 110, Unit: "handoff-ns"})
		add("Passage/alg=a-same/procs=2/cs=0/ncs=0", ns(100.25+drift))
		add("Passage/alg=a-fast/procs=10/cs=0/ncs=0", ns(5000))
		add("Passage/alg=a-fast/procs=1/cs=0/ncs=0", ns(7), bench.Value{Value: 1.05, Unit: "atomics/op"})
	}
	return all
}

func TestTables(t *testing.T) {
	tables := New(results()).Tables
	var workloads []string
	for _, table := range tables {
		workloads = append(workloads, table.Workload.String())
	}
	require.Equal(t, []string{"procs=1 cs=0 ncs=0", "procs=2 cs=0 ncs=0", "procs=10 cs=0 ncs=0"}, workloads)

	rows := tables[1].Rows
	require.Len(t, rows, 3)
	require.Equal(t, "a/fast", rows[0].Algorithm)
	require.InDelta(t, 103, rows[0].NS.Center, 1e-9)
	require.Equal(t, 1.0, rows[0].Times)
	require.InDelta(t, 110e-9, rows[0].Values["handoff-sec"], 1e-15)
	require.Equal(t, "a/same", rows[1].Algorithm)
	require.Greater(t, rows[1].P, 0.05)
	require.Equal(t, "a/slow", rows[2].Algorithm)
	require.InDelta(t, 2, rows[2].Times, 0.05)
	require.Less(t, rows[2].P, 0.01)
}

func TestMachine(t *testing.T) {
	r := New(results())
	require.InDeltaMapValues(t, map[string]float64{"transfer": 30, "clock": 28}, r.Machine, 1e-9)
	require.InDelta(t, 3.5, r.Null, 1e-9)
}

// TestNullOfTheBody: the null lock that is shown has the critical section of the first table.
func TestNullOfTheBody(t *testing.T) {
	touch := func(name string, ns float64) *benchfmt.Result {
		return bench.Line{Name: name + "/touch=1", Iterations: 1, Values: []bench.Value{{Value: ns, Unit: "ns/op"}}}.Result()
	}
	null := touch("Passage/alg=baseline-null/procs=1/cs=0/ncs=0", 2.5)
	require.InDelta(t, 3.5, New(append(results(), null)).Null, 1e-9)
	require.InDelta(t, 2.5, New([]*benchfmt.Result{null, touch("Passage/alg=a-fast/procs=2/cs=0/ncs=0", 90)}).Null, 1e-9)
}

func TestWrite(t *testing.T) {
	var out bytes.Buffer
	r := New(results())
	r.Pair = "0 and 1, cores of one package"
	require.NoError(t, r.WriteText(&out))
	require.Equal(t, `a/fast is the fastest with 1 process: no other lock was measured.
a/fast and a/same are within noise of the fastest with 2 processes.
a/fast is the fastest with 10 processes: no other lock was measured.
Null lock (the harness itself): 3.50 ns a passage. Cache-line transfer between two cores: 30.0 ns (processors 0 and 1, cores of one package).
The machine was quiet: the middle half of 7 transfers took 30.0 to 30.0 ns.

procs=1 cs=0 ncs=0, 7 samples each
  #  algorithm  ns/op   low  high  times  p  atomics
  1     a/fast   7.00  7.00  7.00   1.00  -     1.05

procs=2 cs=0 ncs=0, 7 samples each
  #  algorithm  ns/op  low  high  times      p  xfers  handoff
  1     a/fast    103  100   106   1.00      -   3.25      110
  2     a/same    103  100   106   1.00      ~      -        -
  3     a/slow    203  200   206   1.97  0.001   6.50        -

procs=10 cs=0 ncs=0, 7 samples each
  #  algorithm  ns/op   low  high  times  p
  1     a/fast   5000  5000  5000   1.00  -

Medians of all samples, times in ns. ns/op: wall time of a passage, all processes together; low, high: the 95% interval;
times: multiple of the first row; p: chance that the first row is ahead by luck alone (Mann-Whitney, Holm's correction
over the table; "~" from 1%); atomics: ns/op in units of the lock's own atomic operations; xfers: ns/op in units of a
cache-line transfer; handoff: time from Unlock to the next process's return from Lock.
`, out.String())

	out.Reset()
	require.NoError(t, New(nil).WriteText(&out))
	require.Equal(t, "No sample was taken.\n", out.String())
}

func TestNumber(t *testing.T) {
	got := ""
	for _, v := range []float64{0, 0.0012345, 0.25, 1, 12.345, 123.45, 98765.4} {
		got += fmt.Sprint(number(v), " ")
	}
	require.Equal(t, "0 0.001 0.250 1.00 12.3 123 98765 ", got)
}

// doubtful has a lock that is the fastest by samples of too few passages, one
// with one such sample of three, and one with none.
func TestDoubtfulSamplesAreNotRanked(t *testing.T) {
	var all []*benchfmt.Result
	add := func(alg string, ns float64, more ...bench.Value) {
		values := append([]bench.Value{{Value: ns, Unit: "ns/op"}}, more...)
		all = append(all, bench.Line{Name: "Passage/alg=a-" + alg + "/procs=2/cs=0/ncs=0", Iterations: 1, Values: values}.Result())
	}
	few := bench.Value{Value: 3, Unit: "least-passages"}
	for range 3 {
		add("few", 1, few)
		add("whole", 100)
	}
	add("once", 7, few)
	add("once", 200)
	add("once", 200)
	rows := New(all).Tables[0].Rows
	require.Equal(t, []string{"a/whole", "a/once", "a/few"}, []string{rows[0].Algorithm, rows[1].Algorithm, rows[2].Algorithm})
	require.InDelta(t, 200, rows[1].NS.Center, 1e-9, "without the sample of few passages")
	require.Equal(t, []bool{true, true, false}, []bool{rows[0].Ranked, rows[1].Ranked, rows[2].Ranked})
	var out bytes.Buffer
	require.NoError(t, New(all).WriteText(&out))
	require.Contains(t, out.String(), "\n  -      a/few   1.00    ?     ?      -  -\n")
	require.Contains(t, out.String(), "\n?: fewer than 6 samples have no interval.\n")
	require.Contains(t, out.String(), "\na/once, procs=2: 1 of 3 samples left out: a process made only 3 passages\n")
	require.Contains(t, out.String(), " 1 lock is not ranked: too many of its samples are doubtful.\n")
	require.Contains(t, out.String(), "\na/few, procs=2: 3 of 3 samples doubtful, and so the lock is not ranked: a process made only 3 passages\n")
}

// Samples are not left out where the rest would have no interval: of nine, as run takes
// them, five are too few.
func TestWhatIsRankedHasAnInterval(t *testing.T) {
	few := func(doubtful int) Row {
		var all []*benchfmt.Result
		for i := range 9 {
			values := []bench.Value{{Value: float64(100 + i), Unit: "ns/op"}}
			if i < doubtful {
				values = append(values, bench.Value{Value: 3, Unit: "least-passages"})
			}
			all = append(all, bench.Line{Name: "Passage/alg=a-a/procs=2/cs=0/ncs=0", Iterations: 1, Values: values}.Result())
		}
		return New(all).Tables[0].Rows[0]
	}
	for doubtful, ranked := range map[int]bool{0: true, 3: true, 4: false, 9: false} {
		row := few(doubtful)
		require.Equal(t, ranked, row.Ranked, doubtful)
		require.Equal(t, doubtful, row.Doubtful)
		require.False(t, math.IsInf(row.NS.Lo, 0), doubtful)
	}
}

// In an open loop the time of a passage is the gap between arrivals.
func TestAnOpenLoopIsRankedByLatency(t *testing.T) {
	var all []*benchfmt.Result
	add := func(alg string, ns, mean, reached float64) {
		all = append(all, bench.Line{Name: "Passage/alg=a-" + alg + "/procs=2/cs=0/ncs=0/rate=1000", Iterations: 1,
			Values: []bench.Value{{Value: ns, Unit: "ns/op"}, {Value: reached, Unit: "reached"}, {Value: mean, Unit: "mean-ns"}}}.Result())
	}
	for range 3 {
		add("quick", 500_001, 100, 1)
		add("slow", 500_000, 300, 0.99)
		add("drowned", 499_999, 50, 0.8)
	}
	table := New(all).Tables[0]
	require.Equal(t, "a/quick", table.Rows[0].Algorithm)
	require.InDelta(t, 100, table.Rows[0].NS.Center, 1e-9)
	require.InDelta(t, 3, table.Rows[1].Times, 1e-9)
	require.Equal(t, "a/drowned", table.Rows[2].Algorithm)
	var out bytes.Buffer
	require.NoError(t, New(all).WriteText(&out))
	require.Contains(t, out.String(), "procs=2 cs=0 ncs=0 rate=1000, 3 samples each, by mean latency\n")
	require.Contains(t, out.String(), "a/drowned, procs=2: 3 of 3 samples doubtful, and so the lock is not ranked: only 80% of the rate was reached, so that latency grows with -d\n")
}

// ranked are the rows of one table, of samples by algorithm.
func ranked(samples map[string][]float64) []Row {
	var all []*benchfmt.Result
	for alg, values := range samples {
		for _, ns := range values {
			all = append(all, bench.Line{Name: "Passage/alg=a-" + alg + "/procs=2/cs=0/ncs=0", Iterations: 1, Values: []bench.Value{{Value: ns, Unit: "ns/op"}}}.Result())
		}
	}
	return New(all).Tables[0].Rows
}

// Two that do not overlap with the first (p = 2/252 each) are two comparisons;
// two against one another are one.
func TestPValuesOfATableAreCorrected(t *testing.T) {
	rows := ranked(map[string][]float64{"x": {1, 2, 3, 4, 5}, "y": {6, 7, 8, 9, 10}, "z": {15, 16, 17, 18, 19}})
	require.Equal(t, 1.0, rows[0].P)
	require.InDelta(t, 4.0/252, rows[1].P, 1e-12)
	require.InDelta(t, 4.0/252, rows[2].P, 1e-12)
	rows = ranked(map[string][]float64{"x": {1, 2, 3, 4, 5}, "y": {6, 7, 8, 9, 10}})
	require.InDelta(t, 2.0/252, rows[1].P, 1e-12)
	require.Equal(t, []string{"-", "0.008"}, []string{rows[0].p(0), rows[1].p(1)})
	// The corrected values belong to their rows: 3/35 of y, the least of z.
	rows = ranked(map[string][]float64{"x": {1, 2, 3, 9}, "y": {4, 5, 6, 7}, "z": {15, 16, 17, 18}})
	require.InDelta(t, 24.0/70, rows[1].P, 1e-12)
	require.InDelta(t, 4.0/70, rows[2].P, 1e-12)
}

func TestPValueOfOnePercentIsNone(t *testing.T) {
	require.Equal(t, "~", Row{Ranked: true, P: 0.01}.p(1))
	require.Equal(t, "0.009", Row{Ranked: true, P: 0.0094}.p(1))
}

func TestSamplesOfATable(t *testing.T) {
	require.Equal(t, "1 sample", Table{Rows: []Row{{Samples: 1}}}.samples())
	require.Equal(t, "7 samples", Table{Rows: []Row{{Samples: 7}, {Samples: 7}}}.samples())
	require.Equal(t, "3 to 7 samples", Table{Rows: []Row{{Samples: 4}, {Samples: 7}, {Samples: 3}}}.samples())
}

// Every column has the values of its unit, in ns where the unit is a time.
func TestColumnsShowTheirUnits(t *testing.T) {
	var values []bench.Value
	var want []string
	for i, c := range []struct{ head, unit string }{
		{"atomics", "atomics/op"}, {"xfers", "xfers/op"}, {"handoff", "handoff-ns"}, {"mean", "mean-ns"}, {"p50", "p50-ns"},
		{"p99", "p99-ns"}, {"max", "max-ns"}, {"cpu", "cpu-ns/op"}, {"jain", "jain"}, {"short", "jain-short"},
		{"run", "longest-run"}, {"bypass", "bypass"},
	} {
		values = append(values, bench.Value{Value: float64(101 + i), Unit: c.unit})
		want = append(want, c.head)
	}
	values = append(values, bench.Value{Value: 100, Unit: "ns/op"}, bench.Value{Value: 9, Unit: "p90-ns"})
	line := bench.Line{Name: "Passage/alg=a-a/procs=2/cs=0/ncs=0", Iterations: 1, Values: values}
	var out bytes.Buffer
	require.NoError(t, New([]*benchfmt.Result{line.Result()}).WriteText(&out))
	var rows [][]string
	for text := range strings.Lines(out.String()) {
		rows = append(rows, strings.Fields(text))
	}
	head := slices.IndexFunc(rows, func(row []string) bool { return len(row) > 0 && row[0] == "#" })
	require.Equal(t, append([]string{"#", "algorithm", "ns/op", "low", "high", "times", "p"}, want...), rows[head])
	require.Equal(t, strings.Fields("1 a/a 100 ? ? 1.00 - 101 102 103 104 105 106 107 108 109 110 111 112"), rows[head+1])
}

// Tables are in the order of everything that a workload has.
func TestTablesAreInOrder(t *testing.T) {
	workloads := []string{"procs=1/cs=0/ncs=9", "procs=2/cs=0/ncs=9", "procs=2/cs=1/ncs=0", "procs=2/cs=1/ncs=5", "procs=2/cs=1/ncs=5/touch=1", "procs=2/cs=1/ncs=5/lines=1",
		"procs=2/cs=1/ncs=5/lines=2", "procs=10/cs=0/ncs=0/rate=5", "procs=10/cs=0/ncs=0/rate=50"}
	var all []*benchfmt.Result
	for _, i := range rand.Perm(len(workloads)) {
		all = append(all, bench.Line{Name: "Passage/alg=a-a/" + workloads[i], Iterations: 1,
			Values: []bench.Value{{Value: 1, Unit: "ns/op"}, {Value: 1, Unit: "mean-ns"}, {Value: 1, Unit: "reached"}}}.Result())
	}
	var got []string
	for _, table := range New(all).Tables {
		got = append(got, strings.ReplaceAll(table.Workload.String(), " ", "/"))
	}
	require.Equal(t, workloads, got)
}

// A lock is ranked by its good samples if most of them are.
func TestHalfOfTheSamplesAreNotMost(t *testing.T) {
	var all []*benchfmt.Result
	for i := range 4 {
		values := []bench.Value{{Value: 100, Unit: "ns/op"}}
		if i%2 == 0 {
			values = append(values, bench.Value{Value: 3, Unit: "least-passages"})
		}
		all = append(all, bench.Line{Name: "Passage/alg=a-a/procs=2/cs=0/ncs=0", Iterations: 1, Values: values}.Result())
	}
	require.False(t, New(all).Tables[0].Rows[0].Ranked)
}

func TestATransferThatNoHardwareTakes(t *testing.T) {
	for ns, doubted := range map[float64]bool{1999: false, 2001: true} {
		r := Report{Machine: map[string]float64{bench.Transfer: ns}}
		require.Equal(t, doubted, strings.Contains(r.transfers(), "which no hardware takes"), r.transfers())
		r = Report{Machine: map[string]float64{bench.TransferThreads: ns}}
		require.Equal(t, doubted, strings.Contains(r.transfers(), "which no hardware takes"), r.transfers())
	}
}
