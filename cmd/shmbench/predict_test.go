package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/bench"
	"shmbench/bench/benchfile"
	"shmbench/internal/machine/race"
	"shmbench/internal/testkit/sample"
	"shmbench/predict"
	"shmbench/shm"
)

// TestPredict: the table, the file and the reasons agree, and say that they are of a
// model.
func TestPredict(t *testing.T) {
	sample.NeedsAll(t)
	if race.Enabled {
		t.Skip("runs the compiler")
	}
	file := filepath.Join(t.TempDir(), "points.txt")
	out, diag, status := shmbench(t.Context(), "predict", "-machine", "graviton3", "-alg", "^(queue/(mcs|ticket)|dekker/dekker)$", "-procs", "1,4", "-explain", "-o", file)
	require.Equal(t, exitHolds, status, diag)
	require.Equal(t, "not for 4 processes, and skipped there: dekker/dekker\n", diag)
	require.True(t, strings.HasPrefix(out, "A model of graviton3 (sockets=1,cores=64), not a measurement; not fitted to measurements; "), out)
	require.Regexp(t, `(?m)^procs=4 cs=0 ncs=0\n.*\n +1 +queue/`, out)
	require.Contains(t, out, "1000000 accesses to shared memory (-accesses) ended before")
	require.Regexp(t, `locks/queue/ticket.go:\d+ +nowServing +load +cores \d`, out)
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Contains(t, string(text), "\nmodel: graviton3\n")
	require.Contains(t, string(text), "\n# about: a model of graviton3 (")
	require.Regexp(t, `\nBenchmarkPassage/alg=queue-ticket/procs=4/cs=0/ncs=0\t\d+\t[\d.]+ ns/op`, string(text))
	require.Contains(t, string(text), "\n# ended: complete\n")
	require.Equal(t, 5, strings.Count(string(text), "\nBenchmark"))

	t.Chdir("../..")
	out, diag, status = shmbench(t.Context(), "predict", "./check/testdata/locks:NewNothing", "-procs", "16", "-cs", "100ns")
	require.Equal(t, exitViolated, status, diag)
	require.Equal(t, "locks/NewNothing with 16 processes: two processes were in their critical sections at once\n", diag)
	require.NotContains(t, out, "ns/op\ttimes")

	t.Chdir("examples/ownlock")
	out, diag, status = shmbench(t.Context(), "predict", ".", "-procs", "2", "-json", "-explain")
	require.Equal(t, exitHolds, status, diag)
	var results struct {
		About   string
		Machine struct{ Name string }
		Points  []struct {
			Name     string
			Passages uint64
			Sites    []struct{ Source string }
		}
	}
	decode(t, out, &results)
	require.Equal(t, "epyc-7742", results.Machine.Name)
	require.Len(t, results.Points, 1)
	require.Equal(t, "Passage/alg=ownlock-New/procs=2/cs=0/ncs=0", results.Points[0].Name)
	require.Contains(t, results.Points[0].Sites[0].Source, "ownlock/")
}

// What cannot be predicted is said in a line.
func TestPredictRefuses(t *testing.T) {
	for line, says := range map[string]string{
		"-machine graviton9":             "-machine graviton9: there is no machine \"graviton9\": name a file, or one of epyc-",
		"-machine graviton3 -procs 1,65": "-procs 1,65: graviton3 has 64 processors, and more processes than processors are out of the model",
		"-procs 0":                       "-procs 0: the number of processes must be between 1 and 1024",
		"-alg ^baseline/mutex$":          "-alg ^baseline/mutex$: its processes sleep in the operating system or the Go runtime, which the model does not have",
		". -alg tas":                     ". cannot be combined with -alg",
		"-passages 0":                    "-passages 0: the number of passages must be between 1 and 1000000",
		"-accesses 10":                   "-accesses 10: the number of accesses must be at least 1000",
		"-o -":                           "-o -: name a file: standard output gets everything else",
		"-cs 1h":                         "-cs 1h: the time in the critical section must be between 0s and 1s",
		"./nope -procs 1":                "./nope: there is no folder ",
		"-machine predict_test.go":       "-machine predict_test.go: this is no machine: ",
	} {
		out, diag, status := shmbench(t.Context(), append([]string{"predict"}, strings.Fields(line)...)...)
		require.Equal(t, exitUsage, status, line)
		require.Empty(t, out, line)
		require.True(t, strings.HasPrefix(diag, "shmbench predict: "+says), "%s: %s", line, diag)
		require.Equal(t, 1, strings.Count(diag, "\n"), diag)
	}
}

// pointsFile writes a table of points of one host, with that of another one if asked.
func pointsFile(t *testing.T, lines ...string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "points.tsv")
	text := "host lock cs_ns ncs_ns threads ns\n" + strings.Join(lines, "\n") + "\n"
	require.NoError(t, os.WriteFile(name, []byte(text), 0o644))
	return name
}

