package rank

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchmath"

	"shmbench/bench"
)

// many has locks at four numbers of processes; one has doubtful samples with 4.
func many(locks int) []*benchfmt.Result {
	var all []*benchfmt.Result
	for i := range locks {
		for _, procs := range []int{1, 2, 4, 8} {
			for sample := range 9 {
				values := []bench.Value{{Value: float64((100+10*i)*procs) + float64(sample)/10, Unit: "ns/op"}}
				if i == 3 && procs == 4 && sample < 2 {
					values = append(values, bench.Value{Value: 5, Unit: "least-passages"})
				}
				all = append(all, bench.Line{Name: fmt.Sprintf("Passage/alg=a-lock%02d/procs=%d/cs=0/ncs=0", i, procs), Iterations: 1, Values: values}.Result())
			}
		}
	}
	return all
}

// A ranking of many locks takes less than a screen, and says which samples are left out.
func TestAShortRanking(t *testing.T) {
	for _, locks := range []int{20, 60} {
		var out bytes.Buffer
		require.NoError(t, New(many(locks)).WriteShort(&out, "-long", View{}))
		lines := strings.Split(out.String(), "\n")
		require.Less(t, len(lines), 40)
		require.Contains(t, out.String(), "\n#   algorithm  procs=1")
		require.Regexp(t, `\n1   a/lock00   100 \[100, 101\] \*  +200 \[200, 201\] \*`, out.String())
		require.Contains(t, out.String(), "a/lock03, procs=4: 2 of 9 samples left out: a process made only 5 passages\n")
		require.Contains(t, out.String(), "-long shows every column")
		require.Equal(t, locks > mostLocks, strings.Contains(out.String(), " more\n"))
	}
}

// What fits on a screen, and what has no columns in common, is written table by table, in
// the columns that help to choose.
func TestAShortRankingOfLittle(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, New(results()).WriteShort(&out, "-long", View{}))
	require.Contains(t, out.String(), `
procs=2 cs=0 ncs=0, 7 samples each
  #  algorithm  ns/op  low  high  times      p  xfers
  1     a/fast    103  100   106   1.00      -   3.25
  2     a/same    103  100   106   1.00      ~      -
  3     a/slow    203  200   206   1.97  0.001   6.50
`)
	require.NotContains(t, out.String(), "handoff", "neither the column nor its explanation")
	require.Contains(t, out.String(), "; xfers: ns/op in units of a\ncache-line transfer.\n")
	require.True(t, strings.HasSuffix(out.String(), "-long shows every column.\n"))

	out.Reset()
	require.NoError(t, New(nil).WriteShort(&out, "-long", View{}))
	require.Equal(t, "No sample was taken.\n", out.String())
}

// ofKills are the units of a workload in which processes are killed, which has no others of
// the columns.
var ofKills = []string{"restart-sec", "recover-sec", "recover-max-sec"}

// wide has locks of long names at six numbers of processes, with intervals of many digits and
// every unit of a workload with or without kills, on a machine that was not quiet.
func wide(kills bool) []*benchfmt.Result {
	var all []*benchfmt.Result
	for i := range 20 {
		for p, procs := range []int{1, 2, 64, 128, 256, 512} {
			for sample := range 9 {
				values := []bench.Value{{Value: 1e6*float64(p+1) + float64(1e5*i*sample), Unit: "ns/op"}}
				for _, c := range columns {
					if slices.Contains(ofKills, c.unit) != kills {
						continue
					}
					values = append(values, bench.Value{Value: 12345678, Unit: strings.Replace(c.unit, "sec", "ns", 1)})
				}
				if i%2 == 0 && sample < 2 {
					values = append(values, bench.Value{Value: 5, Unit: "least-passages"})
				}
				name := fmt.Sprintf("Passage/alg=tournament-yanganderson-%02d-released/procs=%d/cs=0/ncs=0", i, procs)
				all = append(all, bench.Line{Name: name, Iterations: 1, Values: values}.Result())
			}
		}
	}
	return all
}

