package bench

import (
	"math/rand/v2"
	"sync/atomic"

	"shmbench/internal/machine/clock"
	"shmbench/internal/run/goroutine"
	"shmbench/shm"
)

// The phases of a sample, in order. Processes run through all of them without a
// stop; a passage belongs to the phase that it sees in its critical section.
const (
	gathering uint32 = iota // processes arrive at the barrier
	warmingUp               // nothing counts
	counting                // passages count, with nothing else in the loop
	ordering                // the log of owners is kept
	timing                  // each passage is timed
	over
	phases
)

// fewPassages is how many passages each process should make in a window.
const fewPassages = 20

// process is one of the processes of a sample. Its fields are its own until it
// has ended.
type process struct {
	_            shm.Pad
	pid          int
	goroutine    atomic.Int64 // its number
	done         atomic.Bool
	began, ended int64
	passages     [phases]uint64
	looked, met  uint64 // passages that read only, and those of them that met a writer
	sink         uint64 // what came out of the work
	rand         *rand.Rand
	arrivals     arrivals // in an open loop
	waits        *waits
	_            shm.Pad
}

func newProcess(pid int, w Workload) *process {
	random := rand.New(rand.NewPCG(uint64(pid), 0))
	return &process{pid: pid, rand: random, arrivals: newArrivals(w.Rate, random), waits: newWaits()}
}

// all returns how many passages the process has made in all phases. It reads as moves does.
//
//go:norace
func (p *process) all() (n uint64) {
	for _, passages := range p.passages {
		n += passages
	}
	return n
}

// run takes part in the sample from the barrier to the end.
func (p *process) run(t *trial) {
	p.goroutine.Store(int64(goroutine.ID()))
	t.arrived()
	for t.phase.Load() == gathering {
		t.idle()
	}
	p.began = clock.Now()
	t.begun()
	switch {
	case t.workload.Rate > 0:
		p.open(t)
	case t.workload.Readers > 0:
		p.sharing(t)
	case t.executes():
		p.executing(t)
	default:
		for phase := warmingUp; phase != over; {
			switch {
			case phase >= ordering:
				phase = p.detailed(t, phase)
			case t.works() || p.passages[phase] < fewPassages:
				phase = p.working(t, phase)
			case t.workload.Touch:
				phase = p.touching(t, phase)
			default:
				phase = p.closed(t, phase)
			}
		}
	}
	p.ended = clock.Now()
}

// detailed is closed with notes taken.
func (p *process) detailed(t *trial, phase uint32) uint32 {
	for {
		now := p.observed(t, phase, 0)
		if t.ncs > 0 {
			p.sink = work(t.ncs, p.sink)
		}
		if now != phase {
			return now
		}
	}
}

// open makes passages when they are due, until the sample is over.
func (p *process) open(t *trial) {
	phase := warmingUp
	p.arrivals.due = p.began
	p.arrivals.serve(clock.Now, t.idle,
		func() bool { return phase == over || t.phase.Load() == over },
		func(due int64) { phase = p.observed(t, phase, due) })
}

// stampEvery is how often a timed passage says when it was released, at random,
// on average. A hand-over is timed where the next passage follows such a one.
const stampEvery = 4

// observed makes one passage, with the notes of the phase, and returns the phase
// in which it falls. In an open loop it was due at the time due, elsewhere 0.
func (p *process) observed(t *trial, phase uint32, due int64) (now uint32) {
	var w wait
	section, timed := t.section, phase == timing
	if timed {
		w.before = section.begun.Load()
		w.called = clock.Now()
	}
	t.lock.Lock(p.pid)
	if timed {
		w.entered = clock.Now()
	}
	passage := section.enter()
	if now = t.phase.Load(); now != phase || passage >= section.last {
		now = t.turn(p, phase, passage)
	}
	w.passage = passage
	w.released = section.releasedAt
	switch {
	case now != phase: // turn has done it
	case now == ordering:
		section.log(p.pid)
	case now == timing:
		section.begun.Store(passage + 1)
	}
	if t.inside {
		p.sink = t.criticalWork(p.sink)
	}
	section.leave()
	section.releasedAt = 0
	if timed && p.rand.IntN(stampEvery) == 0 {
		section.releasedAt = clock.Now()
	}
	t.lock.Unlock(p.pid)

	if timed {
		p.waits.add(w, due, t.windowEnd(now))
	}
	if p.passages[now]++; p.passages[now] == fewPassages {
		t.enough[now].Add(1)
	}
	return now
}
