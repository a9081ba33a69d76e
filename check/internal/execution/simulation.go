package execution

import (
	"slices"

	"shmbench/check/internal/automaton"
	"shmbench/check/internal/explore"
	"shmbench/check/internal/interp"
)

// Simulation runs the learned automata along a schedule. Party p makes the next access of
// process p. Under store buffers party N+p moves the oldest store of process p to memory. If
// a process decides how to go on, party p is several actors, as in the explored graph.
type Simulation struct {
	Learner *automaton.Learner
	names   *interp.Names
	States  []int32
	Values  map[int32]int32 // in memory
	last    interp.Value    // what the last step has left in its register, or in the buffer
	// Buffers tells which stores go into a buffer, by process and local state; nil
	// if none do.
	Buffers func(pid int, state int32) bool
	Pending [][]pending      // by process: the stores in its buffer, the oldest first
	crashes *explore.Crashes // nil if processes do not crash
}

// pending is a store in a buffer, and the local state that made it.
type pending struct{ Reg, Value, state int32 }

// Simulate begins an execution of the learned automata. Buffers tells which stores go into a
// buffer; it is nil if none do.
func Simulate(l *automaton.Learner, names *interp.Names, buffers func(pid int, state int32) bool) *Simulation {
	return &Simulation{Learner: l, names: names, States: make([]int32, l.M.N), Values: map[int32]int32{}, Buffers: buffers, Pending: make([][]pending, l.M.N)}
}

// Again begins the same execution anew.
func (s *Simulation) Again() Run {
	again := Simulate(s.Learner, s.names, s.Buffers)
	again.crashes = s.crashes
	return again
}

// Next returns a process's local state.
func (s *Simulation) Next(pid int) *interp.State { return s.Learner.Procs[pid].States[s.States[pid]] }

// Sees returns the number of the value that a process's next access finds in its
// register: a load finds the newest store in the process's own buffer.
func (s *Simulation) Sees(pid int) int32 {
	reg := s.Learner.Procs[pid].Reg[s.States[pid]]
	if s.Next(pid).Access.Op == interp.Load {
		for _, p := range slices.Backward(s.Pending[pid]) {
			if p.Reg == reg {
				return p.Value
			}
		}
	}
	return s.Values[reg]
}

// current returns that value.
func (s *Simulation) current(pid int) interp.Value {
	return s.Learner.Regs[s.Learner.Procs[pid].Reg[s.States[pid]]].Values[s.Sees(pid)]
}

// buffered reports whether the next access of a process is a store that goes into
// its buffer.
func (s *Simulation) buffered(pid int) bool { return s.Buffers != nil && s.Buffers(pid, s.States[pid]) }

// Actors are those that may have a step to make.
func (s *Simulation) Actors() explore.Actors {
	n := len(s.States)
	a := explore.Actors{N: n, Parties: n}
	switch {
	case s.Buffers != nil:
		a.Parties = 2 * n
	case s.crashes != nil:
		a.Parties, a.Crashing = n+s.crashes.Parties(n), true
	}
	return a
}

// Stands reports whether an actor has no step to make. Such an actor is an empty buffer, or a
// process that cannot go on or waits until its buffer is empty. It may also be a process that
// does not decide as the actor would. In the last case Stands also returns the decision.
func (s *Simulation) Stands(actor int) bool {
	by := s.Actors().Of(actor)
	pid := by.Pid
	switch by.Kind {
	case explore.CrashOf:
		return by.Outcome > 0 || len(s.hit(pid)) == 0
	case explore.Buffer:
		return by.Outcome > 0 || len(s.Pending[pid]) == 0
	}
	a := s.Next(pid).Access
	if a == nil || !a.Decides() {
		return by.Outcome > 0 || a == nil || a.Writes() && !s.buffered(pid) && len(s.Pending[pid]) > 0
	}
	reg := s.Learner.Procs[pid].Reg[s.States[pid]]
	s.Values[reg] = int32(by.Outcome)
	return by.Outcome >= len(s.Learner.Regs[reg].Values)
}

