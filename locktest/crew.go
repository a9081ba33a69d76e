package locktest

import (
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"time"

	"shmbench/internal/run/goroutine"
	"shmbench/internal/run/watchdog"
	"shmbench/shm"
)

// process is a process of the lock under test, and the goroutine that acts
// for it.
type process struct {
	id        int
	goroutine atomic.Int64  // its number, 0 before it runs
	inLock    atomic.Bool   // in the entry or exit section
	idle      atomic.Bool   // waits for another process of the crew, at a gate
	moves     atomic.Uint64 // calls of the lock that returned
	err       error         // set by its goroutine before it is done
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

// enterFor and leaveFor call the lock for process p and keep account of it; lockFor and
// unlockFor do so in the mode that every lock has.
func (c *crew) enterFor(p *process, mode shm.Mode, giveUp func() bool) bool {
	p.inLock.Store(true)
	entered := mode.Enter(c.lock, p.id, giveUp)
	p.inLock.Store(false)
	p.moves.Add(1)
	return entered
}

func (c *crew) leaveFor(p *process, mode shm.Mode) {
	p.inLock.Store(true)
	mode.Leave(c.lock, p.id)
	p.inLock.Store(false)
	p.moves.Add(1)
}

func (c *crew) lockFor(p *process)   { c.enterFor(p, shm.Exclusive, nil) }
func (c *crew) unlockFor(p *process) { c.leaveFor(p, shm.Exclusive) }

// join waits for all processes and returns what they returned. If nothing
// moves for the deadline, or if a process stays in its entry section for that
// long while starving is forbidden, it returns a report of where each process waits.
// It also returns, leaving them behind, when the suite is canceled.
func (c *crew) join(mayStarve bool) error {
	dog := watchdog.New(len(c.all), c.s.o.Deadline, func(i int) (uint64, watchdog.Place) {
		p := c.all[i]
		return p.moves.Load(), p.place()
	})
	tick := time.NewTicker(dog.Interval())
	defer tick.Stop()
	for _, p := range c.all {
		for done := false; !done; {
			select {
			case <-p.done:
				done = true
			case <-c.s.ctx.Done():
				c.stop.Store(true)
				return c.s.ctx.Err()
			case <-tick.C:
				dog.Tick()
				text := ""
				if dog.Hung() {
					text = "hung: no process moved for %v%s"
				} else if !mayStarve && dog.Starved() != nil {
					text = "a process starved: it waited for %v while others entered%s"
				}
				if text != "" {
					c.stop.Store(true)
					c.s.stuck = true
					return fmt.Errorf(text, c.s.o.Deadline, c.whereabouts())
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

func (p *process) place() watchdog.Place {
	switch {
	case p.ended():
		return watchdog.Away
	case p.inLock.Load():
		return watchdog.Inside
	case p.idle.Load():
		return watchdog.Away
	}
	return watchdog.Outside
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
		fmt.Fprintf(&b, "\n\tprocess %d: %v, after %d calls", p.id, stacks[int(p.goroutine.Load())], p.moves.Load())
	}
	return b.String()
}
