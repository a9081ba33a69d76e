package locktest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"time"
)

// order lets processes come one after another while one is in its critical
// section: each ends its doorway before the next begins its own. The one
// inside then leaves, at some moment, and comes back at once. They must enter
// in the order in which they came.
func order(s *suite, n int) error {
	c, err := s.newCrew(n)
	if err != nil {
		return err
	}
	return c.trials(func(rng *rand.Rand) error {
		came := rng.Perm(n)
		var entered []int
		inside := new(atomic.Int32) // how many have entered
		enter := func(p *process) {
			entered = append(entered, p.id)
			inside.Add(1)
		}
		gates := newGates(n)
		for _, id := range came[1:] {
			c.start(id, func(p *process) error {
				if !gates[id].wait(c, p) {
					return nil
				}
				c.lockFor(p)
				enter(p)
				c.unlockFor(p)
				return nil
			})
		}
		c.start(came[0], func(p *process) error {
			defer gates.openAll()
			c.lockFor(p)
			for i, id := range came[1:] {
				gates[id].open()
				if err := c.s.awaitDoorway(c.all[i], func() bool { return inside.Load() > 0 }); err != nil {
					return fmt.Errorf("process %d: %w", id, err)
				}
			}
			time.Sleep(time.Duration(rng.IntN(100)) * time.Microsecond)
			c.unlockFor(p)
			c.lockFor(p)
			enter(p)
			c.unlockFor(p)
			return nil
		})
		if err := c.join(true); err != nil {
			return err
		}
		if must := append(came[1:], came[0]); !slices.Equal(entered, must) {
			return fmt.Errorf("the processes ended their doorways in the order %v, each before the next began its own, and entered in the order %v",
				must, entered)
		}
		return nil
	})
}

// bypass lets one process, the victim, come while another is in its critical
// section, and when it has ended its doorway lets all others make passages
// until it has entered. Their number must not exceed the bound.
func bypass(s *suite, n int) error {
	c, err := s.newCrew(n)
	if err != nil {
		return err
	}
	bound := s.a.Claims.Bypass.Of(n)
	return c.trials(func(rng *rand.Rand) error {
		came := rng.Perm(n)
		gates := newGates(n)
		var entered atomic.Bool // the victim has
		var begun atomic.Int64  // critical sections of others since it is known to wait
		over := func() bool { return begun.Load() > int64(bound) }
		pass := func(p *process, rng *rand.Rand) {
			for !entered.Load() && !over() && !c.stop.Load() {
				c.lockFor(p)
				if !entered.Load() {
					begun.Add(1)
				}
				linger(rng)
				c.unlockFor(p)
			}
		}
		for i, id := range came[1:] {
			rng := rand.New(rand.NewPCG(rng.Uint64(), 0))
			c.start(id, func(p *process) error {
				switch {
				case !gates[id].wait(c, p):
				case i > 0:
					pass(p, rng)
				default: // the victim
					c.lockFor(p)
					entered.Store(true)
					c.unlockFor(p)
				}
				return nil
			})
		}
		c.start(came[0], func(p *process) error {
			defer gates.openAll()
			c.lockFor(p)
			if n > 1 {
				gates[came[1]].open()
				if err := c.s.awaitDoorway(c.all[0], entered.Load); err != nil {
					return fmt.Errorf("process %d: %w", came[1], err)
				}
			}
			gates.openAll()
			time.Sleep(time.Duration(rng.IntN(100)) * time.Microsecond)
			c.unlockFor(p)
			pass(p, rng)
			return nil
		})
		if err := c.join(true); err != nil {
			return err
		}
		if over() {
			return fmt.Errorf("after process %d had ended its doorway, %d critical sections of others began before its own; the claim is at most %d",
				came[1], begun.Load(), bound)
		}
		return nil
	})
}

// starvation lets all processes go on until each has made a number of
// passages, or one has waited for too long.
func starvation(s *suite, n int) error {
	c, err := s.newCrew(n)
	if err != nil {
		return err
	}
	each := int64(max(2, s.o.Passages/n))
	var unfinished atomic.Int64
	unfinished.Store(int64(n))
	for id := range n {
		rng := rand.New(rand.NewPCG(uint64(n), uint64(id)))
		c.start(id, func(p *process) error {
			for made := int64(0); unfinished.Load() > 0 && !c.stop.Load(); {
				c.lockFor(p)
				linger(rng)
				c.unlockFor(p)
				if made++; made == each {
					unfinished.Add(-1)
				}
			}
			return nil
		})
	}
	return c.join(false)
}

// trials repeats a trial with the same lock, and differently drawn lots.
func (c *crew) trials(trial func(*rand.Rand) error) error {
	rng := rand.New(rand.NewPCG(uint64(c.n), 0))
	for range c.s.o.Trials {
		c.all = nil
		if err := trial(rng); err != nil {
			return err
		}
	}
	return nil
}
