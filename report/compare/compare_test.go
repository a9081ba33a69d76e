package compare_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/perf/benchfmt"

	"shmbench/bench/benchfile"
	"shmbench/report/compare"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// file is a file of results, samples of each benchmark, base plus 0, 1, 2...
func file(t *testing.T, name, config string, samples int, base map[string]int) *benchfile.File {
	t.Helper()
	var text strings.Builder
	fmt.Fprintf(&text, "Unit ns/op better=lower\nUnit jain better=higher\n%s\n", config)
	for _, benchmark := range []string{"Machine/op=transfer", "Passage/alg=a-a/procs=2", "Passage/alg=a-b/procs=2", "Passage/alg=a-c/procs=2"} {
		for i := range samples {
			if ns, ok := base[benchmark]; ok {
				fmt.Fprintf(&text, "Benchmark%s 1 %d ns/op 0.%d jain\n", benchmark, ns+i, ns+i)
			}
		}
	}
	f, err := benchfile.Read(strings.NewReader(text.String()), name)
	require.NoError(t, err)
	return f
}

func two(t *testing.T, samples int) []*benchfile.File {
	return []*benchfile.File{
		file(t, "old", "cpu: x\nwait: busy\ncommit: 1\n", samples, map[string]int{
			"Machine/op=transfer": 30, "Passage/alg=a-a/procs=2": 100, "Passage/alg=a-b/procs=2": 200, "Passage/alg=a-c/procs=2": 300}),
		file(t, "new", "cpu: x\nwait: yield\n", samples, map[string]int{
			"Machine/op=transfer": 90, "Passage/alg=a-a/procs=2": 101, "Passage/alg=a-b/procs=2": 300}),
	}
}

func TestCompare(t *testing.T) {
	r, err := compare.Files(two(t, 8), []string{"ns/op"})
	require.NoError(t, err)
	require.Equal(t, []compare.Difference{
		{Key: "wait", Values: []string{"busy", "yield"}},
		{Key: "commit", Values: []string{"1", ""}, Provenance: true},
	}, r.Differences)

	rows := r.Tables[0].Rows
	require.Len(t, rows, 2, "what is in both files, and no machine")
	a, b := rows[0].Cells[1], rows[1].Cells[1]
	require.Equal(t, "Passage/alg=a-b/procs=2", rows[1].Name)
	require.InDelta(t, 303.5/203.5-1, float64(b.Change), 1e-9)
	require.Less(t, b.P, 0.01)
	require.Greater(t, a.P, 0.05)
	require.Len(t, r.Machine.Rows, 1)

	require.Equal(t, []string{"Passage/alg=a-b/procs=2"}, r.Regressions(0.05))
	require.Empty(t, r.Regressions(0.60), "it is not so much worse")
}

func TestBetterIsNoRegression(t *testing.T) {
	files := two(t, 8)
	files[0], files[1] = files[1], files[0]
	r, err := compare.Files(files, []string{"ns/op"})
	require.NoError(t, err)
	require.Empty(t, r.Regressions(0.05))
	// Of fairness, more is better.
	r, err = compare.Files(files, []string{"jain"})
	require.NoError(t, err)
	require.Equal(t, []string{"Passage/alg=a-b/procs=2"}, r.Regressions(0.05))
}

func TestNamesOfGoTestAreTheSame(t *testing.T) {
	r, err := compare.Files([]*benchfile.File{lines(t, "a", "gomaxprocs: 2\n"+values("A", "ns/op", 1, 2)), lines(t, "b", values("A-8", "ns/op", 3, 4))}, nil)
	require.NoError(t, err)
	require.Len(t, r.Tables[0].Rows, 1)
	require.Equal(t, "A", r.Tables[0].Rows[0].Name)
	require.Equal(t, []compare.Difference{{Key: "gomaxprocs", Values: []string{"2", "8"}}}, r.Differences)
}

