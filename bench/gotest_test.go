package bench

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/perf/benchfmt"

	"shmbench/catalog"
	"shmbench/internal/machine/race"
	"shmbench/internal/testkit/deadline"
	"shmbench/internal/testkit/sample"
	"shmbench/internal/testkit/treetest"
	"shmbench/shm"
)

// use is a way to run the benchmarks, as "go test" does with its flags.
type use struct {
	name    string
	exam    string // examPaced if empty
	args    []string
	env     string   // GOMAXPROCS=2 if empty
	wrapper []string // in front of the program
	cpus    []int    // for which there are lines
	count   int      // lines for each
	n       int      // b.N, 0 where it must be of a time
	took    time.Duration
	file    string // that must be written, in the folder of args' %s
	events  bool   // the output is one for test2json
	// allocates: package testing allocates too meanwhile.
	allocates bool
}

var uses = []use{
	{name: "-benchtime 1x", args: []string{"-test.benchtime=1x"}, n: 1},
	{name: "-benchtime 100x", args: []string{"-test.benchtime=100x"}, n: 100},
	{name: "-benchtime 1ns", args: []string{"-test.benchtime=1ns"}, n: 1},
	{name: "-benchtime 20ms", took: 20 * time.Millisecond},
	{name: "-benchtime 60ms", args: []string{"-test.benchtime=60ms"}, took: 60 * time.Millisecond},
	{name: "-cpu 1", args: []string{"-test.cpu=1"}, cpus: []int{1}, took: 20 * time.Millisecond},
	{name: "-cpu 1,2,4", args: []string{"-test.cpu=1,2,4"}, cpus: []int{1, 2, 4}, took: 20 * time.Millisecond},
	{name: "-cpu 4,1 -benchtime 1x", args: []string{"-test.cpu=4,1", "-test.benchtime=1x"}, cpus: []int{4, 1}, n: 1},
	{name: "-cpu 1,2,4 -benchtime 1x", args: []string{"-test.cpu=1,2,4", "-test.benchtime=1x"}, cpus: []int{1, 2, 4}, n: 1},
	{name: "-count 3", args: []string{"-test.count=3", "-test.benchtime=5x"}, count: 3, n: 5},
	{name: "-benchmem", args: []string{"-test.benchmem"}, took: 20 * time.Millisecond},
	{name: "-cpuprofile", args: []string{"-test.cpuprofile=%s/cpu"}, took: 20 * time.Millisecond, file: "cpu"},
	{name: "-trace", args: []string{"-test.trace=%s/trace"}, took: 20 * time.Millisecond, file: "trace", allocates: true},
	{name: "-shuffle on", args: []string{"-test.shuffle=on"}, took: 20 * time.Millisecond},
	{name: "readers", exam: examReaders, args: []string{"-test.benchtime=60ms"}, took: 60 * time.Millisecond},
	{name: "touch", exam: examTouch, args: []string{"-test.benchtime=60ms"}, took: 60 * time.Millisecond},
	{name: "-v", args: []string{"-test.v"}, took: 20 * time.Millisecond},
	{name: "-json", args: []string{"-test.v=test2json"}, took: 20 * time.Millisecond, events: true},
	{name: "GOMAXPROCS=1", env: "GOMAXPROCS=1", cpus: []int{1}, took: 20 * time.Millisecond},
	{name: "taskset -c 0", env: "GOMAXPROCS=", wrapper: []string{"taskset", "-c", "0"}, cpus: []int{1}, took: 20 * time.Millisecond},
}

// However the benchmarks are run, there is a line for every name, b.N is what was
// asked for, and the figures are those of the lock.
func TestBenchmarksWithEveryFlag(t *testing.T) {
	sample.NeedsAll(t)
	for _, u := range uses {
		t.Run(u.name, func(t *testing.T) { u.examine(t, thisProgram(t)) })
	}
}

