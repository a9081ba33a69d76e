package explore

import (
	"runtime"
	"sync/atomic"
	"time"
)

// crew is goroutines that do the same thing at once, again and again, waiting
// actively in between: what they do takes less time than waking them.
type crew struct {
	size  int
	work  func(worker int)
	round atomic.Uint32
	busy  atomic.Int32
}

// newCrew returns a crew of which the caller is one. It must be dismissed.
func newCrew(size int) *crew {
	c := &crew{size: size}
	for w := 1; w < size; w++ {
		go c.join(w)
	}
	return c
}

func (c *crew) join(worker int) {
	for round := uint32(0); ; {
		for spins := 0; c.round.Load() == round; spins++ {
			idle(spins)
		}
		round++
		if c.work == nil {
			return
		}
		c.work(worker)
		c.busy.Add(-1)
	}
}

// do has every worker do the work, and waits until all have.
func (c *crew) do(work func(worker int)) {
	c.work = work
	c.busy.Store(int32(c.size - 1))
	c.round.Add(1)
	work(0)
	for spins := 0; c.busy.Load() > 0; spins++ {
		idle(spins)
	}
}

// dismiss ends the goroutines.
func (c *crew) dismiss() {
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
