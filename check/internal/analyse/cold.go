package analyse

import (
	"math/bits"

	"shmbench/check/internal/cache"
	"shmbench/check/internal/explore"
	"shmbench/check/internal/interp"
)

// mostPacked is how many caches are told apart at most, in all states.
const mostPacked = 1 << 23

// Remote is the most remote references that a passage of a process costs with
// write-through and with write-back, and that its first one does; shm.Unbounded if
// there is no bound.
type Remote struct{ Through, Back, FirstThrough, FirstBack int }

// Cold returns the cost of a passage of process pid among the others when the process begins
// every passage without any copies. A passage costs no more with the copies of earlier ones,
// and the first passage begins without copies. Cold returns false if it cannot find the cost:
// there are too many caches, memory that processes allocate is in them, or a process writes
// forever what no other process accesses meanwhile.
//
// The costs are found from the end of the passage backwards, for every cache that makes a
// difference. A cache with more copies never costs more, and one copy more saves at most one
// reference. So the worst way through a strongly connected component begins with the
// loss of all copies that the others can take away there. Then the process reads all
// registers that it can read there, and then it leaves the component. A register
// that the process reads there and the others write can be read and lost forever.
func (s *Space) Cold(sc *explore.SC, pid int) (r Remote, ok bool) {
	c := &cold{Space: *s, sc: sc, pid: pid, copies: newCopies(sc.Model, pid)}
	if c.copies == nil || sc.Model.Heap != nil {
		return r, false
	}
	c.workers = 1
	c.first = make([]uint32, s.G.States)
	total := uint64(0)
	for id := range uint32(s.G.States) {
		c.first[id] = uint32(total)
		if s.Section(id, pid) != interp.Remainder {
			if total += c.packed(c.at(id)); total > mostPacked {
				return r, false
			}
		}
	}
	c.ahead = make([]cost, total)
	c.walk(1<<pid, func(_ int, id uint32, _ procset) {
		if !c.single(id) {
			c.component([]uint32{id}, func(to uint32) bool { return to == id })
		}
	}, func(_, _ int, _ component, states []uint32) {
		c.component(states, Members(states))
	})
	if c.unclear {
		return r, false
	}
	all, first := c.passages()
	return Remote{bound(all.through), bound(all.back), bound(first.through), bound(first.back)}, true
}

// cold is the costs of process pid.
type cold struct {
	Space
	*copies
	sc  *explore.SC
	pid int
	// ahead has what it costs until the passage ends, by the number of the cache:
	// those of a state in which the process is in a passage begin where first says.
	first []uint32
	ahead []cost
	// unclear: the costs of some component are not found in this way.
	unclear bool
}

// at returns the local state of the process in a state.
func (c *cold) at(id uint32) int32 { return c.sc.Procs[c.pid].Of(c.G.State(id)) }

// access returns what a step by an actor does to caches.
func (c *cold) access(id uint32, actor int) cache.Access {
	return c.lines.Of(c.sc.Local(c.G.State(id), actor))
}

// from returns what it costs from a state on.
func (c *cold) from(id uint32, copied cache.Cache) cost {
	if c.Section(id, c.pid) == interp.Remainder {
		return cost{}
	}
	return c.ahead[c.first[id]+c.pack(c.at(id), copied)]
}

// leave returns what it costs to leave a state by a step of an actor.
func (c *cold) leave(a cache.Access, actor int, to uint32, copied cache.Cache) cost {
	if actor == c.pid {
		return remote(a, copied).plus(c.from(to, a.Own(copied)))
	}
	return c.from(to, a.Others(copied))
}

// single finds the costs from a state that does not lead to itself, or only by
// steps that make no difference to the cache, and returns false for another.
func (c *cold) single(id uint32) bool {
	s := c.at(id)
	ahead := c.ahead[c.first[id]:][:c.packed(s)]
	for actor, to := range c.G.Successors(id) {
		if to == explore.None {
			continue
		}
		a := c.access(id, actor)
		kept := 3*a.Bit&c.kept[s] != 0
		switch {
		case to == id && (kept || actor == c.pid && a.Bit != 0):
			return false
		case to == id:
		case kept || actor == c.pid:
			for i := range ahead {
				ahead[i] = ahead[i].max(c.leave(a, actor, to, c.unpack(s, uint32(i))))
			}
		default: // the process stays as it is, and its cache
			for i, next := range c.ahead[c.first[to]:][:len(ahead)] {
				ahead[i] = ahead[i].max(next)
			}
		}
	}
	return true
}

// component finds the costs from the states of a strongly connected component.
func (c *cold) component(states []uint32, member func(uint32) bool) {
	// What can happen to copies on the way from state to state.
	var taken, weakened, read, written uint64
	for _, id := range states {
		for actor, to := range c.G.Successors(id) {
			if to == explore.None || !member(to) {
				continue
			}
			switch a := c.access(id, actor); {
			case actor == c.pid && a.Writes:
				written |= a.Bit
			case actor == c.pid:
				read |= a.Bit
			case a.Writes:
				taken |= a.Bit
			default:
				weakened |= a.Bit
			}
		}
	}
	c.unclear = c.unclear || written&^(taken|weakened) != 0
	without := map[uint64]cost{} // from the component on, by the cache with which it is left
	leave := func(copied cache.Cache) cost {
		worst, known := without[copied]
		if known {
			return worst
		}
		for _, id := range states {
			for actor, to := range c.G.Successors(id) {
				if to != explore.None && !member(to) {
					worst = worst.max(c.leave(c.access(id, actor), actor, to, copied))
				}
			}
		}
		without[copied] = worst
		return worst
	}
	for _, id := range states {
		s := c.at(id)
		ahead := c.ahead[c.first[id]:][:c.packed(s)]
		for i := range ahead {
			if written != 0 || read&taken != 0 {
				ahead[i] = cost{endless, endless}
				continue
			}
			copied := cache.Access{Bit: weakened}.Others(cache.Access{Bit: taken, Writes: true}.Others(c.unpack(s, uint32(i))))
			reads := int32(bits.OnesCount64(read &^ cache.Held(copied)))
			ahead[i] = cost{reads, reads}.plus(leave(cache.Access{Bit: read}.Own(copied)))
		}
	}
}

// passages returns the most that a passage costs, and the most that the first
// does.
func (c *cold) passages() (all, first cost) {
	untouched := c.without(c.pid)
	for id := range uint32(c.G.States) {
		to := c.G.Next(id, c.pid)
		if to == explore.None || c.Section(id, c.pid) != interp.Remainder {
			continue
		}
		worst := c.leave(c.access(id, c.pid), c.pid, to, 0)
		if all = all.max(worst); untouched.Has(id) {
			first = first.max(worst)
		}
	}
	return all, first
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