var onePoints = []string{"h incdec_refcount 0 0 4 50", "h incdec_refcount 0 0 5 50", "h incdec_refcount 0 0 6 50", "h incdec_refcount 0 0 7 50"}

// TestPredictFit: a machine is fitted to points, written, read again, and judged; each output
// names its machine, the points it was fitted to and its error.
func TestPredictFit(t *testing.T) {
	points := pointsFile(t, append([]string{"h swap_mutex 0 0 9 1"}, onePoints...)...)
	file := filepath.Join(t.TempDir(), "h.json")
	out, diag, status := shmbench(t.Context(), "predict", "fit", points, "-topology", "cores=8", "-family", "arm")
	require.Equal(t, exitHolds, status, diag)
	require.True(t, strings.HasPrefix(diag, "1 points have more threads than the 8 processors of cores=8, and are left out\n"+
		"a model of h: fitted to 4 points of h (incdec_refcount at no work, 4 threads or more): root mean square of ln(model/measured) 0.0"), diag)
	require.Contains(t, diag, "sources: pause_ns: YIELD is a NOP on Neoverse, its software optimization guide; points: points.tsv\n")
	require.Contains(t, diag, "\nfitted (1): transfer_ns.cores ")
	require.Regexp(t, `\nresiduals, ln\(model/measured\) by processes:\n    incdec_refcount cs=0 ncs=0: 4 [+-]0\.0\d\d, 5 `, diag)
	require.NoError(t, os.WriteFile(file, []byte(out), 0o666))
	m, err := predict.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, "h", m.Name)
	require.InDelta(t, 50, 2*(m.Transfer["cores"]+m.RMW), 6, "two additions, for each of which the line comes")

	out, diag, status = shmbench(t.Context(), "predict", "validate", pointsFile(t, append(onePoints, "h swap_mutex 0 0 8 1", "h swap_mutex 0 0 9 1")...), "-topology", "cores=10")
	require.Equal(t, exitViolated, status, diag)
	require.True(t, strings.HasPrefix(out, "a model of h, not a measurement: fitted to 4 points of h ("), out)
	require.Contains(t, out, "\nresiduals, ")
	require.Contains(t, out, "\nMISSED  every curve that was not fitted: median error at most 25 %: swap_mutex cs=0 ncs=0 has ")
}

// What cannot be fitted, judged or measured is said in a line.
func TestPredictFitRefuses(t *testing.T) {
	one, two := pointsFile(t, onePoints...), pointsFile(t, "a incdec_refcount 0 0 4 50", "b incdec_refcount 0 0 4 50")
	bad := pointsFile(t, "a incdec_refcount 0 0 four 50")
	run := filepath.Join(t.TempDir(), "run.txt")
	require.NoError(t, os.WriteFile(run, []byte("goos: linux\n\nBenchmarkPassage/alg=tas-tas/procs=2/cs=0/ncs=0 100 50 ns/op\n"), 0o644))
	model := filepath.Join(t.TempDir(), "model.txt")
	require.NoError(t, os.WriteFile(model, []byte("model: x\n\nBenchmarkPassage/alg=tas-tas/procs=2/cs=0/ncs=0 100 50 ns/op\n"), 0o644))
	mixed := filepath.Join(t.TempDir(), "mixed.txt")
	require.NoError(t, os.WriteFile(mixed, []byte("BenchmarkPassage/alg=tas-tas/procs=2/cs=0/ncs=0 100 50 ns/op\nBenchmarkPassage/alg=tas-tas/procs=2/cs=0/ncs=0-2 100 50 ns/op\n"), 0o644))
	for line, says := range map[string]string{
		"fit ONE":                               "-topology: it must be the host's, as in ",
		"fit -topology cores=8":                 "give one file of points, and the name of one of its hosts",
		"fit ONE -topology cores=8 -procs 2":    "no flag -procs; shmbench predict fit -h lists the flags",
		"validate ONE -topology cores=8 -o x":   "no flag -o; ",
		"fit nowhere.tsv -topology cores=8":     "nowhere.tsv: there is no such file",
		"fit BAD -topology cores=8":             "BAD: line 2: threads is \"four\", which is no number from 0 up",
		"fit TWO -topology cores=8":             "TWO has points of a, b: name one after the file",
		"fit TWO c -topology cores=8":           "c: TWO has points of a, b",
		"fit TWO a -topology cores=8":           "TWO: the points to fit to are 1, of any program and 4 to 7 threads; it takes 4",
		"fit ONE -topology cores=0":             "-topology cores=0: \"cores=0\" is not a level",
		"fit ONE -topology cores=8 -order 1,0":  "-order 1,0: order: it has 2 hardware threads, and the topology 8",
		"fit ONE -topology cores=8 -family vax": "-family vax: the family of processors must be intel-before-skylake, intel, ",
		"validate RUN -topology cores=8":        "RUN: these are results of shmbench run, and not points of the two programs ",
		"fit RUN a -topology cores=8":           "a: RUN has the results of one machine",
		"fit RUN -topology cores=8":             "RUN: there are 1 points of locks that the model can run, with 2 to 8 processes, without an arrival rate and without readers; a fit takes 4",
		"fit MIXED -topology cores=8":           "MIXED: the results have several values of gomaxprocs: a machine is fitted to results of one configuration",
		"fit MODEL -topology cores=8":           "MODEL: these are figures of a model, and no measurements",
	} {
		names := strings.NewReplacer("ONE", one, "TWO", two, "BAD", bad, "RUN", run, "MODEL", model, "MIXED", mixed)
		out, diag, status := shmbench(t.Context(), append([]string{"predict"}, strings.Fields(names.Replace(line))...)...)
		require.Equal(t, exitUsage, status, line)
		require.Empty(t, out, line)
		verb, _, _ := strings.Cut(line, " ")
		if strings.HasPrefix(verb, "-") {
			verb = "predict"
		} else {
			verb = "predict " + verb
		}
		require.True(t, strings.HasPrefix(diag, "shmbench "+verb+": "+names.Replace(says)), "%s: %s", line, diag)
		require.Equal(t, 1, strings.Count(diag, "\n"), diag)
	}
}

