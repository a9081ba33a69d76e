package check

import (
	"slices"

	"shmbench/check/internal/automaton"
	"shmbench/check/internal/explore"
	"shmbench/check/internal/interp"
)

// simulation runs the learned automata along a schedule. Party p makes the next
// access of process p; under store buffers party N+p moves the oldest store of
// process p to memory. Where a process decides how to go on, party p is several
// actors, as in what is explored.
type simulation struct {
	l      *automaton.Learner
	names  *interp.Names
	states []int32
	values map[int32]int32 // in memory
	last   interp.Value    // what the last step has left in its register, or in the buffer
	// buffers tells which stores go into a buffer, by process and local state; nil
	// if none do.
	buffers func(pid int, state int32) bool
	pending [][]pending // by process: the stores in its buffer, the oldest first
}

// pending is a store in a buffer, and the local state that made it.
type pending struct{ reg, value, state int32 }

func simulate(l *automaton.Learner, names *interp.Names, buffers func(pid int, state int32) bool) *simulation {
	return &simulation{l: l, names: names, states: make([]int32, l.M.N), values: map[int32]int32{}, buffers: buffers, pending: make([][]pending, l.M.N)}
}

// again begins the same execution anew.
func (s *simulation) again() execution { return simulate(s.l, s.names, s.buffers) }

// next returns a process's local state.
func (s *simulation) next(pid int) *interp.State { return s.l.Procs[pid].States[s.states[pid]] }

// sees returns the number of the value that a process's next access finds in its
// register: a load finds the newest store in the process's own buffer.
func (s *simulation) sees(pid int) int32 {
	reg := s.l.Procs[pid].Reg[s.states[pid]]
	if s.next(pid).Access.Op == interp.Load {
		for _, p := range slices.Backward(s.pending[pid]) {
			if p.reg == reg {
				return p.value
			}
		}
	}
	return s.values[reg]
}

// current returns that value.
func (s *simulation) current(pid int) interp.Value {
	return s.l.Regs[s.l.Procs[pid].Reg[s.states[pid]]].Values[s.sees(pid)]
}

// buffered reports whether the next access of a process is a store that goes into
// its buffer.
func (s *simulation) buffered(pid int) bool { return s.buffers != nil && s.buffers(pid, s.states[pid]) }

// actors are those that may have a step to make.
func (s *simulation) actors() explore.Actors {
	n := len(s.states)
	a := explore.Actors{N: n, Parties: n}
	if s.buffers != nil {
		a.Parties = 2 * n
	}
	return a
}

// stands reports whether an actor has no step to make: a process that cannot go
// on or waits until its buffer is empty, or an empty buffer, or a process that does
// not decide as the actor would. If it does, that is what it decides.
func (s *simulation) stands(actor int) bool {
	by := s.actors().Of(actor)
	pid := by.Pid
	if by.Kind == explore.Buffer {
		return by.Outcome > 0 || len(s.pending[pid]) == 0
	}
	a := s.next(pid).Access
	if a == nil || !a.Decides() {
		return by.Outcome > 0 || a == nil || a.Writes() && !s.buffered(pid) && len(s.pending[pid]) > 0
	}
	reg := s.l.Procs[pid].Reg[s.states[pid]]
	s.values[reg] = int32(by.Outcome)
	return by.Outcome >= len(s.l.Regs[reg].Values)
}

// local returns the local states of the processes.
func (s *simulation) local() (all []*interp.State) {
	for pid := range s.states {
		all = append(all, s.next(pid))
	}
	return all
}

// bind returns the local state whose access a process makes next, and the slots
// of the memory that the access shares, which it has allocated.
func (s *simulation) bind(pid int) (state int32, b *automaton.Bind, err error) {
	state = s.states[pid]
	b, err = s.l.Bind(pid, state, s.values[s.l.Procs[pid].Reg[state]], s.used)
	if err == nil && b != nil {
		state = b.State
	}
	return state, b, err
}

// used returns the slots that are in use.
func (s *simulation) used() (roots uint64) {
	for pid, state := range s.states {
		roots |= s.l.Holds(pid, state)
		for _, p := range s.pending[pid] {
			roots |= s.l.Heap().Pending(p.reg, p.value)
		}
	}
	return s.l.Heap().Reach(roots, func(reg int32) int32 { return s.values[reg] })
}

// move makes one process's next access.
func (s *simulation) move(pid int) error {
	reg := s.l.Procs[pid].Reg[s.states[pid]]
	buffered, writes := s.buffered(pid), s.next(pid).Access.Writes()
	from, b, err := s.bind(pid)
	if err != nil {
		return err
	}
	m, err := s.l.Step(pid, from, s.sees(pid))
	if err != nil {
		return err
	}
	if b != nil {
		for _, c := range b.Content {
			s.values[c.Reg] = c.Value
		}
	}
	switch {
	case buffered:
		s.pending[pid] = append(s.pending[pid], pending{reg, m.Value, from})
	case writes:
		s.values[reg] = m.Value
	}
	s.states[pid] = m.State
	s.last = s.l.Regs[reg].Values[m.Value]
	s.collect()
	return nil
}

// collect makes the registers of slots that are not in use what they were at first.
func (s *simulation) collect() {
	if s.l.Shares() {
		s.l.Heap().Unused(s.used(), func(reg int32) { s.values[reg] = 0 })
	}
}

// flush moves the oldest store of a process to memory, and returns it with the
// value that its register held.
func (s *simulation) flush(pid int) (p pending, before interp.Value) {
	p = s.pending[pid][0]
	s.pending[pid] = s.pending[pid][1:]
	before = s.l.Regs[p.reg].Values[s.values[p.reg]]
	s.values[p.reg] = p.value
	s.last = s.l.Regs[p.reg].Values[p.value]
	s.collect()
	return p, before
}

// take makes an actor's step.
func (s *simulation) take(actor int) (*taken, error) {
	if s.stands(actor) {
		return nil, s.cannot(actor)
	}
	by := s.actors().Of(actor)
	pid := by.Pid
	if by.Kind == explore.Buffer {
		p, before := s.flush(pid)
		at := s.next(pid).Section
		return &taken{kind: flushes, pid: pid, state: s.l.Procs[pid].States[p.state], from: p.state, found: before, left: s.last,
			before: at, after: at}, nil
	}
	from, b, err := s.bind(pid)
	if err != nil {
		return nil, err
	}
	st := s.next(pid)
	t := &taken{pid: pid, state: st, from: from, seen: s.sees(pid), found: s.current(pid), buffered: s.buffered(pid), bind: b, before: st.Section}
	if st.Access.Decides() {
		t.given = t.found
	}
	if err := s.move(pid); err != nil {
		return nil, err
	}
	t.left, t.next = s.last, s.next(pid)
	t.after = t.next.Section
	return t, nil
}
