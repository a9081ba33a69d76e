package check

import (
	"go/token"
	"slices"

	"shmbench/check/internal/interp"
)

// share takes over what was found out about the lock of which this one is a
// variant, if the automata are the same, access by access and line by line, as
// they are where only the layout differs. It reports whether it has.
func (c *checking) share(from *checking) bool {
	if from == nil || from.space == nil || from.decided.Refused != "" || c.o.TSO || c.card == nil || c.card.VariantOf != from.name || c.card.Claims.Doorway != from.card.Claims.Doorway || !c.same(from) {
		return false
	}
	r := from.decided
	r.Algorithm, r.variant, r.SharedWith = c.name, true, from.name
	r.Replay, r.Overflow, r.Disagreements, r.Counterexamples, r.Seconds = nil, nil, nil, nil, 0
	for _, t := range from.decided.Counterexamples {
		own := *t
		own.Origin = c.origin
		r.Counterexamples = append(r.Counterexamples, &own)
	}
	*c.r = r
	c.sys, c.system, c.g, c.space, c.used, c.waits = from.sys, from.system, from.g, from.space, from.used, from.waits
	return true
}

// same reports whether two locks have the same automata over registers of the
// same names and values, at the same places in the source.
func (c *checking) same(o *checking) bool {
	a, b := c.lock.Model, o.lock.Model
	if c.lock.Passages != o.lock.Passages || len(a.Regs) != len(b.Regs) || len(a.Procs) != len(b.Procs) {
		return false
	}
	for r, reg := range a.Regs {
		other := b.Regs[r]
		if touches, too := reg.At != (interp.Ptr{}), other.At != (interp.Ptr{}); !touches || !too {
			if touches != too {
				return false
			}
			continue
		}
		if c.names.Cell(reg.At) != o.names.Cell(other.At) || len(reg.Values) != len(other.Values) {
			return false
		}
		for v, value := range reg.Values {
			if c.names.Value(reg.At, value) != o.names.Value(other.At, other.Values[v]) {
				return false
			}
		}
	}
	for pid, p := range a.Procs {
		q := b.Procs[pid]
		if p.Init != q.Init || len(p.Local) != len(q.Local) {
			return false
		}
		for s, l := range p.Local {
			k := q.Local[s]
			if l.Fault != nil || k.Fault != nil || l.Section != k.Section || l.Kind != k.Kind || l.Reg != k.Reg ||
				l.Mark != k.Mark || l.Passages != k.Passages || !slices.Equal(l.Moves, k.Moves) ||
				!slices.Equal(c.places(pid, p.Members[s]), o.places(pid, q.Members[s])) {
				return false
			}
		}
	}
	return true
}

// places are where the local states of a process are in the source.
func (c *checking) places(pid int, members []int32) (at []token.Pos) {
	for _, m := range members {
		pos, _ := c.lock.Learner.M.Place(c.lock.Learner.Procs[pid].States[m])
		at = append(at, pos)
	}
	return at
}