// No line of a short ranking has more than 120 characters, with and without plots, and of a
// full one the tables have more.
func TestAShortRankingIsNarrow(t *testing.T) {
	widest := func(text string) (most int) {
		for line := range strings.Lines(text) {
			most = max(most, len([]rune(strings.TrimSuffix(line, "\n"))))
		}
		return most
	}
	results := map[string]*Report{"six tables": New(wide(false)), "four tables": New(many(60)), "one table": New(wide(false)[:9]), "kills": New(wide(true)[:9]), "results": New(results())}
	for name, report := range results {
		report.Quiet = "The machine was NOT quiet: " + strings.Repeat("something else ran, ", 20)
		report.Noise = "other programs used 83 % of this machine"
		for _, view := range []View{{}, {Plots: true}} {
			var out bytes.Buffer
			require.NoError(t, report.WriteShort(&out, "-long", view))
			require.LessOrEqual(t, widest(out.String()), 120, "%s\n%s", name, out.String())
			require.Less(t, strings.Count(out.String(), "\n"), 40, "%s\n%s", name, out.String())
		}
	}
	var out bytes.Buffer
	require.NoError(t, New(wide(false)).WriteText(&out))
	require.Greater(t, widest(out.String()), 120)
}

// A plot stands beside each row on a terminal, and nowhere else; color comes with leave.
func TestPlots(t *testing.T) {
	draw := func(r *Report, view View) string {
		var out bytes.Buffer
		require.NoError(t, r.WriteShort(&out, "-long", view))
		return out.String()
	}
	few := New(results())
	require.NotContains(t, draw(few, View{}), "plot:")
	text := draw(few, View{Plots: true})
	require.Contains(t, text, `
  #  algorithm  ns/op  low  high  times      p  xfers  100                                  206
  1     a/fast    103  100   106   1.00      -   3.25  |-o|
  2     a/same    103  100   106   1.00      ~      -  |-o|
  3     a/slow    203  200   206   1.97  0.001   6.50                                       |o|
`)
	require.Contains(t, text, "plot: the interval and the median (o) on a logarithmic axis")
	require.NotContains(t, text, "\x1b")
	colored := draw(few, View{Plots: true, Color: true})
	require.Contains(t, colored, "~      -  \x1b[32m|-o|\x1b[0m\n")
	require.NotContains(t, colored, "3.25                                       \x1b")

	text = draw(New(many(20)), View{Plots: true})
	require.Regexp(t, `\n1 .*\* +=\n`, text)
	require.Regexp(t, `\n20 .*\] +={30,40}\n`, text)
	require.Contains(t, text, "The bars show that mean on a logarithmic axis.")
}

// TestPlotsOfFewSamples: the plot of a median without an interval goes from one end of the axis
// to the other.
func TestPlotsOfFewSamples(t *testing.T) {
	var out bytes.Buffer
	var few []*benchfmt.Result
	for lock, ns := range map[string]float64{"a-fast": 50, "a-slow": 100} {
		few = append(few, bench.Line{Name: "Passage/alg=" + lock + "/procs=2/cs=0/ncs=0", Iterations: 1, Values: []bench.Value{{Value: ns, Unit: "ns/op"}}}.Result())
	}
	require.NoError(t, New(few).WriteShort(&out, "-long", View{Plots: true}))
	require.Regexp(t, `a/fast .* o-+\|\n`, out.String())
	require.Regexp(t, `a/slow .* \|-+o\n`, out.String())
}

// The first line is the answer.
func TestAnswers(t *testing.T) {
	require.Equal(t, []string{
		"a/fast is the fastest with 1 process: no other lock was measured.",
		"a/fast and a/same are within noise of the fastest with 2 processes.",
		"a/fast is the fastest with 10 processes: no other lock was measured.",
	}, New(results()).Answers())
	require.Equal(t, "a/lock00 is the fastest with 1 process; no other lock is within noise of it.", New(many(4)).Answers()[0])

	samples := map[string][]float64{"sec/op": make([]float64, 9)}
	row := func(name string, p float64) Row {
		return Row{Algorithm: name, Ranked: true, Times: 1.1, P: p, All: samples}
	}
	best := Row{Algorithm: "a", Ranked: true, Times: 1, P: 1, All: samples}
	load := bench.Workload{Procs: 2, CS: 100}
	answer := func(traits []Trait, rows ...Row) string {
		return Table{load, append([]Row{best}, rows...)}.answer(place(load, load), traits)
	}
	require.Equal(t, "a, b and c are within noise of the fastest with 2 processes (cs=100 ncs=0).",
		answer(nil, row("b", 0.5), row("c", 0.5), row("d", 0.001)))
	four := []Row{row("b", 0.5), row("c", 0.5), row("d", 0.5), row("e", 0.001)}
	require.Equal(t, "4 locks are within noise of the fastest with 2 processes (cs=100 ncs=0); among them are a, b and c.", answer(nil, four...))
	has := func(names string) func(string) bool {
		return func(name string) bool { return strings.Contains(names, name) }
	}
	require.Equal(t, "4 locks are within noise of the fastest with 2 processes (cs=100 ncs=0); of these, c is first-come-first-served, a and d sleep.",
		answer([]Trait{{"is first-come-first-served", "are first-come-first-served", has("ce")}, {"is the same", "are the same", has("c")},
			{"is e", "are e", has("e")}, {"is any", "are any", has("abcd")}, {"sleeps", "sleep", has("ade")}}, four...))
	require.Equal(t, "No lock is ranked with 2 processes (cs=100 ncs=0): too many samples are doubtful.",
		Table{load, []Row{{Algorithm: "a"}}}.answer(place(load, load), nil))
}

