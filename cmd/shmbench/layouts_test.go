package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/perf/benchfmt"

	"shmbench/bench"
	"shmbench/catalog"
	"shmbench/internal/testkit/sample"
	"shmbench/report/rank"
	"shmbench/shm"
)

// layoutResults has locks with two processes. The other layout is clearly faster for one lock, and the
// default layout for another lock. The layouts of a third lock cannot be told apart, and a fourth lock
// has one layout. With one process and with work, the opposite holds.
func layoutResults(t *testing.T) (text string, results []*benchfmt.Result) {
	text = "Unit ns/op better=lower\ncores: 2\nwait: pause-yield\n\n"
	add := func(name string, ns float64) {
		text += fmt.Sprintf("Benchmark%s 1000 %g ns/op\n", name, ns)
		results = append(results, bench.Line{Name: name, Iterations: 1000, Values: []bench.Value{{Value: ns, Unit: "ns/op"}}}.Result())
	}
	for i := range 9 {
		drift := float64(i)
		for op, ns := range map[string]float64{"transfer": 30, "swap-uint32": 6, "load-uint32": 0.5} {
			add("Machine/op="+op, ns)
		}
		for lock, ns := range map[string]float64{"queue-mcs": 100, "queue-mcs-padded": 50, "queue-clh": 101, "queue-clh-packed": 100,
			"queue-anderson": 200, "queue-anderson-packed": 400, "queue-twa": 300} {
			add("Passage/alg="+lock+"/procs=2/cs=0/ncs=0", ns+drift)
			add("Passage/alg="+lock+"/procs=1/cs=0/ncs=0", 1000-ns+drift)
			add("Passage/alg="+lock+"/procs=2/cs=9/ncs=0", 1000-ns+drift)
		}
	}
	return text, results
}

// TestLayoutFor: a layout is recommended by the measurement where there is one, and by the
// model where there is none.
func TestLayoutFor(t *testing.T) {
	sample.NeedsAll(t)
	dir := t.TempDir()
	path := filepath.Join(dir, "run.txt")
	text, _ := layoutResults(t)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	ask := func(locks string, args ...string) map[string]advice {
		out, diag, code := shmbench(t.Context(), append([]string{"list", "-json", "-alg", "^queue/(" + locks + ")$", "-layout-for"}, args...)...)
		require.Equal(t, exitHolds, code, diag)
		var all []advice
		decode(t, out, &all)
		found := map[string]advice{}
		for _, a := range all {
			found[a.Lock] = a
		}
		return found
	}
	// Only the model takes time.
	for name, locks := range map[string]string{path: "mcs|clh|anderson|twa", dir: "mcs|clh|anderson"} {
		found := ask(locks, name)
		require.Equal(t, advice{Lock: "queue/mcs", Layout: "padded", Variant: "queue/mcs-padded", How: "measured", Source: path, Ratio: 104.0 / 54, Procs: 2}, rounded(found["queue/mcs"], 104.0/54))
		require.Equal(t, []string{"either", "queue/clh", "measured"}, []string{found["queue/clh"].Layout, found["queue/clh"].Variant, found["queue/clh"].How})
		require.Equal(t, []string{"padded", "queue/anderson"}, []string{found["queue/anderson"].Layout, found["queue/anderson"].Variant})
		if name == path {
			require.Equal(t, "modeled", found["queue/twa"].How, "one layout was measured")
			require.Equal(t, 2, found["queue/twa"].Procs)
		}
	}
	require.Equal(t, "queue/mcs", ask("mcs", path, "-procs", "1")["queue/mcs"].Variant, "other processes, another answer")

	found := ask("mcs", "epyc-7742")
	require.Equal(t, []any{"queue/mcs-padded", "modeled", 32}, []any{found["queue/mcs"].Variant, found["queue/mcs"].How, found["queue/mcs"].Procs})
	require.Greater(t, found["queue/mcs"].Ratio, modelMargin)
	out, diag, code := shmbench(t.Context(), "list", "-layout-for", path, "-alg", "queue/mcs")
	require.Equal(t, exitHolds, code, diag)
	require.Regexp(t, `queue/mcs +padded +queue/mcs-padded +1.93 +2 +measured`, out)
	_, diag, code = shmbench(t.Context(), "list", "-layout-for", "vax", "-alg", "queue/mcs")
	require.Equal(t, exitUsage, code)
	require.Contains(t, diag, `-layout-for vax: there is no machine "vax": name a file, or one of epyc-2, `)
}

// TestLayoutForInText: measured layouts are a table without a word about a model, in the order of
// the locks.
func TestLayoutForInText(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.txt")
	text, _ := layoutResults(t)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	out, diag, code := shmbench(t.Context(), "list", "-layout-for", path, "-alg", "^queue/(anderson|clh|mcs)$")
	require.Equal(t, exitHolds, code, diag)
	require.Empty(t, diag)
	lines := strings.Split(out, "\n")
	require.Regexp(t, `^lock +layout +variant +ratio +processes +how +source$`, lines[0])
	require.Contains(t, lines[4:], "ratio: time of a passage in the slower layout, as a multiple of that in the faster layout.")
	require.NotContains(t, out, "modeled on")
	var said []string
	for _, line := range lines[1:4] {
		said = append(said, strings.Join(strings.Fields(line)[:6], " "))
	}
	require.ElementsMatch(t, []string{"queue/mcs padded queue/mcs-padded 1.93 2 measured", "queue/clh either queue/clh 1.01 2 measured", "queue/anderson padded queue/anderson 1.98 2 measured"}, said)
	var names []string
	for _, a := range catalog.All() {
		if slices.Contains([]string{"queue/mcs", "queue/clh", "queue/anderson"}, a.Name) {
			names = append(names, a.Name)
		}
	}
	for i, name := range names {
		require.True(t, strings.HasPrefix(said[i], name+" "), said[i])
	}
}

