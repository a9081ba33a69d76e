package analyse

import (
	"math"
	"math/bits"
	"slices"

	"shmbench/check/internal/explore"
	"shmbench/check/internal/interp"
	"shmbench/shm"
)

// Costs is what passages cost some processes: their remote steps.
type Costs struct {
	s      *Space
	remote func(from uint32, pid int) bool
	// ahead is the most that can be spent from a state on before the passage ends,
	// and endless that it is without bound.
	ahead func(id uint32, pid int) int32
}

// endless stands for a cost without bound.
const endless = math.MaxInt32 / 2

// bound returns a cost, or Unbounded.
func bound(k int32) int {
	if k == endless {
		return shm.Unbounded
	}
	return int(k)
}

// Costs finds how many remote steps passages of each of some processes can have,
// where remote tells of the step of one from a state. It may be called by several
// workers at once.
func (s *Space) Costs(pids []int, remote func(from uint32, pid int) bool) *Costs {
	c := &Costs{s: s, remote: remote}
	if !spend[uint8](c, pids) {
		spend[uint32](c, pids)
	}
	return c
}

// spend finds ahead with numbers of a given width, and reports whether they fit:
// the greatest stands for no bound, the one below for a number that does not fit.
func spend[T uint8 | uint32](c *Costs, pids []int) (fit bool) {
	s, limit := c.s, ^T(0)
	procs, place := procset(0), make([]int, s.N)
	for i, pid := range pids {
		procs |= 1 << pid
		place[pid] = i
	}
	ahead := make([]T, s.G.States*len(pids))
	at := func(id uint32, pid int) *T { return &ahead[int(id)*len(pids)+place[pid]] }
	around := func(worst T, id uint32, pid int, member func(uint32) bool) T {
		for a, to := range s.G.Successors(id) {
			own := s.party(a) == pid
			if to == explore.None || !own && to == id {
				continue
			}
			remote := own && c.remote(id, pid)
			switch {
			case to != id && (member == nil || !member(to)):
				next := *at(to, pid)
				if remote && next < limit-1 {
					next++
				}
				worst = max(worst, next)
			case remote:
				worst = limit
			}
		}
		return worst
	}
	fits := slices.Repeat([]bool{true}, s.workers)
	s.walk(procs, func(worker int, id uint32, procs procset) {
		for set := procs; set != 0; set &= set - 1 {
			pid := bits.TrailingZeros16(uint16(set))
			worst := around(0, id, pid, nil)
			*at(id, pid) = worst
			if worst == limit-1 {
				fits[worker] = false
			}
		}
	}, func(worker, pid int, _ component, states []uint32) {
		worst, member := T(0), Members(states)
		for _, id := range states {
			worst = around(worst, id, pid, member)
		}
		for _, id := range states {
			*at(id, pid) = worst
		}
		if worst == limit-1 {
			fits[worker] = false
		}
	})
	c.ahead = func(id uint32, pid int) int32 {
		if a := *at(id, pid); a != limit {
			return int32(a)
		}
		return endless
	}
	return !slices.Contains(fits, false)
}

// Most returns the most that a passage of a process can cost, shm.Unbounded if there
// is no bound.
func (c *Costs) Most(pid int) int {
	return c.most(pid, func(uint32) bool { return true })
}

// First returns the most that its first passage can cost.
func (c *Costs) First(pid int) int {
	return c.most(pid, c.s.without(pid).Has)
}

// most returns the most that a passage can cost that begins in a state that of
// holds for.
func (c *Costs) most(pid int, of func(id uint32) bool) int {
	s := c.s
	found := make([]int32, s.workers)
	s.descend(func(worker int, lo, hi, _ uint32) {
		for id := lo; id < hi; id++ {
			if s.Section(id, pid) != interp.Remainder || !of(id) {
				continue
			}
			for a, to := range s.G.Successors(id) {
				if to == explore.None || s.party(a) != pid {
					continue
				}
				k := c.ahead(to, pid)
				if k < endless && c.remote(id, pid) {
					k++
				}
				if k > found[worker] {
					found[worker] = k
				}
			}
		}
	})
	return bound(slices.Max(found))
}

// without returns the states that can be reached without a step of a process.
func (s *Space) without(pid int) *explore.Trail {
	t := explore.NewTrail(s.G, func(id uint32) bool { return id == 0 })
	t.Follow(func(from uint32, actor int, to uint32) bool {
		if s.party(actor) != pid {
			t.Step(from, actor, to)
		}
		return false
	})
	return t
}
