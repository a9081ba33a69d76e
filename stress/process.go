package stress

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync/atomic"
	"time"

	"shmbench/internal/affinity"
	"shmbench/internal/goroutine"
	"shmbench/internal/oracle"
	"shmbench/shm"
)

// process is a process of the lock and the thread that acts for it.
type process struct {
	_         shm.Pad
	id        int
	goroutine atomic.Int64 // its number
	orders    chan order
	rests     chan struct{} // one value for each order carried out
	resting   atomic.Bool   // has no order to carry out
	made      uint64        // passages in this stride; read while the process rests

	// What others may see at any time. The process alone writes at, and
	// nobody reads another's on the way to a critical section but where a mark
	// was found, so that the race detector does not take it for
	// synchronisation between critical sections.
	at   atomic.Uint64 // see sections
	mark atomic.Pointer[mark]
	_    shm.Pad
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
	if o.world == shaken || o.world == unfair {
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
	for r.ready.Add(1); r.ready.Load() < int64(len(o.active)); {
		runtime.Gosched()
	}
	wait.pass(o.stagger)
	for made := 0; made < o.passages || o.passages == 0; made++ {
		if r.stop.Load() || r.enough.Load() {
			return
		}
		if o.world == unfair { // yields nowhere else
			r.passage(p, hold)
			continue
		}
		wait.mayYield()
		r.passage(p, hold)
		wait.mayYield()
	}
}

// passage goes once through the lock and the critical section.
func (r *runner) passage(p *process, hold func()) {
	p.move()
	r.lock.Lock(p.id)
	p.move()
	if m := p.mark.Load(); m != nil {
		r.resolve(p, m)
	}
	err := r.section.Pass(p.id, hold)
	p.move()
	r.lock.Unlock(p.id)
	p.move()
	p.made++
	if err == nil {
		return
	}
	kind := wordsTorn
	if err.(*oracle.Overlap).Oracle == oracle.Owner {
		kind = ownerSeen
	}
	r.tally.note(kind, err.Error())
	r.stop.Store(true)
}

// delays is how a process passes time in a phase.
type delays struct {
	*rand.Rand
	phase
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

// pass passes at most some time, in units of about a nanosecond.
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
