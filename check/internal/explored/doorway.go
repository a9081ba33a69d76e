package explored

import (
	"go/token"
	"slices"

	"shmbench/check/internal/automaton"
	"shmbench/check/internal/interp"
	"shmbench/shm"
)

// Doorways tells, by process and local state of the entry section in a mode, which
// are past the doorway: where the specification says that it ends, or else as late as it is
// wait-free. It is nil if there is no doorway that is known, as where a process
// may have to wait for its first access. waitFree reports whether the doorway
// ends before a process may have to wait. The lock must have a space.
func (x *Lock) Doorways(mode shm.Mode) (past [][]bool, waitFree bool) {
	past = make([][]bool, x.N)
	waits := x.Waits()
	claimed := x.Source.Doorway(mode) != ""
	waitFree = true
	for pid, p := range x.Learned.Model.Procs {
		past[pid] = make([]bool, len(p.Local))
		for s, l := range p.Local {
			waits := waits[pid][s] && l.Section == interp.Entry
			switch {
			case l.Mode != mode:
			case claimed:
				past[pid][s] = l.Mark&automaton.PastDoorway != 0
				waitFree = waitFree && (past[pid][s] || !waits)
			case waits:
				follow(p, int32(s), past[pid])
			}
		}
	}
	if x.Source.Spec == nil && x.waitsAtOnce(mode) {
		past = nil
	}
	return past, waitFree
}

// DoorwayEnds reports whether an access is on the line on which the specification ends the
// doorway. An edit can delete this line.
func (x *Lock) DoorwayEnds() bool {
	label, of := x.Source.Doorway(shm.Exclusive), x.Learned.Learner
	for pid, p := range x.Learned.Model.Procs {
		for _, s := range slices.Concat(p.Members...) {
			if _, at := of.M.Place(of.Procs[pid].States[s]); at == label {
				return true
			}
		}
	}
	return label == ""
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
func (x *Lock) waitsAtOnce(mode shm.Mode) bool {
	for pid, p := range x.Learned.Model.Procs {
		first, loop := map[token.Pos]bool{}, map[token.Pos]bool{}
		for s, l := range p.Local {
			for _, pos := range x.Learned.Learner.Places(pid, p.Members[s]) {
				switch {
				case l.Mode != mode || l.Decides:
				case l.Section == interp.Remainder:
					first[pos] = true
				case l.Section == interp.Entry && x.Waits()[pid][s]:
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

// CrashDoorway returns the mark of the local states that are past the doorway of a lock whose
// processes crash: where the specification says that it ends, or else where the first loop of the
// entry section begins. ok is false if the first access is part of that loop, and no specification
// tells.
func (x *Lock) CrashDoorway() (mark int64, ok bool) {
	switch {
	case x.Source.Doorway(shm.Exclusive) != "":
		return automaton.PastDoorway, true
	case x.Source.Spec != nil:
		return automaton.PastLoop, true
	}
	for pid, p := range x.Learned.Model.Procs {
		var loop []token.Pos
		for s, l := range p.Local {
			if l.Section == interp.Entry && l.Mark&automaton.PastLoop != 0 {
				loop = append(loop, x.Learned.Learner.Places(pid, p.Members[s])...)
			}
		}
		for _, first := range x.firsts(pid) {
			if slices.ContainsFunc(x.Learned.Learner.Places(pid, p.Members[first]), func(pos token.Pos) bool { return slices.Contains(loop, pos) }) {
				return 0, false
			}
		}
	}
	return automaton.PastLoop, true
}

// firsts returns the local states of a process in which the first access of the entry section is
// next.
func (x *Lock) firsts(pid int) (all []int32) {
	p := x.Learned.Model.Procs[pid]
	for s, l := range p.Local {
		switch {
		case slices.ContainsFunc(p.Members[s], func(m int32) bool { return x.Learned.Learner.Recovering(pid, m) }):
			for _, t := range p.Successors(int32(s)) {
				if p.Local[t].Section == interp.Entry {
					all = append(all, t)
				}
			}
		case l.Section == interp.Remainder:
			all = append(all, int32(s))
		}
	}
	return all
}
