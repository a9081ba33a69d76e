package check

import (
	"go/token"

	"shmbench/check/internal/automaton"
	"shmbench/check/internal/interp"
)

// doorways decides where the doorway ends: where the card says, or else as
// late as it is wait-free. It reports whether there is a doorway: there is
// none that is known if a process may have to wait for its first access.
func (c *checking) doorways() bool {
	if c.card != nil && c.card.Claims.Doorway != "" {
		c.r.DoorwayWaitFree = c.unless(c.doorwayWaits())
		c.space.Doorways(func(state []uint64, pid int) bool {
			return c.sys.Local(state, pid).Mark&automaton.PastDoorway != 0
		})
		return true
	}
	c.r.DoorwayWaitFree = c.unless(false)
	past := make([][]bool, c.r.N)
	for pid, p := range c.lock.Model.Procs {
		past[pid] = make([]bool, len(p.Local))
		for s, waits := range c.waits[pid] {
			if waits {
				follow(p, int32(s), past[pid])
			}
		}
	}
	c.space.Doorways(func(state []uint64, pid int) bool { return past[pid][c.sys.Procs[pid].Of(state)] })
	return c.card != nil || !c.waitsAtOnce()
}

// follow marks a local state of the entry section and those that follow there.
func follow(p *automaton.Proc, s int32, past []bool) {
	if past[s] || p.Local[s].Section != interp.Entry {
		return
	}
	past[s] = true
	for _, m := range p.Local[s].Moves {
		follow(p, m.State, past)
	}
}

// doorwayWaits reports whether the claimed doorway reaches into where a
// process may have to wait.
func (c *checking) doorwayWaits() bool {
	for pid, p := range c.lock.Model.Procs {
		for s, l := range p.Local {
			if c.waits[pid][s] && l.Mark&automaton.PastDoorway == 0 {
				return true
			}
		}
	}
	return false
}

// waitsAtOnce reports whether a process waits in a loop that its first access
// is a part of.
func (c *checking) waitsAtOnce() bool {
	for pid, p := range c.lock.Model.Procs {
		first, loop := map[token.Pos]bool{}, map[token.Pos]bool{}
		for s, l := range p.Local {
			for _, pos := range c.places(pid, p.Members[s]) {
				if l.Section == interp.Remainder {
					first[pos] = true
				} else if c.waits[pid][s] {
					loop[pos] = true
				}
			}
		}
		for pos := range first {
			if loop[pos] {
				return true
			}
		}
	}
	return false
}