// Samples that are too few for any difference are no reason to call a lock as fast as another:
// the answer says so, and how many are enough.
func TestTooFewSamplesAreNoAnswer(t *testing.T) {
	report := func(samples, locks int) *Report {
		var all []*benchfmt.Result
		for lock := range locks {
			for sample := range samples {
				ns := float64(1000*lock + sample + 1)
				all = append(all, bench.Line{Name: fmt.Sprintf("Passage/alg=a-lock%03d/procs=2/cs=0/ncs=0", lock), Iterations: 1, Values: []bench.Value{{Value: ns, Unit: "ns/op"}}}.Result())
			}
		}
		return New(all)
	}
	const clear = "a/lock000 is the fastest with 2 processes; no other lock is within noise of it."
	require.Equal(t, []string{"a/lock000 has the lowest median with 2 processes, but the samples are too few to say which of 3 locks is the fastest: take 6 of each."},
		report(2, 3).Answers())
	require.Equal(t, []string{clear}, report(6, 3).Answers())
	require.Contains(t, report(9, 245).Answers()[0], "too few to say which of 245 locks is the fastest: take 10 of each.")
	require.Equal(t, []string{clear}, report(9, 244).Answers())
	require.Equal(t, []string{clear}, report(10, 245).Answers())
}

// swept has locks at nine lengths of the critical section. The second overtakes the first at
// 200 ns, and has doubtful samples at 5 µs.
func swept(locks int) []*benchfmt.Result {
	var all []*benchfmt.Result
	for i := range locks {
		for _, cs := range []int{0, 20, 50, 100, 200, 500, 1000, 2000, 5000} {
			for sample := range 9 {
				ns := float64(1000+100*i) + float64(sample)/10
				if i == 1 && cs >= 200 {
					ns -= 500
				}
				values := []bench.Value{{Value: ns, Unit: "ns/op"}}
				if i == 1 && cs == 5000 && sample < 2 {
					values = append(values, bench.Value{Value: 5, Unit: "least-passages"})
				}
				all = append(all, bench.Line{Name: fmt.Sprintf("Passage/alg=tournament-yanganderson%02d/procs=2/cs=%d/ncs=0", i, cs), Iterations: 1, Values: values}.Result())
			}
		}
	}
	return all
}

// A sweep of a section's length is one table, with a column for each step, below the answer:
// where each lock is the fastest.
func TestASweepHasAnAnswer(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, New(swept(20)).WriteShort(&out, "-long", View{}))
	text := out.String()
	require.True(t, strings.HasPrefix(text, `tournament/yanganderson00 is the fastest with 2 processes (cs=0 to 100 ncs=0); no other lock is within noise of it.
tournament/yanganderson01 is the fastest with 2 processes (cs=200 to 5000 ncs=0); no other lock is within noise of it.
`), text)
	require.Contains(t, text, "\nprocs=2 ncs=0: median ns of a passage, all processes together\n")
	require.Regexp(t, `\n# +algorithm +cs=0 +cs=20 +cs=50 +cs=100 +cs=200 +cs=500 +cs=1000 +cs=2000 +cs=5000\n`, text)
	require.Contains(t, text, "tournament/yanganderson01, cs=5000: 2 of 9 samples left out: a process made only 5 passages\n")
	require.Less(t, strings.Count(text, "\n"), 40, text)
	for line := range strings.Lines(text) {
		require.LessOrEqual(t, len([]rune(line)), 121, text)
	}
}

