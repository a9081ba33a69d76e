package locktest

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"shmbench/locktest/oracle"
	"shmbench/shm"
)

// modal returns those of the numbers of processes that the specification allows, if the lock
// has a mode that wanted accepts.
func modal(wanted func(shm.Mode) bool, numbers ...int) func(*suite) []int {
	return func(s *suite) []int {
		if !slices.ContainsFunc(s.a.Modes(), wanted) {
			return nil
		}
		return where(always, numbers...)(s)
	}
}

func notExclusive(m shm.Mode) bool { return m != shm.Exclusive }
func shared(m shm.Mode) bool       { return m == shm.Shared }

// concurrent is shared where the specification claims that readers do not wait for one another.
func concurrent(s *suite) []int {
	if !s.a.Claims.Mixed.Concurrent {
		return nil
	}
	return modal(shared, 2, 5)(s)
}

// exclusionOfModes lets the processes make passages at once in all modes, through a
// critical section that shows overlaps of those that conflict.
func exclusionOfModes(s *suite, n int) error {
	c, err := s.newCrew(n)
	if err != nil {
		return err
	}
	modes, section := s.a.Modes(), new(oracle.Section)
	each := max(2, s.o.Passages/n)
	wrote := make([]uint64, n)
	for id := range n {
		rng := rand.New(rand.NewPCG(uint64(n), uint64(id)))
		c.start(id, func(p *process) error {
			for range each {
				if c.stop.Load() {
					return nil
				}
				mode, polls := modes[rng.IntN(len(modes))], rng.IntN(20)
				if !c.enterFor(p, mode, after(polls)) {
					linger(rng)
					continue
				}
				pass := section.Pass
				if mode.Reads() {
					pass = section.Look
				} else {
					wrote[id]++
				}
				err := pass(id, func() { linger(rng) })
				c.leaveFor(p, mode)
				if err != nil {
					return err
				}
				linger(rng)
			}
			return nil
		})
	}
	return c.total(section, wrote)
}

// after returns a function that tells a process to give up after some polls.
func after(polls int) func() bool {
	return func() bool {
		polls--
		return polls < 0
	}
}

// failure lets each other process fail to enter while one is inside, in every mode that
// may fail. Then all must be able to enter as if no process had tried, and a try of a lock
// that is free must succeed.
func failure(s *suite, n int) error {
	c, err := s.newCrew(n)
	if err != nil {
		return err
	}
	modes := slices.DeleteFunc(s.a.Modes(), func(m shm.Mode) bool { return !m.MayFail() })
	c.start(0, func(p *process) error {
		pass := func(id int) {
			p.id = id
			c.lockFor(p)
			c.unlockFor(p)
		}
		for _, mode := range modes {
			call, _ := mode.Calls()
			for polls := range 4 {
				for holder := range n {
					p.id = holder
					c.lockFor(p)
					for id := range n {
						if p.id = id; id != holder && c.enterFor(p, mode, after(polls)) {
							return fmt.Errorf("%s(%d) returned true while process %d was in its critical section", call, id, holder)
						}
					}
					p.id = holder
					c.unlockFor(p)
					pass(holder)
					pass((holder + 1) % n)
				}
			}
			for id := range n {
				p.id = id
				if !c.enterFor(p, mode, after(1<<20)) {
					return fmt.Errorf("%s(%d) returned false though no process was in the lock", call, id)
				}
				c.leaveFor(p, mode)
			}
		}
		return nil
	})
	return c.join(true)
}

// together lets all processes be inside as readers before the first leaves, and then a
// writer.
func together(s *suite, n int) error {
	c, err := s.newCrew(n)
	if err != nil {
		return err
	}
	c.start(0, func(p *process) error {
		for range 3 {
			for id := range n {
				p.id = id
				c.enterFor(p, shm.Shared, nil)
			}
			for id := range n {
				p.id = id
				c.leaveFor(p, shm.Shared)
			}
			c.lockFor(p)
			c.unlockFor(p)
		}
		return nil
	})
	return c.join(true)
}