// What "go test -cpu 1,2,4" prints is three benchmarks, here and in a file of one
// of them; the samples of different GOMAXPROCS are never pooled.
func TestGOMAXPROCSIsComparedWithItself(t *testing.T) {
	three := values("A/b=1", "ns/op", 10, 11, 12) + values("A/b=1-2", "ns/op", 370, 371, 372) + values("A/b=1-4", "ns/op", 9000, 9001, 9002)
	names := func(files ...*benchfile.File) (all []string, medians []float64) {
		r, err := compare.Files(files, nil)
		require.NoError(t, err)
		for _, row := range r.Tables[0].Rows {
			all, medians = append(all, row.Name), append(medians, row.Cells[0].Median*1e9)
		}
		return all, medians
	}
	all, medians := names(lines(t, "a", three), lines(t, "b", three))
	require.Equal(t, []string{"A/b=1", "A/b=1-2", "A/b=1-4"}, all)
	require.InDeltaSlice(t, []float64{11, 371, 9001}, medians, 1e-6)
	all, medians = names(lines(t, "a", three), lines(t, "b", "gomaxprocs: 2\n"+values("A/b=1", "ns/op", 380, 381)))
	require.Equal(t, []string{"A/b=1-2"}, all)
	require.InDeltaSlice(t, []float64{371}, medians, 1e-6)

	r, err := compare.Files([]*benchfile.File{lines(t, "a", three), lines(t, "b", three)}, nil)
	require.NoError(t, err)
	require.Empty(t, r.Differences)
}

func TestThreeSamplesAreTooFew(t *testing.T) {
	r, err := compare.Files(two(t, 3), []string{"ns/op"})
	require.NoError(t, err)
	require.Empty(t, r.Regressions(0.05))
	var out bytes.Buffer
	require.NoError(t, r.WriteText(&out))
	require.Contains(t, out.String(), "  (samples: 3)  ")
	require.Contains(t, out.String(), "\nFewer than 6 samples have no interval.\n")
	require.NotContains(t, out.String(), "?")
	text, err := json.Marshal(r)
	require.NoError(t, err)
	require.Contains(t, string(text), `"low":null,"high":null`)
	require.Contains(t, out.String(), "Too few samples: among 2 comparisons a difference shows from 6 samples on.")
}

// A model beside a measurement is pointed out; two models are like any two files.
func TestModels(t *testing.T) {
	base := map[string]int{"Passage/alg=a-a/procs=2": 100}
	measured, model := file(t, "measured", "cpu: x\n", 8, base), file(t, "predicted", "model: m\n", 1, base)
	r, err := compare.Files([]*benchfile.File{measured, model}, nil)
	require.NoError(t, err)
	require.Equal(t, []compare.Model{{File: "predicted", Model: "m"}}, r.Models)
	var out bytes.Buffer
	require.NoError(t, r.WriteText(&out))
	require.Contains(t, out.String(), "\npredicted was not measured: it is of a model, m. What differs may be the model's error.\n")
	for _, same := range []*benchfile.File{measured, model} {
		r, err = compare.Files([]*benchfile.File{same, same}, nil)
		require.NoError(t, err)
		require.Empty(t, r.Models)
	}
}

func TestCompareRefuses(t *testing.T) {
	files := two(t, 2)
	_, err := compare.Files(files[:1], []string{"ns/op"})
	require.ErrorContains(t, err, "two files or more")
	_, err = compare.Files(files, []string{"furlongs"})
	require.ErrorContains(t, err, "no benchmark with a value in furlongs in common")
}

