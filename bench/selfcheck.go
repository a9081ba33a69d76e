package bench

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"time"

	"shmbench/internal/machine/clock"
	"shmbench/locks/baseline"
	"shmbench/shm"
)

// A Check is a measured figure whose true value is known, with the bounds that it must
// keep.
type Check struct {
	Name           string // "answer/favoring jain"
	Got, Low, High float64
}

// Holds reports whether the figure is within its bounds.
func (c Check) Holds() bool { return c.Got >= c.Low && c.Got <= c.High }

func (c Check) String() string {
	if c.Low == c.High {
		return fmt.Sprintf("%s is %.4g and must be %.4g", c.Name, c.Got, c.Low)
	}
	return fmt.Sprintf("%s is %.4g and must be between %.4g and %.4g", c.Name, c.Got, c.Low, c.High)
}

// bound is the range of a unit of a sample. If seen is set, the range is relative
// to the value that the lock has measured itself.
type bound struct {
	unit      string
	low, high float64
	seen      bool
}

// exam is a lock with a known answer, and its answers. d is the duration of its
// sample; 0 means the default.
type exam struct {
	name     string
	lock     func(fifo shm.Mutex) answering // nil for the null lock
	workload Workload
	d        time.Duration
	bounds   []bound
}

const (
	us = float64(time.Microsecond)
	ms = float64(time.Millisecond)
)

func sleeper(d time.Duration, every int) func(shm.Mutex) answering {
	return func(fifo shm.Mutex) answering { return &delayed{Mutex: fifo, delay: d, every: every} }
}

// exams cover every unit of a sample, except the hardware counts and the quotients
// of two other units. Whatever else the machine does, no passage is quicker than
// the construction of the lock allows.
var exams = []exam{
	{"delayed", sleeper(10*time.Millisecond, 1), Workload{Procs: 1}, 0, []bound{
		{nsPerOp, 0.7, 1.4, true}, {nsPerOp, 9.9 * ms, 1000 * ms, false}, {rate, 0.7, 1.4, true}, {cpuPerOp, 0, 4 * ms, false},
		{meanLatency, 0.7, 1.6, true}, {p50, 0.8, 1.25, true}, {p50, 9.8 * ms, 1000 * ms, false}, {p90, 0.95, 4, true},
		{jainRun, 1, 1, false}, {overlap, 1, 1, false}}},
	{"null", nil, Workload{Procs: 1, CS: 200 * time.Microsecond, NCS: 200 * time.Microsecond}, 0, []bound{
		{cpuPerOp, 300 * us, 900 * us, false}, {nsPerOp, 300 * us, math.Inf(1), false}, {p50, 0, 10 * us, false}}},
	{"stalling", sleeper(20*time.Millisecond, 2000), Workload{Procs: 1}, 200 * time.Millisecond, []bound{
		{p50, 0, 10 * us, false}, {p99, 0, 1 * ms, false}, {p999, 0, 10 * ms, false}, {maxLatency, 19.8 * ms, 1000 * ms, false}}},
	{"handing", func(fifo shm.Mutex) answering {
		return &handing{delayed: delayed{Mutex: fifo, delay: 5 * time.Millisecond, every: 1}}
	}, Workload{Procs: 2}, 0, []bound{
		{nsPerOp, 0.7, 1.4, true}, {handoffP50, 0.75, 1.3, true}, {handoffP99, 4.9 * ms, 1000 * ms, false}, {jainRun, 0.99, 1, false}, {overlap, 0.5, 1, false}}},
	{"favoring", func(shm.Mutex) answering { return new(favoring) }, Workload{Procs: 2}, 0, []bound{
		{jainRun, 0.595, 0.625, false}, {jainShort, 0.595, 0.625, false}, {bypass, favors, favors, false},
		{longestRun, favors, favors, false}, {reacquire, 1, 1, false}}},
	{"holding", sleeper(5*time.Millisecond, 1), Workload{Procs: 4}, 0, []bound{
		{nsPerOp, 0.7, 1.4, true}, {nsPerOp, 4.9 * ms, 1000 * ms, false}, {cpuPerOp, 0, 2 * ms, false}, {jainRun, 0.99, 1, false}, {longestRun, 1, 1, false},
		{reacquire, 4, 4, false}, {bypass, 3, 3, false}}},
}

// attempts is how many times a figure may be wrong because of other work on the machine.
const attempts = 8

// SelfCheck measures locks with a known answer, and everything else that the
// figures depend on. It takes some seconds. It returns the checks, and ctx's error
// if ctx ends first.
func SelfCheck(ctx context.Context) ([]Check, error) {
	var all []Check
	for _, e := range exams {
		checks, err := retried(ctx, e.take)
		if err != nil {
			return all, err
		}
		all = append(all, checks...)
	}
	checks, err := retried(ctx, basics)
	return append(all, checks...), err
}