// Local returns the local states of the processes.
func (s *Simulation) Local() (all []*interp.State) {
	for pid := range s.States {
		all = append(all, s.Next(pid))
	}
	return all
}

// bind returns the local state whose access a process makes next, and the slots
// of the memory that the access shares, which it has allocated.
func (s *Simulation) bind(pid int) (state int32, b *automaton.Bind, err error) {
	state = s.States[pid]
	b, err = s.Learner.Bind(pid, state, s.Values[s.Learner.Procs[pid].Reg[state]], s.used)
	if err == nil && b != nil {
		state = b.State
	}
	return state, b, err
}

// used returns the slots that are in use.
func (s *Simulation) used() (roots uint64) {
	for pid, state := range s.States {
		roots |= s.Learner.Holds(pid, state)
		for _, p := range s.Pending[pid] {
			roots |= s.Learner.Heap().Pending(p.Reg, p.Value)
		}
	}
	return s.Learner.Heap().Reach(roots, func(reg int32) int32 { return s.Values[reg] })
}

// move makes one process's next access.
func (s *Simulation) move(pid int) error {
	reg := s.Learner.Procs[pid].Reg[s.States[pid]]
	buffered, writes := s.buffered(pid), s.Next(pid).Access.Writes()
	from, b, err := s.bind(pid)
	if err != nil {
		return err
	}
	m, err := s.Learner.Step(pid, from, s.Sees(pid))
	if err != nil {
		return err
	}
	if b != nil {
		for _, c := range b.Content {
			s.Values[c.Reg] = c.Value
		}
	}
	switch {
	case buffered:
		s.Pending[pid] = append(s.Pending[pid], pending{reg, m.Value, from})
	case writes:
		s.Values[reg] = m.Value
	}
	s.States[pid] = m.State
	s.last = s.Learner.Regs[reg].Values[m.Value]
	s.collect()
	return nil
}

// collect makes the registers of slots that are not in use what they were at first.
func (s *Simulation) collect() {
	if s.Learner.Shares() {
		s.Learner.Heap().Unused(s.used(), func(reg int32) { s.Values[reg] = 0 })
	}
}

// flush moves the oldest store of a process to memory, and returns it with the
// value that its register held.
func (s *Simulation) flush(pid int) (p pending, before interp.Value) {
	p = s.Pending[pid][0]
	s.Pending[pid] = s.Pending[pid][1:]
	before = s.Learner.Regs[p.Reg].Values[s.Values[p.Reg]]
	s.Values[p.Reg] = p.Value
	s.last = s.Learner.Regs[p.Reg].Values[p.Value]
	s.collect()
	return p, before
}

// Take makes an actor's step.
func (s *Simulation) Take(actor int) (*Taken, error) {
	if s.Stands(actor) {
		return nil, s.cannot(actor)
	}
	by := s.Actors().Of(actor)
	pid := by.Pid
	switch by.Kind {
	case explore.CrashOf:
		return s.crash(s.hit(pid)), nil
	case explore.Buffer:
		p, before := s.flush(pid)
		at := s.Next(pid).Section
		return &Taken{Kind: Flushes, Pid: pid, state: s.Learner.Procs[pid].States[p.state], From: p.state, Found: before, Left: s.last,
			before: at, after: at}, nil
	}
	from, b, err := s.bind(pid)
	if err != nil {
		return nil, err
	}
	st := s.Next(pid)
	t := &Taken{Pid: pid, state: st, From: from, Seen: s.Sees(pid), Found: s.current(pid), Buffered: s.buffered(pid), Bind: b, before: st.Section}
	if st.Access.Decides() {
		t.Injected = t.Found
	}
	if err := s.move(pid); err != nil {
		return nil, err
	}
	t.Left, t.Next = s.last, s.Next(pid)
	t.after = t.Next.Section
	return t, nil
}
