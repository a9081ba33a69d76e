package bench

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"shmbench/internal/machine/clock"
	"shmbench/locks/baseline"
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
// -benchtime, down to 1x; the number of iterations on the line is b.N.
//
// Run prints the units and the facts about the measurement before the first line, as
// "shmbench run -o" does.
func Run(b *testing.B, a shm.Algorithm, w Workload) {
	b.Helper()
	if err := a.Validate(); err != nil {
		b.Fatal(err)
	}
	if err := undisturbed(); err != nil {
		b.Skip(err)
	}
	announce()
	_, file, line, _ := runtime.Caller(1)
	m := benchmark{lock: a, workload: w}
	b.Run(w.subname(a.Name), atFirstCPU(func(b *testing.B) {
		if err := m.run(b); err != nil {
			// The log of b would name a line of package testing: b.Helper does not look
			// for the caller of a sub-benchmark.
			fmt.Fprintf(b.Output(), "%s:%d: %v\n", filepath.Base(file), line, err)
			b.FailNow()
		}
	}))
}

// benchmark is what Run measures, again and again with other numbers of passages.
type benchmark struct {
	lock     shm.Algorithm
	workload Workload
	ns       float64 // a passage in the run before took, 0 in the first run
}

// run measures b.N passages. It counts to b.N and does not call b.Loop, as b.Loop
// decides whether to go on before each operation: that would be another critical
// section, in the middle of the loop that is measured.
func (m *benchmark) run(b *testing.B) error {
	b.ReportAllocs()
	null, err := m.null(b.Context())
	if err != nil && !errors.Is(err, ErrIdle) {
		return err
	}
	costs, transfer := atomicCosts(), transferFor(m.workload, NotPinned)
	var used heapUse
	sample, err := measure(b.Context(), m.lock, m.workload, m.options(b.N), m.window(b, &used))
	if err != nil {
		return err
	}
	m.ns, _ = sample.Get(nsPerOp)
	if took := time.Duration(m.ns * float64(b.N)); took < benchWindow {
		runTimer(b, took)
	}
	sample.derive(m.lock, costs, transfer, &null)
	for _, v := range append(sample.Values, used.values(&sample)...) {
		b.ReportMetric(v.Value, v.Unit)
	}
	return nil
}

// null measures the harness. Its window ends with a passage, so that there is one on a
// busy machine too, unless the passages have no numbers.
func (m *benchmark) null(ctx context.Context) (Sample, error) {
	w := m.workload.alone()
	win := window{quota: 1, least: nullWindow, detail: func(time.Duration) time.Duration { return 0 }}
	if !w.numbered() {
		win.quota = 0
	}
	return measure(ctx, baseline.Null, w, Options{Duration: nullWindow}, win)
}

// options say how long the counted window is where passages are not counted: as long
// as n passages will take, by the run before.
func (m *benchmark) options(n int) Options {
	return Options{Duration: max(benchWindow, time.Duration(m.ns*float64(n)))}
}

// window is the window of a run. The timer of b runs while it is open.
func (m *benchmark) window(b *testing.B, used *heapUse) window {
	win := window{
		warmUp: benchWarmUp,
		quota:  uint64(b.N),
		least:  benchWindow,
		detail: func(counted time.Duration) time.Duration {
			return min(max(counted/detailPart, leastDetail), mostDetail)
		},
		heap:   used,
		opened: b.ResetTimer,
		closed: b.StopTimer,
	}
	if !m.workload.numbered() { // so that no passage is at an edge
		win.quota, win.heap = 0, nil
		win.opened = func() { used.opened = takeHeap(); b.ResetTimer() }
		win.closed = func() { b.StopTimer(); used.closed = takeHeap() }
	}
	return win
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

// atFirstCPU returns a benchmark that runs with the first GOMAXPROCS of the flag -cpu
// when it is called for the first time. Package testing makes the first run, with a
// b.N of 1, before it sets GOMAXPROCS, and prints the figures of that run if
// -benchtime asks for no more.
func atFirstCPU(benchmark func(b *testing.B)) func(b *testing.B) {
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
