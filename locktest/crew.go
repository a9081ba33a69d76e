package locktest

import (
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"time"

	"shmbench/internal/goroutine"
	"shmbench/shm"
)

// process is a process of the lock under test, and the goroutine that acts
// for it.
type process struct {
	id        int
	goroutine atomic.Int64 // its number, 0 before it runs
	inLock    atomic.Bool  // in the entry or exit section
	idle      atomic.Bool  // waits for another process of the crew, at a gate
	moves     atomic.Int64 // calls of Lock and Unlock that returned
	err       error        // set by its goroutine before it is done
	done      chan struct{}
}

// crew is the processes that use one lock.
type crew struct {
	s    *suite
	lock shm.Mutex
	n    int
	all  []*process
	stop atomic.Bool // asks the processes to end
}

// newCrew builds the lock for n processes.
func (s *suite) newCrew(n int) (*crew, error) {
	lock, err := s.a.New(n)
	if err != nil {
		return nil, fmt.Errorf("New(%d): %w", n, err)
	}
	if lock == nil {
		return nil, fmt.Errorf("New(%d) returned neither a lock nor an error", n)
	}
	return &crew{s: s, lock: lock, n: n}, nil
}

// start lets process id do body on a goroutine of its own.
func (c *crew) start(id int, body func(p *process) error) *process {
	p := &process{id: id, done: make(chan struct{})}
	c.all = append(c.all, p)
	go func() {
		defer close(p.done)
		defer func() {
			if v := recover(); v != nil {
				p.err = fmt.Errorf("process %d panicked: %v\n%s", id, v, debug.Stack())
			}
			if p.err != nil {
				c.stop.Store(true)
			}
		}()
		p.goroutine.Store(int64(goroutine.ID()))
		p.err = body(p)
	}()
	return p
}

// lockFor and unlockFor call the lock for process p and keep account of it.
func (c *crew) lockFor(p *process) {
	p.inLock.Store(true)
	c.lock.Lock(p.id)
	p.inLock.Store(false)
	p.moves.Add(1)
}

func (c *crew) unlockFor(p *process) {
	p.inLock.Store(true)
	c.lock.Unlock(p.id)
	p.inLock.Store(false)
	p.moves.Add(1)
}

// ticks is into how many pieces the watchdog cuts its deadline. It counts
// pieces and not the time that passed, so that a machine that slept in
// between is not held against the lock.
const ticks = 50

// join waits for all processes and returns what they returned. If nothing
// moves for the deadline, or if a process stays in its entry section for that
// long while starving is forbidden, it returns a report of who waits where.
// It also returns, leaving them behind, when the suite is cancelled.
func (c *crew) join(mayStarve bool) error {
	tick := time.NewTicker(c.s.o.Deadline / ticks)
	defer tick.Stop()
	w := watch{still: make([]int, len(c.all)), moves: make([]int64, len(c.all))}
	for _, p := range c.all {
		for done := false; !done; {
			select {
			case <-p.done:
				done = true
			case <-c.s.ctx.Done():
				c.stop.Store(true)
				return c.s.ctx.Err()
			case <-tick.C:
				if err := w.look(c, mayStarve); err != nil {
					c.stop.Store(true)
					c.s.stuck = true
					return err
				}
			}
		}
	}
	var errs []error
	for _, p := range c.all {
		errs = append(errs, p.err)
	}
	return errors.Join(errs...)
}

// watch is what the watchdog remembers of the processes from tick to tick.
type watch struct {
	still []int // for how many ticks in a row a process sat in the lock
	moves []int64
	quiet int // for how many ticks in a row all did
}

// look is one tick. It counts nothing while some process outside the lock
// could go on and has not, as then the machine is slow or the test is.
func (w *watch) look(c *crew, mayStarve bool) error {
	var inside, active, moved bool
	for i, p := range c.all {
		in := p.inLock.Load()
		if m := p.moves.Load(); m != w.moves[i] {
			w.moves[i], moved = m, true
			w.still[i] = 0
		}
		switch {
		case p.ended():
			w.still[i] = 0
		case in:
			inside = true
		case !p.idle.Load():
			active = true
		}
	}
	if active && !moved {
		return nil
	}
	longest := 0
	for i, p := range c.all {
		if p.inLock.Load() && !p.ended() {
			w.still[i]++
			longest = max(longest, w.still[i])
		}
	}
	w.quiet++
	if moved || !inside {
		w.quiet = 0
	}
	switch {
	case w.quiet >= ticks:
		return fmt.Errorf("hung: no process moved for %v%s", c.s.o.Deadline, c.whereabouts())
	case moved && longest >= ticks && !mayStarve:
		return fmt.Errorf("a process starved: it waited for %v while others entered%s", c.s.o.Deadline, c.whereabouts())
	}
	return nil
}

// ended reports whether the process is done.
func (p *process) ended() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

// whereabouts says, a line a process, where each one is.
func (c *crew) whereabouts() string {
	stacks := goroutine.Dump()
	var b strings.Builder
	for _, p := range c.all {
		if p.ended() {
			fmt.Fprintf(&b, "\n\tprocess %d: has finished", p.id)
			if p.err != nil {
				fmt.Fprintf(&b, ": %v", p.err)
			}
			continue
		}
		st := stacks[int(p.goroutine.Load())]
		fmt.Fprintf(&b, "\n\tprocess %d: [%s] at %s, after %d calls", p.id, st.State, st.Place(), p.moves.Load())
	}
	return b.String()
}
