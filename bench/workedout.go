package bench

import (
	"context"
	"math"
	"time"

	"shmbench/internal/machine/clock"
	"shmbench/locks/baseline"
)

// What the self-check compares with what can be worked out by hand: a sample of
// known notes, and trials whose processes are led through their loops.

// workedOut are notes whose sample can be worked out by hand: 1000 passages in
// 2 ms (one process made nine of ten), while the conductor's window was
// half as long again; and 10,000 waits.
func workedOut() *notes {
	n := &notes{
		workload: Workload{Procs: 2},
		passages: []uint64{900, 100},
		open:     edge{at: 1_000, passage: 50},
		closed:   edge{at: 2_001_000, passage: 1050},
		began:    []int64{0, 1_000_000},
		ended:    []int64{4_000_000, 3_000_000},
		spent:    usage{wall: 3 * time.Millisecond, cpu: 6 * time.Millisecond, cpuKnown: true, counters: []uint64{9000, 1500, 3}},
		waits:    newWaits(),
		reached:  0.75,
	}
	for i, c := range []struct{ n, ns int64 }{{5_000, 100}, {4_000, 1_000}, {980, 10_000}, {15, 1_000_000}, {5, 90_000_000}} {
		for range c.n {
			n.waits.add(wait{called: 1000, entered: 1000 + c.ns, released: 1000 + c.ns - 50, before: 10, passage: 10 + uint64(i)}, 0, whole)
		}
	}
	for range 10 {
		n.owners = append(n.owners, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)
	}
	return n
}

const ninetyTen = 1e6 / (2 * (900*900 + 100*100)) // Jain's index of nine to one

var workedOutAnswers = []Value{
	{2000, nsPerOp}, {500_000, rate}, {0.5, overlap}, {ninetyTen, jainRun}, {4000, cpuPerOp},
	{6, "cycles/op"}, {1, "instructions/op"}, {0.002, "cache-misses/op"},
	{(500_000 + 4_000_000 + 9_800_000 + 15_000_000 + 450_000_000) / 10_000.0, meanLatency},
	{100, p50}, {1_000, p90}, {10_000, p99}, {1_000_000, p999}, {90_000_000, maxLatency},
	{4, bypass}, {50, handoffP50}, {50, handoffP99}, {ninetyTen, jainShort}, {9, longestRun}, {1, reacquire},
}

// workedOutChecks hold the sample to what was worked out, to the two digits of
// the histograms.
func workedOutChecks() []Check {
	s := workedOut().sample(baseline.Null)
	var checks []Check
	for _, want := range workedOutAnswers {
		v, ok := s.Get(want.Unit)
		if !ok {
			v = math.NaN()
		}
		checks = append(checks, Check{"worked out by hand: " + want.Unit, v, 0.99 * want.Value, 1.01 * want.Value})
	}
	parts := 0.0
	for _, bad := range []*section{{before: 6, after: 5}, {before: 5, after: 6}, {before: 5, after: 5, met: 1}} {
		if !bad.exclusive(5) {
			parts++
		}
	}
	return append(checks,
		Check{"violations of exclusion that are seen", parts, 3, 3},
		Check{"cost of an operation by five trials", costOf(1000, []int64{9000, 100, 300, 200, 400}), 0.3, 0.3},
		Check{"steps a ns by three trials", perNS(1000, []int64{900, 400, 700}), 2.5, 2.5},
		Check{"steps of 10 us at 2.5 a ns", float64(stepsAt(10*time.Microsecond, 2.5)), 25_000, 25_000})
}

// byHandChecks hold trials to what was done in them.
func byHandChecks(ctx context.Context) ([]Check, error) {
	jain, err := jainOfWindows()
	if err != nil {
		return nil, err
	}
	idle, stale, err := loops()
	if err != nil {
		return nil, err
	}
	s, err := measure(ctx, baseline.Null, Workload{Procs: 1}, Options{}, window{
		quota: 1000, detail: func(time.Duration) time.Duration { return time.Millisecond },
	})
	if err != nil {
		return nil, err
	}
	checks := []Check{
		{"jain of the counted window", jain, ninetyTen, ninetyTen},
		{"windows without their work", float64(idle), 0, 0},
		{"stale stamps of a release", float64(stale), 0, 0},
		{"passages in a window of 1000", float64(s.Passages), 1000, 1000},
	}
	if cpu, ok := workedOutCPU(); ok {
		checks = append(checks, Check{"processor time of a program and of the system for it, in s", cpu.Seconds(), 3.5, 3.5})
	}
	return checks, nil
}

// jainOfWindows is Jain's index of a trial of two processes that passed alike in
// all windows but the counted one, where it was nine to one.
func jainOfWindows() (float64, error) {
	t, err := newTrial(baseline.Channel, Workload{Procs: 2})
	if err != nil {
		return 0, err
	}
	for phase := range phases {
		t.section.edges[phase] = edge{at: int64(phase), passage: uint64(phase)}
		for _, p := range t.procs {
			p.passages[phase] = 500
		}
	}
	t.procs[0].passages[counting], t.procs[1].passages[counting] = 900, 100
	s := t.notes(usage{wall: 1}).sample(baseline.Channel)
	jain, _ := s.Get(jainRun)
	return jain, nil
}

// ending is a lock for one process that ends the trial after so many passages.
type ending struct {
	trial *trial
	left  int
}

func (*ending) Lock(int) {}

func (l *ending) Unlock(int) {
	if l.left--; l.left == 0 {
		l.trial.declare(over)
	}
}

// loops leads a process through the loop of every window, and counts those in
// which it does not do its work, as the outcome of the work shows; and the times
// at which a release is stamped that are of an earlier one.
func loops() (idle, stale int, err error) {
	const passages = 10
	for phase := warmingUp; phase < over; phase++ {
		t, err := newTrial(baseline.Null, Workload{Procs: 1, CS: time.Microsecond, NCS: 2 * time.Microsecond})
		if err != nil {
			return 0, 0, err
		}
		t.lock = &ending{t, passages}
		t.declare(phase)
		p := t.procs[0]
		if phase < ordering {
			p.working(t, phase)
		} else {
			p.detailed(t, phase)
		}
		if p.sink != work((t.cs+t.ncs)*(passages+1), 0) {
			idle++
		}
		if phase != timing {
			continue
		}
		t.declare(timing)
		for range 100 {
			before := clock.Now()
			p.observed(t, timing, 0)
			if at := t.section.releasedAt; at != 0 && at < before {
				stale++
			}
		}
	}
	return idle, stale, nil
}