func TestGolden(t *testing.T) {
	r, err := compare.Files(two(t, 8), []string{"ns/op", "jain"})
	require.NoError(t, err)
	var out bytes.Buffer
	require.NoError(t, r.WriteText(&out))
	golden := filepath.Join("testdata", "two.golden")
	if *update {
		require.NoError(t, os.WriteFile(golden, out.Bytes(), 0o666))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	require.Equal(t, string(want), out.String())
}

func TestSamplesOfFewPassagesAreLeftOut(t *testing.T) {
	files := two(t, 8)
	few := files[1].Results[len(files[1].Results)-1]
	few.Values = append(few.Values, benchfmt.Value{Value: 3, Unit: "least-passages"})
	r, err := compare.Files(files, []string{"ns/op"})
	require.NoError(t, err)
	require.Equal(t, 1, r.Tables[0].LeftOut)
	require.Equal(t, 7, r.Tables[0].Rows[1].Cells[1].Samples)
	var out bytes.Buffer
	require.NoError(t, r.WriteText(&out))
	require.Contains(t, out.String(), "\n1 sample is left out:\n  Passage/alg=a-b/procs=2 in new: 1: a process made only 3 passages\n")
}

// lines is a file of the lines of text.
func lines(t *testing.T, name, text string) *benchfile.File {
	t.Helper()
	f, err := benchfile.Read(strings.NewReader("Unit ns/op better=lower\nUnit acq/s better=higher\n"+text), name)
	require.NoError(t, err)
	return f
}

// values are the lines of a benchmark with these values.
func values(name, unit string, vs ...float64) string {
	text := ""
	for _, v := range vs {
		text += fmt.Sprintf("Benchmark%s 1 %v %s\n", name, v, unit)
	}
	return text
}

// Configuration that has several values within a file is a part of the names, and
// differs if the files do not have the same values. Provenance has one value.
func TestKeysThatVaryWithinAFile(t *testing.T) {
	a := lines(t, "a", "# format: shmbench results 2\n# ended: complete\ncpu: x\nwait: busy\ngo: 1\n"+values("A", "ns/op", 1, 2)+"cpu: y\nwait: yield\ngo: 2\n"+values("A", "ns/op", 3))
	b := lines(t, "b", "cpu: x\nwait: yield\ngo: 1\n"+values("A", "ns/op", 3)+"wait: busy\ngo: 2\n"+values("A", "ns/op", 1, 2))
	r, err := compare.Files([]*benchfile.File{a, b}, []string{"ns/op"})
	require.NoError(t, err)
	require.Equal(t, []compare.Difference{
		{Key: "cpu", Values: []string{"x and y", "x"}},
		{Key: "go", Values: []string{"1 and 2", "1 and 2"}, Provenance: true},
	}, r.Differences)
	require.Len(t, r.Tables[0].Rows, 1)
	require.Equal(t, "A cpu=x wait=busy", r.Tables[0].Rows[0].Name)
	require.Equal(t, 2, r.Tables[0].Rows[0].Cells[1].Samples)
	r, err = compare.Files([]*benchfile.File{b, a}, []string{"ns/op"})
	require.NoError(t, err)
	require.Equal(t, []string{"x", "x and y"}, r.Differences[0].Values)
}

// The specification of a lock that only one file has is no difference, and another
// specification of the same lock is one.
func TestSpecifications(t *testing.T) {
	a := lines(t, "a", "# lock/mine: {1}\n# lock/yours: {2}\n"+values("A", "ns/op", 1, 2))
	b := lines(t, "b", "# lock/mine: {3}\n"+values("A", "ns/op", 1, 2))
	r, err := compare.Files([]*benchfile.File{a, b}, []string{"ns/op"})
	require.NoError(t, err)
	require.Equal(t, []compare.Difference{{Key: "lock/mine", Values: []string{"{1}", "{3}"}, Provenance: true}}, r.Differences)
}

// Three comparisons of five against five values: two that do not overlap at all
// (p = 2/252) and one with p = 4/252. Holm's correction makes them 6/252, 6/252
// and, as it is no less than those, 6/252.
func TestPValuesAreCorrected(t *testing.T) {
	var texts [2]string
	for i, better := range [][]float64{{1, 2, 3, 4, 5}, {6, 7, 8, 9, 10}} {
		texts[i] = values("A", "ns/op", better...) + values("B", "ns/op", better...)
	}
	texts[0] += values("C", "ns/op", 1, 2, 3, 4, 6)
	texts[1] += values("C", "ns/op", 5, 7, 8, 9, 10)
	r, err := compare.Files([]*benchfile.File{lines(t, "a", texts[0]), lines(t, "b", texts[1])}, []string{"ns/op"})
	require.NoError(t, err)
	for _, row := range r.Tables[0].Rows {
		require.InDelta(t, 6.0/252, row.Cells[1].P, 1e-12, row.Name)
		require.Zero(t, row.Cells[0].P, row.Name)
	}
	require.Empty(t, r.Regressions(0.05), "alone each of the first two would be one")

	alone, err := compare.Files([]*benchfile.File{lines(t, "a", values("A", "ns/op", 1, 2, 3, 4, 5)), lines(t, "b", values("A", "ns/op", 6, 7, 8, 9, 10))}, []string{"ns/op"})
	require.NoError(t, err)
	require.InDelta(t, 2.0/252, alone.Tables[0].Rows[0].Cells[1].P, 1e-12)
	require.Equal(t, []string{"A"}, alone.Regressions(0.05))
}

// Ties and unequal counts: what p-values by x/perf called a regression.
func TestTiesAreNoRegression(t *testing.T) {
	a, b := lines(t, "a", values("A", "acq/s", 1, 1, 1, 1)), lines(t, "b", values("A", "acq/s", 0.5, 0.5, 1))
	for _, files := range [][]*benchfile.File{{a, b}, {b, a}} {
		r, err := compare.Files(files, []string{"acq/s"})
		require.NoError(t, err)
		require.InDelta(t, 2.0/7, r.Tables[0].Rows[0].Cells[1].P, 1e-12)
		require.Empty(t, r.Regressions(0.05))
	}
}

// A regression is worse by more than the threshold, in the unit's direction, in
// any of the files, and each of several is named.
func TestRegressions(t *testing.T) {
	six := func(ns, rate float64) string {
		text := ""
		for i := range 6 {
			d := float64(i) / 100
			text += fmt.Sprintf("BenchmarkA 1 %v ns/op %v acq/s\n", ns+d, rate+d)
		}
		return text
	}
	base, same, slower, fewer := lines(t, "base", six(100, 100)), lines(t, "same", six(100, 100)), lines(t, "slower", six(110, 100)), lines(t, "fewer", six(100, 90))
	of := func(threshold float64, units []string, files ...*benchfile.File) []string {
		r, err := compare.Files(files, units)
		require.NoError(t, err)
		return r.Regressions(threshold)
	}
	both := []string{"ns/op", "acq/s"}
	require.Empty(t, of(0.05, both, base, same))
	require.Equal(t, []string{"A"}, of(0.05, both, base, slower))
	require.Empty(t, of(0.11, both, base, slower))
	require.Empty(t, of(0.05, both, slower, base))
	require.Equal(t, []string{"A"}, of(0.05, both, base, fewer))
	require.Empty(t, of(0.11, both, base, fewer))
	require.Empty(t, of(0.05, both, fewer, base))
	require.Equal(t, []string{"A"}, of(0.05, []string{"ns/op"}, base, same, slower), "in the third file")
	require.Equal(t, []string{"A"}, of(0.05, []string{"ns/op"}, base, slower, slower), "named once")
	exactly := lines(t, "exactly", values("A", "ns/op", 150, 150, 150, 150, 150, 150))
	hundred := lines(t, "hundred", values("A", "ns/op", 100, 100, 100, 100, 100, 100))
	require.Empty(t, of(0.5, []string{"ns/op"}, hundred, exactly), "by no more than the threshold")
}

// Without units a benchmark is compared by the unit of its rank: in an open loop
// ns/op is the gap between arrivals, whatever the lock does.
func TestOpenLoopsAreComparedByLatency(t *testing.T) {
	const closed, open = "Passage/alg=a-a/procs=2/cs=0/ncs=0", "Passage/alg=a-a/procs=2/cs=0/rate=1000"
	of := func(name string, ns, latency float64) string {
		text := "Unit mean-ns better=lower\n"
		for i := range 6 {
			d := float64(i) / 100
			text += fmt.Sprintf("Benchmark%s 1 %v ns/op %v mean-ns\n", name, ns+d, latency+d)
		}
		return text
	}
	both := lines(t, "both", of(closed, 100, 500)+of(open, 1000, 50))
	// The closed loop waits longer, and the open one's gaps are longer.
	other := lines(t, "other", of(closed, 100, 900)+of(open, 1500, 50))
	slower := lines(t, "slower", of(closed, 100, 500)+of(open, 1000, 70))
	r, err := compare.Files([]*benchfile.File{both, other, slower}, nil)
	require.NoError(t, err)
	require.Equal(t, []string{open}, r.Regressions(0.05))
	require.Len(t, r.Tables, 2)
	for i, want := range []struct{ unit, name string }{{"sec/op", closed}, {"mean-sec", open}} {
		require.Equal(t, want.unit, r.Tables[i].Unit)
		require.Len(t, r.Tables[i].Rows, 1)
		require.Equal(t, want.name, r.Tables[i].Rows[0].Name)
	}
	require.Greater(t, r.Tables[1].Rows[0].Cells[1].P, 0.05, "the gap is not compared")

	// Asked for, a unit is compared of all.
	r, err = compare.Files([]*benchfile.File{both, other}, []string{"ns/op"})
	require.NoError(t, err)
	require.Equal(t, []string{open}, r.Regressions(0.05))

	// One sort alone has one table, and with nothing in common there is none.
	alone := lines(t, "alone", of(open, 1000, 50))
	r, err = compare.Files([]*benchfile.File{alone, slower}, nil)
	require.NoError(t, err)
	require.Len(t, r.Tables, 1)
	require.Equal(t, []compare.Missing{{Name: closed, Unit: "sec/op", In: []string{"slower"}}}, r.Missing)
	_, err = compare.Files([]*benchfile.File{alone, lines(t, "another", of(closed, 1, 1))}, nil)
	require.EqualError(t, err, "the files have no benchmark with a value in ns/op in common: alone has "+open+", another has "+closed)

	// A unit that is in no file, or a typing error, is answered by those that are in all.
	_, err = compare.Files([]*benchfile.File{both, other}, []string{"ns"})
	require.EqualError(t, err, "the files have no benchmark with a value in ns in common; units of all files: mean-ns, ns/op")
}

// A change from nothing to something has no percentage.
func TestFromZero(t *testing.T) {
	r, err := compare.Files([]*benchfile.File{
		lines(t, "a", values("A", "ns/op", 0, 0, 0, 0, 0, 0)), lines(t, "b", values("A", "ns/op", 3, 3, 3, 3, 3, 3)),
	}, []string{"ns/op"})
	require.NoError(t, err)
	var out bytes.Buffer
	require.NoError(t, r.WriteText(&out))
	require.Regexp(t, `from 0 +0\.002\n`, out.String())
}

// Too few are the samples of both: three against many can differ, two cannot.
func TestTooFewOfOneFile(t *testing.T) {
	many := make([]float64, 40)
	for i := range many {
		many[i] = float64(i)
	}
	few := lines(t, "few", values("A", "ns/op", 101, 102, 103))
	for _, c := range []struct {
		files []*benchfile.File
		warns bool
	}{
		{[]*benchfile.File{few, lines(t, "many", values("A", "ns/op", many...))}, false},
		{[]*benchfile.File{few, few}, true},
	} {
		r, err := compare.Files(c.files, []string{"ns/op"})
		require.NoError(t, err)
		var out bytes.Buffer
		require.NoError(t, r.WriteText(&out))
		require.Equal(t, c.warns, strings.Contains(out.String(), "Too few samples"), out.String())
	}
}

// The report says what to do about too few samples, and what is in which file.
func TestTextOfManyFiles(t *testing.T) {
	var files []*benchfile.File
	for i := range 28 {
		files = append(files, lines(t, fmt.Sprint("file", i), values("A", "ns/op", 1, 2, 3)))
	}
	r, err := compare.Files(files, []string{"ns/op"})
	require.NoError(t, err)
	var out bytes.Buffer
	require.NoError(t, r.WriteText(&out))
	require.Contains(t, out.String(), "\nZ: file25\nA1: file26\nB1: file27\n")
	require.Contains(t, out.String(), "Too few samples: among 27 comparisons a difference shows from 8 samples on.")
}

// TestUndecided: a benchmark is undecided if a file lacks it, or if it has too few samples for
// any difference to be significant.
func TestUndecided(t *testing.T) {
	for samples, want := range map[int][]string{
		3: {"Passage/alg=a-a/procs=2", "Passage/alg=a-b/procs=2", "Passage/alg=a-c/procs=2"},
		4: {"Passage/alg=a-a/procs=2", "Passage/alg=a-b/procs=2", "Passage/alg=a-c/procs=2"},
		8: {"Passage/alg=a-c/procs=2"},
	} {
		r, err := compare.Files(two(t, samples), []string{"ns/op"})
		require.NoError(t, err)
		require.Equal(t, want, r.Undecided(), "%d samples", samples)
	}
}

// TestUndecidedByTheBase: few samples of the first file leave a benchmark undecided, however many
// another file has.
func TestUndecidedByTheBase(t *testing.T) {
	for _, c := range []struct {
		base, other int
		undecided   bool
	}{{2, 5, true}, {5, 2, true}, {5, 5, false}, {3, 9, false}} {
		of := func(name string, samples int) *benchfile.File {
			return lines(t, name, values("A", "ns/op", []float64{1, 2, 3, 4, 5, 6, 7, 8, 9}[:samples]...))
		}
		r, err := compare.Files([]*benchfile.File{of("old", c.base), of("new", c.other)}, []string{"ns/op"})
		require.NoError(t, err)
		require.Equal(t, c.undecided, len(r.Undecided()) == 1, "%+v", c)
	}
}
