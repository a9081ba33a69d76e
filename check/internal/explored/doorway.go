package explored

import (
	"go/token"

	"shmbench/check/internal/automaton"
	"shmbench/check/internal/interp"
	"shmbench/shm"
)

// Doorways tells, by process and local state of the entry section in a mode, which
// are past the doorway: where the specification says that it ends, or else as late as it is
// wait-free. It is nil if there is no doorway that is known, as where a process
// may have to wait for its first access. waitFree reports whether the doorway
// ends before a process may have to wait. waits is what analyse.Space.Waits gives of each
// process, for its entry section.
func (x *Lock) Doorways(waits [][]bool, mode shm.Mode) (past [][]bool, waitFree bool) {
	past = make([][]bool, x.N)
	claimed := x.Source.Doorway(mode) != ""
	waitFree = true
	for pid, p := range x.Model.Model.Procs {
		past[pid] = make([]bool, len(p.Local))
		for s, l := range p.Local {
			switch {
			case l.Mode != mode:
			case claimed:
				past[pid][s] = l.Mark&automaton.PastDoorway != 0
				waitFree = waitFree && (past[pid][s] || !waits[pid][s])
			case waits[pid][s]:
				follow(p, int32(s), past[pid])
			}
		}
	}
	if x.Source.Spec == nil && x.waitsAtOnce(waits, mode) {
		past = nil
	}
	return past, waitFree
}

// follow marks a local state of the entry section and those that follow there.
func follow(p *automaton.Proc, s int32, past []bool) {
	if past[s] || p.Local[s].Section != interp.Entry {
		return
	}
	past[s] = true
	for _, to := range p.Successors(s) {
		follow(p, to, past)
	}
}

// waitsAtOnce reports whether a process waits in a loop that its first access
// is a part of.
func (x *Lock) waitsAtOnce(waits [][]bool, mode shm.Mode) bool {
	for pid, p := range x.Model.Model.Procs {
		first, loop := map[token.Pos]bool{}, map[token.Pos]bool{}
		for s, l := range p.Local {
			for _, pos := range x.Model.Learner.Places(pid, p.Members[s]) {
				switch {
				case l.Mode != mode || l.Decides:
				case l.Section == interp.Remainder:
					first[pos] = true
				case waits[pid][s]:
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
