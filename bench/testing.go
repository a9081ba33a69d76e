package bench

import (
	"context"
	"flag"
	"fmt"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"shmbench/baseline"
	"shmbench/internal/clock"
	"shmbench/shm"
)

// In a benchmark the counted window has b.N passages, and lasts benchWindow at least.
// The others:
const (
	benchWindow = 20 * time.Millisecond
	benchWarmUp = 5 * time.Millisecond
	leastDetail = time.Millisecond
	mostDetail  = 50 * time.Millisecond
	nullWindow  = 5 * time.Millisecond
)

// Run measures a lock as a sub-benchmark of b, named as Workload.Name says. It
// reports the values of a Sample, and fails the sub-benchmark where Measure returns an
// error, with the line that called Run.
//
// The counted window has b.N passages by all processes together, and more if it
// lasts less than 20 ms with them. So ns/op and all other values are right with any
// -benchtime, down to 1x; the number of iterations on the line is b.N. Readers of a
// Workload must be 0.
//
// Run prints the units and the facts about the measurement before the first line, as
// "shmbench run -o" does.
func Run(b *testing.B, a shm.Algorithm, w Workload) {
	b.Helper()
	if a.Name == "" {
		b.Fatal("the lock has no name: set Name in its shm.Algorithm")
	}
	if err := undisturbed(); err != nil {
		b.Skip(err)
	}
	announce()
	_, file, line, _ := runtime.Caller(1)
	b.Run(w.subname(a.Name), obedient(func(b *testing.B) {
		if err := run(b, a, w); err != nil {
			// The log of b would name a line of package testing: b.Helper does not look
			// for the caller of a sub-benchmark.
			fmt.Fprintf(b.Output(), "%s:%d: %v\n", filepath.Base(file), line, err)
			b.FailNow()
		}
	}))
}

// run measures b.N passages. It counts to b.N and does not call b.Loop, as b.Loop
// decides whether to go on before each operation: that would be another critical
// section, in the middle of the loop that is measured.
func run(b *testing.B, a shm.Algorithm, w Workload) error {
	b.ReportAllocs()
	null, err := measure(b.Context(), baseline.Null, w.alone(), Options{}, window{
		quota:  1, // so that there is one on a busy machine too
		least:  nullWindow,
		detail: func(time.Duration) time.Duration { return 0 },
	})
	if err != nil {
		return err
	}
	costs, transfer := atomicCosts(), transferFor(w, NotPinned)
	var used heapUse
	var took time.Duration
	sample, err := measure(b.Context(), a, w, Options{}, window{
		warmUp: benchWarmUp,
		quota:  uint64(b.N),
		least:  benchWindow,
		detail: func(counted time.Duration) time.Duration {
			return min(max(counted/detailPart, leastDetail), mostDetail)
		},
		heap:   &used,
		opened: b.ResetTimer,
		closed: func(quota time.Duration) {
			b.StopTimer()
			took = quota
		},
	})
	if err != nil {
		return err
	}
	if took < benchWindow {
		runTimer(b, took)
	}
	sample.derive(a, costs, transfer, &null)
	for _, v := range append(sample.Values, used.values(&sample)...) {
		b.ReportMetric(v.Value, v.Unit)
	}
	return nil
}

// runTimer lets the timer of b run for d, which is what b.N passages took in a window
// that had more of them. Package testing chooses the next b.N by it.
func runTimer(b *testing.B, d time.Duration) {
	b.ResetTimer()
	b.StartTimer()
	for start := clock.Now(); clock.Now()-start < int64(d); {
	}
	b.StopTimer()
}

// obedient returns a benchmark that runs with the first GOMAXPROCS of the flag -cpu
// when it is called for the first time. Package testing makes the first run, with a
// b.N of 1, before it sets GOMAXPROCS, and prints the figures of that run if
// -benchtime asks for no more.
func obedient(benchmark func(b *testing.B)) func(b *testing.B) {
	first := sync.OnceFunc(func() {
		if cpus := cpuFlag(); cpus != nil {
			runtime.GOMAXPROCS(cpus[0])
		}
	})
	return func(b *testing.B) {
		first()
		benchmark(b)
	}
}

// cpuFlag returns the numbers of the flag -cpu, none if it is not given.
func cpuFlag() (cpus []int) {
	f := flag.Lookup("test.cpu")
	if f == nil || f.Value.String() == "" {
		return nil
	}
	for number := range strings.SplitSeq(f.Value.String(), ",") {
		if n, err := strconv.Atoi(strings.TrimSpace(number)); err == nil {
			cpus = append(cpus, n)
		}
	}
	return cpus
}

// atomicCosts are what the operations of locks cost, measured once: they do not depend
// on where the processors are.
var atomicCosts = sync.OnceValue(func() []Cost { return costsOf(context.Background(), atomics()) })