// TestLayoutForOtherProcesses: without a figure for the number of processes, nothing is decided.
func TestLayoutForOtherProcesses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.txt")
	text, _ := layoutResults(t)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	out, diag, code := shmbench(t.Context(), "list", "-layout-for", path, "-procs", "64")
	require.Equal(t, exitUndecided, code)
	require.Empty(t, out)
	require.Equal(t, "shmbench list: -layout-for "+path+": no lock is measured or modeled in both layouts with -procs 64; "+
		"the results are of 1,2 processes; the model has 2 processors\n", diag)
}

// rounded replaces a ratio that is right except for rounding.
func rounded(a advice, ratio float64) advice {
	if diff := a.Ratio - ratio; diff < 1e-9 && diff > -1e-9 {
		a.Ratio = ratio
	}
	return a
}

// TestLayoutForNothing: results with work, of another waiting policy or of a model are no
// measurement of a layout.
func TestLayoutForNothing(t *testing.T) {
	for _, head := range []string{"wait: busy", "model: vax"} {
		path := filepath.Join(t.TempDir(), "run.txt")
		require.NoError(t, os.WriteFile(path, []byte(head+"\nBenchmarkPassage/alg=queue-mcs/procs=2/cs=0/ncs=0 1000 5 ns/op\n"), 0o666))
		_, diag, code := shmbench(t.Context(), "list", "-layout-for", path)
		require.Equal(t, exitUsage, code, head)
		require.Contains(t, diag, "there are no results of shmbench run without work, under the default waiting policy")
	}
}

// TestNoLayoutInNoise: results of a machine that was not quiet recommend no layout.
func TestNoLayoutInNoise(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.txt")
	text, results := layoutResults(t)
	const noise = "BenchmarkQuiet 1 0.83 other-load 0 stolen\n"
	require.NoError(t, os.WriteFile(path, []byte(text+noise), 0o666))
	out, diag, code := shmbench(t.Context(), "list", "-layout-for", path)
	require.Equal(t, exitUndecided, code)
	require.Empty(t, out)
	require.Equal(t, "shmbench list: -layout-for "+path+": No recommendation: other programs used 83 % of this machine. Run it again when it is quiet.\n", diag)
	r := rank.New(results)
	r.Noise = "other programs used 83 % of this machine"
	var said bytes.Buffer
	require.NoError(t, writeLayouts(&said, r))
	require.Empty(t, said.String())
}

// TestRunSaysThatAnotherLayoutIsFaster: run says it of a winner whose layouts were both
// measured, and otherwise which command measures them.
func TestRunSaysThatAnotherLayoutIsFaster(t *testing.T) {
	_, results := layoutResults(t)
	said := func(keep func(algorithm string, w bench.Workload) bool) string {
		var some []*benchfmt.Result
		for _, r := range results {
			if algorithm, w, ok := bench.ParseName(r.Name); ok && keep(algorithm, w) {
				some = append(some, r)
			}
		}
		var out bytes.Buffer
		require.NoError(t, writeLayouts(&out, rank.New(some)))
		return out.String()
	}
	two := func(_ string, w bench.Workload) bool { return w == bench.Workload{Procs: 2} }
	require.Equal(t, "With 2 processes, queue/mcs-padded is clearly faster here than queue/mcs, the default layout: 1.93 times, and the intervals do not overlap.\n", said(two))
	require.Equal(t, "With 1 process, queue/anderson-packed is clearly faster here than queue/anderson, the default layout: 1.33 times, and the intervals do not overlap.\n"+said(two),
		said(func(_ string, w bench.Workload) bool { return w.CS == 0 }), "a line for each number of processes")
	require.Equal(t, "To compare the layouts of queue/mcs: shmbench run -alg queue/mcs -variants -procs 2\n",
		said(func(a string, w bench.Workload) bool {
			return two(a, w) && a != "queue/mcs-padded" && a != "queue/clh-packed" && a != "queue/clh"
		}))
	require.Empty(t, said(func(a string, w bench.Workload) bool { return two(a, w) && a[:9] == "queue/and" }), "the default layout is the faster one")
	require.Empty(t, said(func(a string, w bench.Workload) bool { return two(a, w) && a[:9] == "queue/clh" }), "the intervals overlap")
	require.Empty(t, said(func(string, bench.Workload) bool { return false }))
}

// TestLayoutPairs: a pair has the default layout first, and the variant with release stores is
// of no pair.
func TestLayoutPairs(t *testing.T) {
	var names [][2]string
	for _, p := range layoutPairs(append(locksCalled("queue/mcs-released"), append(locksCalled("tas/tas"), locksCalled("bakery/lamport")...)...)) {
		names = append(names, [2]string{p.usual.Name, p.other.Name})
		require.NotEqual(t, p.usual.Layout, p.other.Layout)
		require.Equal(t, shm.Sequential, p.other.Stores)
	}
	require.Equal(t, [][2]string{{"queue/mcs", "queue/mcs-padded"}, {"bakery/lamport", "bakery/lamport-packed"}}, names)
	require.Nil(t, locksCalled("my/lock"))
}
