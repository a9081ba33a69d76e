package check

import (
	"go/token"
	"slices"

	"shmbench/check/internal/interp"
	"shmbench/check/internal/model"
)

// shares reports whether a lock is a variant of what was explored, and has the
// same automata, access by access and line by line, as it has where only the
// layout differs: then what was decided is true of it too.
func shares(s *subject, lock *model.Lock, from *explored) bool {
	return from.space != nil && s.card != nil && s.card.VariantOf == from.name && s.card.Claims.Doorway == from.card.Claims.Doorway && same(lock, from.lock)
}

// same reports whether two locks have the same automata over registers of the
// same names and values, at the same places in the source.
func same(lock, other *model.Lock) bool {
	a, b := lock.Model, other.Model
	if a.Heap != nil || b.Heap != nil || lock.Passages != other.Passages || len(a.Regs) != len(b.Regs) || len(a.Procs) != len(b.Procs) {
		return false
	}
	names, otherNames := lock.Learner.M.Names(), other.Learner.M.Names()
	for r, reg := range a.Regs {
		twin := b.Regs[r]
		if touches, too := reg.At != (interp.Ptr{}), twin.At != (interp.Ptr{}); !touches || !too {
			if touches != too {
				return false
			}
			continue
		}
		if names.Cell(reg.At) != otherNames.Cell(twin.At) || len(reg.Values) != len(twin.Values) {
			return false
		}
		for v, value := range reg.Values {
			if names.Value(reg.At, value) != otherNames.Value(twin.At, twin.Values[v]) {
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
				!slices.Equal(places(lock, pid, p.Members[s]), places(other, pid, q.Members[s])) {
				return false
			}
		}
	}
	return true
}

// places are where the local states of a process are in the source.
func places(lock *model.Lock, pid int, members []int32) (at []token.Pos) {
	for _, m := range members {
		pos, _ := lock.Learner.M.Place(lock.Learner.Procs[pid].States[m])
		at = append(at, pos)
	}
	return at
}
