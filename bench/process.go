package bench

import (
	"math/rand/v2"
	"runtime"

	"github.com/HdrHistogram/hdrhistogram-go"

	"shmbench/internal/clock"
	"shmbench/shm"
)

// The phases of a sample, in order.
const (
	gathering uint32 = iota // processes arrive at the barrier
	warmingUp               // they run; nothing counts
	counting                // they run; passages count, with nothing else in the loop
	detailing               // they run; latency, hand-over and owners are noted
	over
	phases
)

// In the detailed window one passage in latencyEvery is timed and one in
// stampEvery says when it was released, at random, on average. A hand-over is
// known where a timed passage follows a stamped one.
const (
	latencyEvery = 16
	stampEvery   = 4
)

// span is a process's share of one phase.
type span struct {
	from, to int64 // when it noticed the beginning and the end; 0 if it never did
	passages uint64
}

// process is one of the processes of a sample. Its fields are its own until it
// has ended.
type process struct {
	_        shm.Pad
	pid      int
	spans    [phases]span
	sink     uint64 // what came out of the work
	rand     *rand.Rand
	due      int64 // open loop: when the next passage is due
	latency  *hdrhistogram.Histogram
	handoff  *hdrhistogram.Histogram
	bypassed uint64 // the most passages of others while it waited
	_        shm.Pad
}

// Latencies are kept to two digits, from 1 ns to 100 s.
func newHistogram() *hdrhistogram.Histogram { return hdrhistogram.New(1, 100e9, 2) }

func newProcess(pid int) *process {
	return &process{
		pid:     pid,
		rand:    rand.New(rand.NewPCG(uint64(pid), 0)),
		latency: newHistogram(),
		handoff: newHistogram(),
	}
}

// run takes part in the sample from the barrier to the end.
func (p *process) run(t *trial) {
	t.arrived()
	phase := t.phase.Load()
	for ; phase == gathering; phase = t.phase.Load() {
		runtime.Gosched()
	}
	p.due = clock.Now()
	t.begun()
	for phase != over {
		here := &p.spans[phase]
		here.from = clock.Now()
		if phase == counting {
			t.arm(p.pid)
		}
		switch {
		case t.workload.Rate > 0:
			here.passages = p.open(t, phase)
		case phase == detailing:
			here.passages = p.detailed(t)
		default:
			here.passages = p.closed(t, phase)
		}
		here.to = clock.Now()
		phase = t.phase.Load()
	}
}

// closed makes passages until the phase is over and returns how many. This is
// the loop that is measured: it has the lock, the self-checking critical
// section and a look at the phase, and nothing else.
func (p *process) closed(t *trial, phase uint32) uint64 {
	lock, section, pid, cs, ncs := t.lock, t.section, p.pid, t.cs, t.ncs
	var n uint64
	for ; t.phase.Load() == phase; n++ {
		lock.Lock(pid)
		passage := section.enter()
		if cs > 0 {
			p.sink = work(cs, p.sink)
		}
		if passage == section.last {
			t.closeWindow()
		}
		section.leave()
		lock.Unlock(pid)
		if ncs > 0 {
			p.sink = work(ncs, p.sink)
		}
	}
	return n
}

// detailed is closed with notes taken.
func (p *process) detailed(t *trial) uint64 {
	toTime, toStamp := p.drawInterval(latencyEvery), p.drawInterval(stampEvery)
	var n uint64
	for ; t.phase.Load() == detailing; n++ {
		toTime--
		toStamp--
		stamp := toStamp == 0
		if stamp {
			toStamp = p.drawInterval(stampEvery)
		}
		if toTime > 0 {
			t.lock.Lock(p.pid)
			p.notedSection(t, stamp)
			t.lock.Unlock(p.pid)
		} else {
			toTime = p.drawInterval(latencyEvery)
			p.timed(t, stamp)
		}
		if t.ncs > 0 {
			p.sink = work(t.ncs, p.sink)
		}
	}
	return n
}

// timed makes one passage and notes how long it took to get in: from the call,
// or in an open loop from when the passage was due.
func (p *process) timed(t *trial, stamp bool) {
	before := t.section.entries.Load()
	called := clock.Now()
	t.lock.Lock(p.pid)
	entered := clock.Now()
	bypassed := t.section.entries.Load() - before
	released := t.section.releasedAt
	p.notedSection(t, stamp)
	t.lock.Unlock(p.pid)

	asked := called
	if t.workload.Rate > 0 {
		asked = p.due
	}
	p.bypassed = max(p.bypassed, bypassed)
	record(p.latency, entered-asked)
	if released > called { // it was waiting when the last one left
		record(p.handoff, entered-released)
	}
}

// notedSection is the critical section with notes taken.
func (p *process) notedSection(t *trial, stamp bool) {
	section := t.section
	section.enter()
	section.log(p.pid)
	if t.cs > 0 {
		p.sink = work(t.cs, p.sink)
	}
	section.leave()
	section.releasedAt = 0
	if stamp {
		section.releasedAt = clock.Now()
	}
}

// drawInterval draws the number of passages to the next that is special, one in mean.
func (p *process) drawInterval(mean int) int { return 1 + p.rand.IntN(2*mean-1) }

func record(h *hdrhistogram.Histogram, ns int64) {
	// A value out of the histogram's range is counted at its end.
	_ = h.RecordValue(min(max(ns, h.LowestTrackableValue()), h.HighestTrackableValue()))
}
