package check

import (
	"fmt"
	"slices"
	"strconv"

	"shmbench/check/internal/automaton"
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

// parties is how many there are.
func (s *simulation) parties() int {
	if s.buffers == nil {
		return len(s.states)
	}
	return 2 * len(s.states)
}

// stands reports whether an actor has no step to make: a process that cannot go
// on or waits until its buffer is empty, or an empty buffer, or a process that does
// not decide as the actor would. If it does, that is what it decides.
func (s *simulation) stands(actor int) bool {
	party, outcome := actor%s.parties(), actor/s.parties()
	if n := len(s.states); party >= n {
		return outcome > 0 || len(s.pending[party-n]) == 0
	}
	a := s.next(party).Access
	if a == nil || !a.Decides() {
		return outcome > 0 || a == nil || a.Writes() && !s.buffered(party) && len(s.pending[party]) > 0
	}
	reg := s.l.Procs[party].Reg[s.states[party]]
	s.values[reg] = int32(outcome)
	return outcome >= len(s.l.Regs[reg].Values)
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

// step makes and describes one step of an actor.
func (s *simulation) step(actor int) (Step, error) {
	n := len(s.states)
	pid, flushes := actor%n, actor%s.parties() >= n
	switch st := s.next(pid); {
	case !s.stands(actor):
	case flushes:
		return Step{}, fmt.Errorf("process %d has no store in its buffer", pid)
	case st.Access == nil:
		return Step{}, fmt.Errorf("process %d cannot go on: %v", pid, st.Fault)
	case actor >= s.parties():
		return Step{}, fmt.Errorf("process %d does not decide that", pid)
	default:
		return Step{}, fmt.Errorf("process %d waits until its buffer is empty", pid)
	}
	if flushes {
		p, before := s.flush(pid)
		st := s.l.Procs[pid].States[p.state]
		out := s.place(pid, st)
		out.Op, out.Section = flush, s.next(pid).Section.String()
		at := st.Access.At
		out.Register, out.Before, out.After = s.names.Cell(at), s.names.Value(at, before), s.names.Value(at, s.last)
		return out, nil
	}
	st := s.next(pid)
	out := s.place(pid, st)
	out.Buffered = s.buffered(pid)
	before := s.current(pid)
	if err := s.move(pid); err != nil {
		return Step{}, err
	}
	switch at := st.Access.At; {
	case st.Access.Decides():
		s.decision(&out, st, before)
	case st.Access.Op != interp.Pass:
		out.Register = s.names.Cell(at)
		out.Before, out.After = s.names.Value(at, before), s.names.Value(at, s.last)
	}
	after := s.next(pid).Section
	out.Section, out.Turn = after.String(), turn(st.Section, after)
	return out, nil
}

// decision adds to a step what the process decides.
func (s *simulation) decision(out *Step, st *interp.State, choice interp.Value) {
	out.Outcome = int(choice.(interp.Num))
	if st.Access.Op == interp.Poll {
		out.After = strconv.FormatBool(out.Outcome != 0)
		return
	}
	method := s.l.M.Called(choice)
	out.File, out.Line = s.l.M.Prog.Place(method.Pos())
	out.After = method.Name()
}

// place is a step as far as it depends on the local state that makes it.
func (s *simulation) place(pid int, st *interp.State) Step {
	pos, label := s.l.M.Place(st)
	file, line := s.l.M.Prog.Place(pos)
	return Step{Process: pid, File: file, Line: line, Label: label, Op: st.Access.Op.String(), Plain: st.Access.Plain}
}

// turn says what a step from one section to another means.
func turn(before, after interp.Section) string {
	switch {
	case before == after:
		return ""
	case after == interp.Critical:
		return "enters"
	case after == interp.Remainder && before == interp.Entry:
		return "fails"
	case after == interp.Remainder:
		return "is done"
	case after == interp.Exit:
		return "leaves"
	}
	return ""
}
