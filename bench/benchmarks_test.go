package bench

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/catalog"
	"shmbench/internal/testkit/sample"
	"shmbench/locks/baseline"
	"shmbench/shm"
)

var body = flag.String("cs-body", "check", "benchmarks: what a critical section does besides its work, check or touch, as in shmbench run")

// touches reports whether the flag -cs-body asks for critical sections that do not check.
func touches(b *testing.B) bool {
	if *body != "check" && *body != "touch" {
		b.Fatalf("-cs-body %s: the body of the critical section must be check or touch", *body)
	}
	return *body == "touch"
}

// BenchmarkPassage measures the locks that "shmbench run" measures by default, with
// one process, two, and one for each processor. With the flag -all it measures every
// name of the catalog, and with more processes than processors, too.
func BenchmarkPassage(b *testing.B) {
	if exam := os.Getenv(examEnv); exam != "" {
		benchmarkExam(b, exam)
		return
	}
	algorithms, procs := benchmarked(sample.All(), mostProcessors())
	w := Workload{Touch: touches(b)}
	if !sample.All() {
		fmt.Printf("# %d of %d locks, with %v processes. Every lock, with up to %d processes: go test -bench . ./bench -all\n",
			len(algorithms), len(catalog.All()), procs, slices.Max(Procs(mostProcessors())))
	}
	for _, w.Procs = range procs {
		for _, a := range algorithms {
			if w.Procs >= a.MinProcs && w.Procs <= a.MaxProcs {
				Run(b, a, w)
			}
		}
	}
	Run(b, baseline.Null, w.alone()) // not the first: benchstat compares all with that
}

// executed are the locks that BenchmarkExecute compares with the delegates.
var executed = []string{"tas/ttas", "queue/mcs", "delegation/ccsynch", "delegation/dsmsynch", "delegation/flatcombining", "numa/hsynch"}

// BenchmarkExecute measures the same critical section through Lock and Unlock, and through
// Execute, with two processes and 0 to 64 shared cache lines: with -all, on all locks of
// executed and with six numbers of lines.
func BenchmarkExecute(b *testing.B) {
	names, lines := executed[1:3], []int{0, 16}
	if sample.All() {
		names, lines = executed, []int{0, 1, 4, 16, 32, 64}
	}
	for _, n := range lines {
		for _, name := range names {
			a, err := catalog.Get(name)
			if err != nil {
				b.Fatal(err)
			}
			for _, execute := range []bool{false, true} {
				if execute || !a.Delegates() {
					Run(b, a, Workload{Procs: 2, Lines: n, Execute: execute, Touch: touches(b)})
				}
			}
		}
	}
}

// benchmarked are the locks and the numbers of processes that BenchmarkPassage measures
// on so many processors.
func benchmarked(all bool, processors int) (algorithms []shm.Algorithm, procs []int) {
	procs = Procs(processors)
	if all {
		return catalog.All(), procs
	}
	for _, a := range catalog.Short() {
		algorithms = append(algorithms, a.Algorithm)
	}
	return algorithms, slices.DeleteFunc(procs, func(n int) bool { return n > max(2, processors) })
}

// mostProcessors is the largest GOMAXPROCS with which benchmarks run.
func mostProcessors() int {
	if cpus := cpuFlag(); cpus != nil {
		return slices.Max(cpus)
	}
	return runtime.GOMAXPROCS(0)
}

// BenchmarkMachine measures what passages are made of, each operation in as many whole
// trials of Machine's as have b.N operations.
func BenchmarkMachine(b *testing.B) {
	announce()
	for _, op := range machine() {
		transfer := op.name == Transfer || op.name == TransferThreads
		if transfer && min(mostProcessors(), runtime.NumCPU()) < 2 {
			continue
		}
		before := 0.0 // the figure of the run before
		b.Run("op="+op.name, atFirstCPU(func(b *testing.B) {
			if transfer && runtime.GOMAXPROCS(0) < 2 { // what it costs does not depend on that
				defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
			}
			if ns, ok := op.repeated(b.N); ok {
				before = ns
			} else if before == 0 {
				b.Skip("other programs keep a processor busy")
			}
			b.ReportMetric(before, nsPerOp)
		}))
	}
}

// repeated is the cost by as many trials as n operations need.
func (op operation) repeated(n int) (ns float64, ok bool) {
	var times []int64
	for done := 0; done < n; done += trials * operations {
		some := make([]int64, trials)
		if op.time(operations, some) {
			times = append(times, some...)
		}
	}
	if times == nil {
		return 0, false
	}
	return costOf(operations, times), true
}

// TestCPUFlag: the flag -cpu is a list of numbers, or is not given.
func TestCPUFlag(t *testing.T) {
	f := flag.Lookup("test.cpu")
	defer func(was string) { require.NoError(t, f.Value.Set(was)) }(f.Value.String())
	for text, want := range map[string][]int{"": nil, "4": {4}, "1,2,16": {1, 2, 16}, "2, 1": {2, 1}, "x,3": {3}} {
		require.NoError(t, f.Value.Set(text))
		require.Equal(t, want, cpuFlag(), text)
	}
}
