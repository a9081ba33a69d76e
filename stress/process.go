package stress

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync/atomic"
	"time"

	"shmbench/internal/machine/affinity"
	"shmbench/internal/machine/clock"
	"shmbench/internal/run/goroutine"
	"shmbench/shm"
)

// process is a process of the lock and the thread that acts for it.
type process struct {
	_         shm.Pad
	id        int
	goroutine atomic.Int64 // its number
	orders    chan order
	rests     chan struct{} // one value for each order carried out
	account                 // read while the process rests
	mark      atomic.Pointer[mark]
	*public
	_ shm.Pad
}

// account is what a process has made in a stride.
type account struct {
	made, looked, failed uint64 // passages, those of a reader among them, and entries that failed
	executed             uint64 // passages by Execute among those made
}

// public is what others may see of a process at any time. The process alone writes at, and
// no process reads another's on the way to a critical section but where a mark
// was found, so that the race detector does not take it for
// synchronisation between critical sections.
type public struct {
	_       shm.Pad
	resting atomic.Bool   // has no order to carry out
	mode    atomic.Uint32 // the shm.Mode of the passage that it makes, or made last
	at      atomic.Uint64 // see sections
	_       shm.Pad
}

// The sections of a cycle. A process moves from each to the next, and counts
// the moves since the run began: the remainder of the count is where it is.
const (
	remainder = iota
	entry
	critical
	exit
	sections
)

var sectionNames = [sections]string{"remainder", "entry", "critical", "exit"}

func (p *process) move() { p.at.Store(p.at.Load() + 1) }

// entered returns how many critical sections a process has begun that is at
// a move.
func entered(at uint64) uint64 { return (at + sections - critical) / sections }

// inLock reports whether a process that is at a move is in its entry or exit
// section.
func inLock(at uint64) bool { return at%sections == entry || at%sections == exit }

// order tells a process to take part in a phase.
type order struct {
	phase
	seed uint64
	cpu  int // to be pinned to, or -1
}

// act carries out orders. The thread is never given back: it ends with the
// goroutine.
func (r *runner) act(p *process) {
	runtime.LockOSThread()
	p.goroutine.Store(int64(goroutine.ID()))
	for o := range p.orders {
		r.obey(p, o)
		p.resting.Store(true)
		p.rests <- struct{}{}
	}
}

// obey makes the passages of one phase.
func (r *runner) obey(p *process, o order) {
	if o.world == interrupted || o.world == unfair {
		// Switching from one goroutine to another is quick where neither
		// needs a thread of its own.
		runtime.UnlockOSThread()
		defer runtime.LockOSThread()
	}
	if o.cpu >= 0 {
		if unpin, err := affinity.Pin(o.cpu); err == nil {
			defer unpin()
		}
	}
	defer func() {
		if v := recover(); v != nil {
			r.stop.Store(true)
			r.tally.note(panicked, fmt.Sprintf("process %d panicked: %v", p.id, v))
		}
	}()
	wait := delays{rand.New(rand.NewPCG(o.seed, uint64(p.id))), o.phase}
	hold := wait.linger
	modes := r.modes
	if o.mixed > 0 && o.kept {
		modes = []shm.Mode{wait.mode(modes)}
	}
	for r.ready.Add(1); r.ready.Load() < int64(len(o.active)); {
		r.idle()
	}
	wait.pass(o.stagger)
	for made := 0; made < o.passages || o.passages == 0; made++ {
		if r.stop.Load() || r.enough.Load() {
			return
		}
		if o.world == unfair { // yields nowhere else
			mode, failed := wait.mode(modes), p.failed
			r.passage(p, mode, wait.giveUp(mode), hold)
			if p.failed > failed {
				runtime.Gosched() // to let the process inside go on
			}
			continue
		}
		if o.goal > 0 && wait.IntN(contendedSample) == 0 {
			r.contend(p, hold, uint64(o.goal))
			continue
		}
		wait.mayYield()
		mode := wait.mode(modes)
		r.passage(p, mode, wait.giveUp(mode), hold)
		wait.mayYield()
	}
}

// contend makes an exclusive passage that is counted if it is contended, and ends
// the phase if there have been as many as the goal.
func (r *runner) contend(p *process, hold func(), goal uint64) {
	began := clock.Now()
	r.passage(p, shm.Exclusive, nil, func() {
		if r.contention.Enter(p.id, began) >= goal {
			r.enough.Store(true)
		}
		hold()
		r.contention.Leave(p.id, clock.Now())
	})
}

// passage goes once through the lock and the critical section in a mode; if it does
// not enter, the process is in its remainder section again, where it was. In a phase of
// Execute, the critical section is a request.
func (r *runner) passage(p *process, mode shm.Mode, giveUp func() bool, hold func()) {
	if r.delegate != nil {
		r.execute(p, hold)
		return
	}
	p.mode.Store(uint32(mode))
	p.move()
	if !mode.Enter(r.lock, p.id, giveUp) {
		p.failed++
		p.at.Store(p.at.Load() - 1)
		return
	}
	p.move()
	if m := p.mark.Load(); m != nil {
		r.resolve(p, m)
	}
	pass := r.section.Pass
	if mode.Reads() {
		pass = r.section.Look
		p.looked++
	}
	err := pass(p.id, hold)
	p.move()
	mode.Leave(r.lock, p.id)
	p.move()
	p.made++
	r.judge(err)
}

// delays is how a process passes time in a phase, and what it makes of its passages.
type delays struct {
	*rand.Rand
	phase
}

// mode draws the mode of a passage from those of the lock, or from the one that the
// process keeps.
func (d delays) mode(modes []shm.Mode) shm.Mode {
	if len(modes) == 1 {
		return modes[0]
	}
	if d.mixed == 0 || d.IntN(d.mixed) == 0 {
		return shm.Exclusive
	}
	return modes[1+d.IntN(len(modes)-1)]
}

// giveUp returns a function that lets a process give up after some polls, or nil in
// a mode that needs none.
func (d delays) giveUp(mode shm.Mode) func() bool {
	if mode != shm.Until {
		return nil
	}
	polls := d.IntN([]int{1, 3, 20, 1000}[d.IntN(4)])
	return func() bool {
		polls--
		return polls < 0
	}
}

// linger passes the time that a critical section takes.
func (d delays) linger() {
	most := d.hold
	if d.rarely > 0 && d.IntN(d.rarely) == 0 {
		most *= 50
	}
	d.pass(most)
	if d.nap > 0 && d.IntN(d.nap) == 0 {
		time.Sleep(time.Duration(d.IntN(4000)) * time.Microsecond)
	}
	d.mayYield()
}

// mayYield yields to other goroutines if the lot falls so.
func (d delays) mayYield() {
	if d.yield > 0 && d.IntN(d.yield) == 0 {
		runtime.Gosched()
	}
}

// pass passes at most a given time, in units of about a nanosecond.
func (d delays) pass(most int) {
	if most <= 0 {
		return
	}
	for range d.IntN(most) {
		nothing()
	}
}

//go:noinline
func nothing() {}