// The same with the race detector in the program.
func TestBenchmarksWithTheRaceDetector(t *testing.T) {
	sample.NeedsAll(t)
	if !treetest.HasRace(t) {
		t.Skip("the race detector needs cgo and a C compiler")
	}
	program := filepath.Join(t.TempDir(), "bench.exe")
	out, err := exec.Command("go", "test", "-race", "-c", "-o", program, ".").CombinedOutput()
	require.NoError(t, err, "%s", out)
	uses[3].examine(t, program)
}

func thisProgram(t *testing.T) string {
	program, err := os.Executable()
	require.NoError(t, err)
	return program
}

// examine runs the benchmark of the paced lock until its figures are right: others may
// have the processors for a while, and at least one run in two is right.
func (u use) examine(t *testing.T, program string) {
	if len(u.wrapper) > 0 {
		if _, err := exec.LookPath(u.wrapper[0]); err != nil {
			t.Skip(err)
		}
	}
	if u.cpus == nil {
		u.cpus = []int{2}
	}
	dir := t.TempDir()
	deadline.Try(t, 0.5, func() bool {
		out, err := u.run(t, program, dir)
		require.NoError(t, err, "%s", out)
		if u.events {
			out = outputOf(t, out)
		}
		wrong := u.wrong(u.results(t, out))
		if wrong != "" {
			t.Log(wrong)
		}
		return wrong == ""
	})
	if u.file != "" {
		info, err := os.Stat(filepath.Join(dir, u.file))
		require.NoError(t, err)
		require.Greater(t, info.Size(), int64(100))
	}
}

func (u use) run(t *testing.T, program, dir string) (string, error) {
	args := append(slices.Clone(u.wrapper), program, "-test.run=^$", "-test.bench=^BenchmarkPassage$", "-test.benchtime=20ms")
	for _, arg := range u.args {
		args = append(args, strings.ReplaceAll(arg, "%s", dir))
	}
	env := u.env
	if env == "" {
		env = "GOMAXPROCS=2"
	}
	return runProgram(t, args, examEnv+"="+cmp.Or(u.exam, examPaced), env)
}

// runProgram runs a program of benchmarks, which must end in time.
func runProgram(t *testing.T, args []string, env ...string) (string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), deadline.Half(t))
	defer cancel()
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.Output()
	require.NoError(t, ctx.Err(), "it did not end; it printed\n%s", out)
	return string(out), err
}

// outputOf is what test2json finds in the output of a program.
func outputOf(t *testing.T, out string) string {
	cmd := exec.Command("go", "tool", "test2json", "-p", "shmbench/bench")
	cmd.Stdin = strings.NewReader(out)
	events, err := cmd.Output()
	if err != nil {
		t.Skipf("no test2json here: %v", err)
	}
	var all strings.Builder
	for line := range bytes.Lines(events) {
		var e struct{ Action, Output string }
		require.NoError(t, json.Unmarshal(line, &e))
		all.WriteString(e.Output)
	}
	return all.String()
}

// results reads the lines, and holds their names to those that there must be.
func (u use) results(t *testing.T, out string) []*benchfmt.Result {
	results := parsed(t, out)
	var want, got []string
	_, procs := benchmarked(false, slices.Max(u.cpus))
	for _, n := range procs {
		for _, cpu := range u.cpus {
			for range max(1, u.count) {
				w := Workload{Procs: n}
				if u.exam == examReaders {
					w.Readers = 0.5
				}
				w.Touch = u.exam == examTouch
				want = append(want, suffixed(w.Name("exam/"+cmp.Or(u.exam, examPaced)), cpu))
			}
		}
	}
	for _, r := range results {
		got = append(got, string(r.Name))
	}
	require.Equal(t, want, got, out)
	return results
}

// parsed are the results that x/perf finds in the output of a benchmark.
func parsed(t *testing.T, out string) []*benchfmt.Result {
	var results []*benchfmt.Result
	for r := benchfmt.NewReader(strings.NewReader(out), "out"); r.Scan(); {
		switch result := r.Result().(type) {
		case *benchfmt.Result:
			results = append(results, result.Clone())
		case *benchfmt.SyntaxError:
			t.Fatalf("%v in\n%s", result, out)
		}
	}
	return results
}