// Of a file of results only what the model can run counts, the median of its samples, and
// what operations cost.
func TestRunPoints(t *testing.T) {
	file := filepath.Join(t.TempDir(), "run.txt")
	var text strings.Builder
	for _, line := range []string{"Machine/op=swap-uint32 100 6", "Machine/op=load-uint32 100 0.5", "Passage/alg=queue-mcs/procs=2/cs=0/ncs=0 100 50",
		"Passage/alg=queue-mcs/procs=2/cs=0/ncs=0 100 54", "Passage/alg=queue-mcs/procs=2/cs=0/ncs=0 100 90", "Passage/alg=queue-mcs/procs=4/cs=100/ncs=0/lines=2 100 70",
		"Passage/alg=queue-mcs/procs=1/cs=0/ncs=0 100 9", "Passage/alg=queue-mcs/procs=2/cs=0/ncs=0/touch=1 100 9", "Passage/alg=queue-mcs/procs=16/cs=0/ncs=0 100 9", "Passage/alg=queue-mcs/procs=2/cs=0/ncs=0/rate=5 100 9",
		"Passage/alg=baseline-mutex/procs=2/cs=0/ncs=0 100 9", "Passage/alg=baseline-null/procs=2/cs=0/ncs=0 100 9", "Passage/alg=no-lock/procs=2/cs=0/ncs=0 100 9"} {
		text.WriteString("Benchmark" + line + " ns/op\n")
	}
	require.NoError(t, os.WriteFile(file, []byte(text.String()), 0o644))
	results, err := benchfile.Open(t.Context(), file, nil)
	require.NoError(t, err)
	points, costs, err := runPoints(results, 8)
	require.NoError(t, err)
	require.Len(t, points, 2)
	require.Equal(t, "queue/mcs", points[0].lock)
	require.InDelta(t, 54, points[0].ns, 1e-6)
	require.Equal(t, bench.Workload{Procs: 4, CS: 100, Lines: 2}, points[1].load)
	require.InDelta(t, 6, costs.RMW, 1e-6)
	require.InDelta(t, 0.5, costs.Load, 1e-6)
}

// The presets say what is known of them.
func TestPredictMachines(t *testing.T) {
	out, _, status := shmbench(t.Context(), "predict", "machines")
	require.Equal(t, exitHolds, status)
	require.Contains(t, out, "epyc-7742: 256 processors, sockets=2,dies=8,complexes=2,cores=4,threads=2\n")
	require.Contains(t, out, "a model of xeon-8275cl (sockets=2,cores=24,threads=2), not a measurement")
}

// The model has no readers, so the locks that have some are named. The user's lock is not
// built yet.
func TestReaderWritersAreNamed(t *testing.T) {
	algorithms, err := selection{alg: "^(queue/mcs|rw/ksuh|tas/tas)$"}.locks()
	require.NoError(t, err)
	require.Equal(t, []string{"rw/ksuh"}, readerWriters(append(algorithms, shm.Algorithm{Name: "mine/New"})))
}

// TestPredictedProcs: without -procs, powers of two up to 64, and all processors of the machine.
func TestPredictedProcs(t *testing.T) {
	for topology, want := range map[string][]int{
		"cores=4":                      {1, 2, 4},
		"cores=6":                      {1, 2, 4, 6},
		"sockets=2,cores=64,threads=2": {1, 2, 4, 8, 16, 32, 64, 256},
	} {
		m, err := predict.New("lab", topology, predict.CoresFirst, "")
		require.NoError(t, err)
		f := new(predictFlags)
		_, err = f.check(m)
		require.NoError(t, err)
		require.Equal(t, want, []int(f.procs), topology)
	}
}