// retried repeats checks until all of them hold, at most attempts times.
func retried(ctx context.Context, take func(context.Context) ([]Check, error)) (checks []Check, err error) {
	for range attempts {
		if checks, err = take(ctx); ctx.Err() != nil || err == nil && Wrong(checks) == "" {
			break
		}
	}
	return checks, err
}

// Wrong describes the checks that do not hold; it is empty if all hold.
func Wrong(checks []Check) string {
	var wrong []string
	for _, c := range checks {
		if !c.Holds() {
			wrong = append(wrong, c.String())
		}
	}
	return strings.Join(wrong, "; ")
}

func (e exam) take(ctx context.Context) ([]Check, error) {
	a, lock := baseline.Null, answering(nil)
	if e.lock != nil {
		a = answer(e.name, e.workload.Procs, e.lock, &lock)
	}
	s, err := Measure(ctx, a, e.workload, Options{Duration: e.d})
	if err != nil && !errors.Is(err, ErrIdle) {
		return nil, err
	}
	var checks []Check
	for _, b := range e.bounds {
		name := fmt.Sprintf("lock %q: %s", e.name, b.unit)
		v, ok := s.Get(b.unit)
		if !ok {
			v = math.NaN()
		}
		if b.seen {
			name += " as a part of what it saw"
			v /= lock.seen()[b.unit]
		}
		checks = append(checks, Check{name, v, b.low, b.high})
	}
	return checks, nil
}

// basics checks the arithmetic and compares the calibrated work with the clock. It
// compares the arrivals of an open loop with the formulas of queueing theory. It
// also checks how many transfers were made for those that are reported.
func basics(ctx context.Context) ([]Check, error) {
	byHand, err := byHandChecks(ctx)
	if err != nil {
		return nil, err
	}
	checks := slices.Concat(workedOutChecks(), byHand, []Check{workCheck()})

	// Pollaczek and Khinchine: W = rho*S*(1+c*c)/(2*(1-rho)).
	const service, rho = 1e6, 0.8
	for _, queue := range []struct {
		name    string
		c       float64
		service func(p *process) float64
	}{
		{"M/D/1", 0, func(*process) float64 { return service }},
		{"M/M/1", 1, func(p *process) float64 { return service * p.rand.ExpFloat64() }},
	} {
		p := newProcess(3, Workload{Procs: 1, Rate: rho * 1e9 / service})
		want := rho * (1 + queue.c) / (2 * (1 - rho))
		got := queueWait(&p.arrivals, 200_000, func() float64 { return queue.service(p) }) / service
		checks = append(checks, Check{"mean wait of an " + queue.name + " queue, in service times", got, 0.93 * want, 1.07 * want})
	}
	first, second := newProcess(0, Workload{Procs: 2}), newProcess(1, Workload{Procs: 2})
	same := 0.0
	if first.rand.Uint64() == second.rand.Uint64() {
		same = 1
	}
	checks = append(checks, Check{"processes that draw the same lots", same, 0, 0})

	if min(runtime.GOMAXPROCS(0), runtime.NumCPU()) >= 2 {
		checks = append(checks, transferCheck())
	}
	return checks, nil
}

// transferCheck counts the answers of as many trials as there is time for. Other
// programs may use up that time.
func transferCheck() Check {
	ns, done, answers := make([]int64, 3), 0, 0
	for range attempts {
		if done, answers = exchange(100, ns, nil); done == len(ns) {
			break
		}
	}
	return Check{"answers for a transfer", float64(answers) / max(1, float64(100*done)), 0.98, 1.02}
}

// workCheck compares work with the clock. It takes the quickest of many trials,
// because other programs may use the processor.
func workCheck() Check {
	const d = 100 * time.Microsecond
	n, quickest := stepsAt(d, calibrate()), int64(math.MaxInt64)
	var x uint64
	for range 100 {
		start := clock.Now()
		x = work(n, x)
		quickest = min(quickest, clock.Now()-start)
	}
	keep(x)
	return Check{"work of 100 us, in us", float64(quickest) / us, 75, 130}
}

// queueWait returns the mean wait of n arrivals at one server in virtual time.
func queueWait(a *arrivals, n int, service func() float64) (mean float64) {
	now, sum, made := 0.0, 0.0, 0
	a.serve(
		func() int64 { return int64(now) },
		func() { now = float64(a.due) },
		func() bool { return made == n },
		func(due int64) {
			sum += now - float64(due)
			now += service()
			made++
		})
	return sum / float64(n)
}