func suffixed(name string, cpus int) string {
	if cpus == 1 {
		return name
	}
	return fmt.Sprintf("%s-%d", name, cpus)
}

// wrong says which figure of the paced lock is not what it must be. It is never
// quicker than its pace. Where others have the processors it is slower, and package
// testing, which learns b.N from the first rounds, misses its time: the upper limits
// tell only a wrong unit from a busy machine.
func (u use) wrong(results []*benchfmt.Result) string {
	var checks []Check
	lines := max(1, u.count)
	for i, r := range results {
		cpu := u.cpus[i/lines%len(u.cpus)]
		_, w, _ := ParseName(r.Name)
		check := func(unit string, low, high float64) {
			v, ok := valueOf(r, unit)
			if !ok {
				v = -1
			}
			checks = append(checks, Check{string(r.Name) + " " + unit, v, low, high})
		}
		ns, _ := valueOf(r, nsPerOp)
		must := float64(pace) * float64(cpu)
		check(nsPerOp, 0.99*must, 200*must)
		check(rate, 0.99*1e9/ns, 1.01*1e9/ns)
		check(cpuPerOp, 0, 1.5*ns*float64(w.Procs))
		if !u.allocates {
			check(allocsPerOp, 1, 1)
			check(bytesPerOp, pacedBytes-1, 1.5*pacedBytes)
		}
		check(jainRun, 0.9, 1)
		check(p50, 0, 500*must)
		if _, ok := valueOf(r, xfersPerOp); ok {
			checks = append(checks, Check{string(r.Name) + ": processes and processors of a transfer", float64(min(w.Procs, cpu, runtime.NumCPU())), 2, 2})
		}
		if u.n > 0 {
			checks = append(checks, Check{string(r.Name) + " N", float64(r.Iters), float64(u.n), float64(u.n)})
		} else {
			checks = append(checks, Check{string(r.Name) + " ns of N", float64(r.Iters) * ns, 0.01 * float64(u.took), 500 * float64(u.took)})
		}
	}
	return Wrong(checks)
}

// valueOf is a value in the unit in which the line has it.
func valueOf(r *benchfmt.Result, unit string) (float64, bool) {
	for _, v := range r.Values {
		if v.Unit == unit {
			return v.Value, true
		}
		if v.OrigUnit == unit {
			return v.OrigValue, true
		}
	}
	return 0, false
}

// A plain -bench . measures the short list, says first how to measure the rest, and
// has a line for each name.
func TestAllBenchmarksOnce(t *testing.T) {
	sample.NeedsAll(t)
	if race.Enabled {
		t.Skip("takes many times as long with the race detector")
	}
	out, err := runProgram(t, []string{thisProgram(t), "-test.run=^$", "-test.bench=.", "-test.benchtime=1x"}, "GOMAXPROCS=2")
	require.NoError(t, err, out)
	first, _, _ := strings.Cut(out, "\n")
	require.Equal(t, fmt.Sprintf("# %d of %d locks, with [1 2] processes. Every lock, with up to 8 processes: go test -bench . ./bench -all",
		len(catalog.Short()), len(catalog.All())), first)
	requireNames(t, false, out, func(shm.Algorithm) bool { return true })
}

// With the flag -all there is a line for every lock of the catalog. Of the variants, which
// are measured as their locks are, this asks for those of one lock.
func TestAllBenchmarksOfTheCatalogueOnce(t *testing.T) {
	sample.NeedsAll(t)
	var names []string
	asked := map[string]bool{}
	for _, a := range catalog.All() {
		if a.VariantOf == "" || a.VariantOf == "queue/mcs" {
			asked[a.Name] = true
			names = append(names, strings.ReplaceAll(a.Name, "/", "-"))
		}
	}
	require.Greater(t, len(names), 70)
	these := "-test.bench=^Benchmark(Passage|Machine)$/^(op=.*|alg=(baseline-null|" + strings.Join(names, "|") + "))$"
	out, err := runProgram(t, []string{thisProgram(t), "-test.run=^$", these, "-test.benchtime=1x", "-all"}, "GOMAXPROCS=2")
	require.NoError(t, err, out)
	requireNames(t, true, out, func(a shm.Algorithm) bool { return asked[a.Name] })
}

