// Package crew is goroutines that work on one thing in rounds.
package crew

import (
	"runtime"
	"sync/atomic"
	"time"
)

// Crew is goroutines that do the same thing at once, again and again, waiting
// actively in between: what they do takes less time than waking them.
type Crew struct {
	size  int
	work  func(worker int)
	round atomic.Uint32
	busy  atomic.Int32
	// failed is what a worker has panicked with.
	failed failure
}

// New returns a crew of which the caller is one. Workers are numbered from 0,
// the caller. It must be dismissed.
func New(size int) *Crew {
	c := &Crew{size: size}
	for w := 1; w < size; w++ {
		go c.join(w)
	}
	return c
}

func (c *Crew) join(worker int) {
	for round := uint32(0); ; {
		for spins := 0; c.round.Load() == round; spins++ {
			idle(spins)
		}
		round++
		if c.work == nil {
			return
		}
		c.share(worker)
		c.busy.Add(-1)
	}
}

// share does a worker's share of the work.
func (c *Crew) share(worker int) {
	defer c.failed.note()
	c.work(worker)
}

// Do has every worker do the work, and waits until all have. It panics if a worker
// has.
func (c *Crew) Do(work func(worker int)) {
	c.work = work
	c.busy.Store(int32(c.size - 1))
	c.round.Add(1)
	c.share(0)
	for spins := 0; c.busy.Load() > 0; spins++ {
		idle(spins)
	}
	c.failed.pass()
}

// Dismiss ends the goroutines.
func (c *Crew) Dismiss() {
	c.work = nil
	c.round.Add(1)
}

// idle lets others run, the longer the longer nothing has happened.
func idle(spins int) {
	if spins < 1<<12 {
		runtime.Gosched()
	} else {
		time.Sleep(20 * time.Microsecond)
	}
}