// Where many tables have no columns in common, and with every column, the answer comes last.
func TestTheAnswerComesLastAfterManyTables(t *testing.T) {
	last := "tournament/yanganderson01 is the fastest with 2 processes (cs=200 to 5000 ncs=0); no other lock is within noise of it.\n"
	var long, short bytes.Buffer
	require.NoError(t, New(swept(3)).WriteText(&long))
	require.True(t, strings.HasSuffix(long.String(), last), long.String())
	mixed := append(swept(3), bench.Line{Name: "Passage/alg=a-a/procs=1/cs=0/ncs=0/lines=3", Iterations: 1, Values: []bench.Value{{Value: 1, Unit: "ns/op"}}}.Result())
	require.NoError(t, New(mixed).WriteShort(&short, "-long", View{}))
	require.True(t, strings.HasSuffix(short.String(), last), short.String())
}

// TestCellsOfASummary: a row says its median and interval, and whether it is the best or
// doubtful.
func TestCellsOfASummary(t *testing.T) {
	inf := math.Inf(1)
	of := func(low, center, high float64) *Row {
		return &Row{NS: benchmath.Summary{Center: center, Lo: low, Hi: high}, Ranked: true, Times: 2, P: 0.001}
	}
	for _, c := range []struct {
		row              *Row
		spread, interval string
	}{
		{of(190, 200, 204), "200 ±5%", "200 [190, 204]"},
		{of(198, 200, 220), "200 ±10%", "200 [198, 220]"},
		{of(200, 200, 200), "200 ±0%", "200 [200, 200]"},
		{of(-inf, 200, inf), "200 ±?", ""},
		{of(0, 0, 0), number(0) + " ±?", ""},
	} {
		require.Equal(t, c.spread, c.row.spread())
		if c.interval != "" {
			require.Equal(t, c.interval, c.row.interval())
		}
		require.Empty(t, c.row.mark())
	}
	best, doubtful := of(1, 2, 3), of(1, 2, 3)
	best.Times, doubtful.Times, doubtful.Ranked = 1, 1, false
	require.Equal(t, " *", best.mark())
	require.Equal(t, " !", doubtful.mark())
}

// TestALockWithoutEveryColumn: a lock that lacks a number of processes has no place and a dash
// in that column. It has no bar.
func TestALockWithoutEveryColumn(t *testing.T) {
	r := &Report{Tables: []Table{{Workload: bench.Workload{Procs: 1}}, {Workload: bench.Workload{Procs: 2}}}}
	row := &Row{Ranked: true, Times: 3, P: 0.001}
	locks := []summed{{name: "a/first", rows: []*Row{row, row}, everywhere: true, score: math.Log(2)}, {name: "a/next", rows: []*Row{row, row}, everywhere: true, score: math.Log(3)}, {name: "a/pair", rows: []*Row{nil, row}}}
	require.Equal(t, [][]string{{"#", "algorithm", "procs=1", "procs=2"}, {"1", "a/first", "cell", "cell"}, {"2", "a/next", "cell", "cell"}, {"-", "a/pair", "-", "cell"}},
		fields(r.summaryCells(locks, "procs", func(*Row) string { return "cell" })))
	drawn := bars(locks)
	require.InDelta(t, 2, drawn[0].median, 1e-9)
	require.InDelta(t, 3, drawn[1].median, 1e-9)
	require.True(t, drawn[0].bar && drawn[1].bar)
	require.Equal(t, green, drawn[0].color)
	require.NotEqual(t, green, drawn[1].color)
	require.Equal(t, plot{}, drawn[2])
}

func fields(lines []string) (all [][]string) {
	for _, l := range lines {
		all = append(all, strings.Fields(l))
	}
	return all
}

// TestColumns: the explanation has a line for each column.
func TestColumns(t *testing.T) {
	lines := strings.Split(strings.TrimSuffix(Columns(), "\n"), "\n")
	require.Len(t, lines, 5+len(columns))
	require.Equal(t, "ns/op      "+fixed["ns/op"], lines[0])
	for i, c := range columns {
		require.Equal(t, fmt.Sprintf("%-9s  %s", c.head, c.meaning), lines[5+i])
		require.NotEmpty(t, c.meaning, c.head)
	}
}
