package symmetry

import "shmbench/check/internal/automaton"

// bind gives i the name j, unless it has that name. It fails if i has another one, or j is taken.
func (s *search) bind(to, from []int32, i, j int32) (ok, fresh bool) {
	if to[i] == j {
		return true, false
	}
	if to[i] != none || from[j] != none {
		return false, false
	}
	to[i], from[j] = j, i
	s.bound = append(s.bound, &to[i], &from[j])
	return true, true
}

func (s *search) bindLocal(pid, state, as int32) bool {
	ok, fresh := s.bind(s.to.Locals[pid], s.from.Locals[s.to.Procs[pid]], state, as)
	if fresh {
		s.work = append(s.work, item{local{pid, state}, none, none})
	}
	return ok
}

// bindRegister names a register. What can be decided keeps its name, and so does an initial value if the initial state must.
func (s *search) bindRegister(r, as int32) bool {
	ok, fresh := s.bind(s.to.Regs, s.from.Regs, r, as)
	from, to := &s.m.Regs[r], &s.m.Regs[as]
	if !ok || len(from.Values) != len(to.Values) || from.Decided != to.Decided {
		return false
	}
	kept := 0
	switch {
	case !fresh:
	case from.Decided:
		kept = len(from.Values)
	case s.fixing:
		kept = 1
	}
	for v := range int32(kept) {
		if !s.bindValue(r, v, v) {
			return false
		}
	}
	return true
}

func (s *search) bindValue(r, v, as int32) bool {
	ok, fresh := s.bind(s.to.Values[r], s.from.Values[s.to.Regs[r]], v, as)
	if fresh {
		s.work = append(s.work, item{local{none, none}, r, v})
	}
	return ok
}

// follow draws all consequences of what has been named, and reports whether they agree.
func (s *search) follow() bool {
	for len(s.work) > 0 {
		i := s.work[len(s.work)-1]
		s.work = s.work[:len(s.work)-1]
		if i.register == none {
			if !s.followLocal(i.local) {
				return false
			}
			continue
		}
		for _, l := range s.users[i.register] {
			if s.to.Locals[l.pid][l.state] != none && !s.step(l, i.value) {
				return false
			}
		}
	}
	return true
}

// pair returns a local state and the one that it is named.
func (s *search) pair(l local) (from, to *automaton.Local) {
	return &s.m.Procs[l.pid].Local[l.state], &s.m.Procs[s.to.Procs[l.pid]].Local[s.to.Locals[l.pid][l.state]]
}

func (s *search) followLocal(l local) bool {
	from, to := s.pair(l)
	if !alike(from, to) {
		return false
	}
	if from.Reg < 0 || to.Reg < 0 {
		return from.Reg == to.Reg
	}
	if int(from.Reg) >= len(s.m.Regs) || int(to.Reg) >= len(s.m.Regs) || !s.bindRegister(from.Reg, to.Reg) || !s.blind(l.pid, from, to) {
		return false
	}
	for v, w := range s.to.Values[from.Reg] {
		if w != none && !s.step(l, int32(v)) {
			return false
		}
	}
	return true
}

// blind follows a step as far as it is the same whatever the register holds: that of a store.
func (s *search) blind(pid int32, from, to *automaton.Local) bool {
	state, value := constant(from.Moves)
	asState, asValue := constant(to.Moves)
	return (state < 0) == (asState < 0) && (value < 0) == (asValue < 0) &&
		(state < 0 || s.bindLocal(pid, state, asState)) && (value < 0 || s.bindValue(from.Reg, value, asValue))
}

// constant returns the state and the value that all moves lead to, or -1.
func constant(moves []automaton.Move) (state, value int32) {
	for i, m := range moves {
		if i == 0 {
			state, value = m.State, m.Value
			continue
		}
		if m.State != state {
			state = none
		}
		if m.Value != value {
			value = none
		}
	}
	if len(moves) < 2 {
		return none, none
	}
	return state, value
}

// step follows the step of a local state when its register holds a value. Both have names.
func (s *search) step(l local, v int32) bool {
	from, to := s.pair(l)
	if s.to.Regs[from.Reg] != to.Reg {
		return false // followLocal has yet to find this out
	}
	if int(v) >= len(from.Moves) {
		return true
	}
	w := s.to.Values[from.Reg][v]
	if int(w) >= len(to.Moves) {
		return false
	}
	a, b := from.Moves[v], to.Moves[w]
	if a.State < 0 || b.State < 0 {
		return a == b
	}
	if (a.Value < 0) != (b.Value < 0) {
		return false
	}
	return s.bindLocal(l.pid, a.State, b.State) && (a.Value < 0 || s.bindValue(from.Reg, a.Value, b.Value))
}