// requireNames requires that the lines of the benchmarks have the names that there must be,
// of the locks that were asked for, and that their figures are figures.
func requireNames(t *testing.T, all bool, out string, asked func(shm.Algorithm) bool) {
	want := map[string]bool{}
	algorithms, procs := benchmarked(all, 2)
	for _, n := range procs {
		for _, a := range algorithms {
			if n >= a.MinProcs && n <= a.MaxProcs && asked(a) {
				want[suffixed(Workload{Procs: n}.Name(a.Name), 2)] = true
			}
		}
	}
	want[suffixed(Workload{Procs: 1}.Name("baseline/null"), 2)] = true
	for _, op := range machine() {
		want[suffixed(Cost{Op: op.name}.Name(), 2)] = true
	}
	got := map[string]bool{}
	for _, r := range parsed(t, out) {
		name := string(r.Name)
		if strings.HasPrefix(name, "Execute/") || strings.HasPrefix(name, "Loop/") { // of delegates, which have a test of their own, and of the harness
			continue
		}
		require.False(t, got[name], "%s twice", name)
		got[name] = true
		require.Equal(t, 1, r.Iters, name)
		ns, ok := valueOf(r, nsPerOp)
		require.True(t, ok && ns > 0.05 && ns < 1e9, "%s: %v ns/op", name, ns)
	}
	for name := range want {
		if strings.Contains(name, "op=transfer") { // where a processor is busy there is none
			delete(want, name)
			delete(got, name)
		}
	}
	require.Equal(t, want, got)
}

// A lock that hangs, is refused, or does not exclude, fails its benchmark with the
// line that runs it.
func TestBenchmarksThatFail(t *testing.T) {
	sample.NeedsAll(t)
	run := func(exam string) string {
		out, err := runProgram(t, []string{thisProgram(t), "-test.run=^$", "-test.bench=^BenchmarkPassage$", "-test.benchtime=50ms"}, examEnv+"="+exam, "GOMAXPROCS=2")
		require.Error(t, err, out)
		return out
	}
	requireHang := func(out, exam, where string) {
		require.Regexp(t, regexp.MustCompile(`--- FAIL: BenchmarkPassage/alg=exam-`+exam+`/procs=1/\S*\n    exam_test\.go:\d+: exam/`+exam+
			`: the lock hangs: no process made a passage for \S+s.*\n      process 0: \[\w+\] at `+where+`\n`), out)
		require.NotContains(t, out, "NaN")
		require.Equal(t, 2, strings.Count(out, "--- FAIL"), "the lock and BenchmarkPassage: %s", out)
	}
	requireHang(run(examWaits), examWaits, `guard_test\.go:\d+ waiting`)
	requireHang(run(examSpins), examSpins, `guard_test\.go:\d+ spinning`)
	require.Regexp(t, regexp.MustCompile(`--- FAIL: BenchmarkPassage/alg=exam-toomany/procs=2/\S*\n    exam_test\.go:\d+: exam/toomany: cannot be built for n = 2, only for 1\n`), run(examTooMany))
	require.Regexp(t, regexp.MustCompile(`--- FAIL: BenchmarkPassage\n    exam_test\.go:\d+: the specification has no Name`), run(examNoName))
	if race.Enabled {
		return
	}
	deadline.Try(t, 0.1, func() bool { // the two processes meet by chance
		out, err := runProgram(t, []string{thisProgram(t), "-test.run=^$", "-test.bench=^BenchmarkPassage$", "-test.benchtime=50ms"}, examEnv+"="+examBroken, "GOMAXPROCS=2")
		if err != nil {
			require.Regexp(t, regexp.MustCompile(`--- FAIL: BenchmarkPassage/alg=exam-broken/procs=2/\S*\n    exam_test\.go:\d+: exam/broken: mutual exclusion is violated`), out)
		}
		return err != nil
	})
}
