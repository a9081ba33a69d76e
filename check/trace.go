package check

import (
	"fmt"
	"slices"

	"shmbench/check/internal/analyse"
	"shmbench/check/internal/automaton"
	"shmbench/check/internal/interp"
	"shmbench/shm"
)

// Origin says where the lock of a trace comes from.
type Origin struct {
	Package     string `json:"package"`
	Constructor string `json:"constructor,omitempty"`
	List        string `json:"list,omitempty"`
	Algorithm   string `json:"algorithm,omitempty"`
}

// Trace is an execution without a property: a shortest one for safety, one
// that ends in a cycle for liveness.
type Trace struct {
	Property string `json:"property"`
	// Unclaimed: no lock must have the property, and no card claims it for this
	// one. It lacks it, and violates nothing.
	Unclaimed bool   `json:"unclaimed,omitempty"`
	Origin    Origin `json:"origin"`
	N         int    `json:"n"`
	Memory    string `json:"memory"`
	// End says what the execution shows.
	End   string `json:"end"`
	Steps []Step `json:"steps"`
	// Cycle is the index of the first step of the cycle, which goes on for
	// ever; -1 if there is none.
	Cycle int `json:"cycle"`
}

// Step is one access to shared memory by one process.
type Step struct {
	Process int    `json:"process"`
	File    string `json:"file"`
	Line    int    `json:"line"`
	Label   string `json:"label,omitempty"` // of the pseudo-code line
	Op      string `json:"op"`
	Plain   bool   `json:"plain,omitempty"` // not through sync/atomic
	// Register is what is accessed, by its name in the source; Before and
	// After are its values around the step.
	Register string `json:"register,omitempty"`
	Before   string `json:"before"`
	After    string `json:"after"`
	// Section is the process's section after the step, and Turn what the step
	// does to it: "enters", "leaves", "is done"; empty if nothing.
	Section string `json:"section"`
	Turn    string `json:"turn,omitempty"`
}

// scheduled makes the steps of a schedule.
type scheduled interface {
	step(actor int) (Step, error)
}

// simulation runs the learned automata along a schedule.
type simulation struct {
	l      *automaton.Learner
	names  *interp.Names
	states []int32
	values map[int32]int32
	last   interp.Value // what the last step has left in its register
}

func simulate(l *automaton.Learner, names *interp.Names) *simulation {
	return &simulation{l: l, names: names, states: make([]int32, l.M.N), values: map[int32]int32{}}
}

// next returns a process's local state.
func (s *simulation) next(pid int) *interp.State { return s.l.Procs[pid].States[s.states[pid]] }

// current returns the value of the register that a process accesses next.
func (s *simulation) current(pid int) interp.Value {
	reg := s.l.Procs[pid].Reg[s.states[pid]]
	return s.l.Regs[reg].Values[s.values[reg]]
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
	}
	return s.l.Heap().Reach(roots, func(reg int32) int32 { return s.values[reg] })
}

// move makes one process's next access.
func (s *simulation) move(pid int) error {
	reg := s.l.Procs[pid].Reg[s.states[pid]]
	from, b, err := s.bind(pid)
	if err != nil {
		return err
	}
	m, err := s.l.Step(pid, from, s.values[reg])
	if err != nil {
		return err
	}
	if b != nil {
		for _, c := range b.Content {
			s.values[c.Reg] = c.Value
		}
	}
	s.states[pid], s.values[reg] = m.State, m.Value
	s.last = s.l.Regs[reg].Values[m.Value]
	if s.l.Shares() {
		s.l.Heap().Unused(s.used(), func(reg int32) { s.values[reg] = 0 })
	}
	return nil
}

// step makes and describes one process's next access.
func (s *simulation) step(pid int) (Step, error) {
	st := s.next(pid)
	if st.Access == nil {
		return Step{}, fmt.Errorf("process %d cannot go on: %v", pid, st.Fault)
	}
	pos, label := s.l.M.Place(st)
	file, line := s.l.M.Prog.Place(pos)
	out := Step{Process: pid, File: file, Line: line, Label: label, Op: st.Access.Op.String(), Plain: st.Access.Plain}
	before := s.current(pid)
	if err := s.move(pid); err != nil {
		return Step{}, err
	}
	if at := st.Access.At; st.Access.Op != interp.Pass {
		out.Register = s.names.Cell(at)
		out.Before, out.After = s.names.Value(at, before), s.names.Value(at, s.last)
	}
	after := s.next(pid).Section
	out.Section, out.Turn = after.String(), turn(st.Section, after)
	return out, nil
}

// turn says what a step from one section to another means.
func turn(before, after interp.Section) string {
	switch {
	case before == after:
		return ""
	case after == interp.Critical:
		return "enters"
	case after == interp.Remainder:
		return "is done"
	case after == interp.Exit:
		return "leaves"
	}
	return ""
}

// trace is the trace of a schedule.
func (x *explored) trace(property, end string, prefix, cycle []int) *Trace {
	t := &Trace{Property: property, Unclaimed: !x.owes(property, x.n), Origin: x.origin, N: x.n, Memory: x.memory, End: end, Cycle: -1}
	if len(cycle) > 0 {
		t.Cycle = len(prefix)
	}
	t.Steps, _ = x.run(append(prefix[:len(prefix):len(prefix)], cycle...))
	return t
}

// run runs a schedule and returns its steps and where the processes are then.
func (x *explored) run(schedule []int) ([]Step, *simulation) {
	sim := simulate(x.lock.Learner, x.names)
	var s scheduled = sim
	if x.buffers != nil {
		s = &buffering{simulation: sim, buffered: x.buffers, buffer: make([][]pending, x.n)}
	}
	var steps []Step
	for _, actor := range schedule {
		step, err := s.step(actor)
		if err != nil {
			panic(fmt.Sprintf("check: internal error: a trace cannot be run: %v", err))
		}
		steps = append(steps, step)
	}
	return steps, sim
}

// after returns the local states of the processes after a schedule.
func (x *explored) after(schedule []int) (local []*interp.State) {
	_, sim := x.run(schedule)
	for pid := range x.n {
		local = append(local, sim.next(pid))
	}
	return local
}

// owes reports whether the lock must have a property, or claims it.
func (s *subject) owes(name string, n int) bool {
	r := new(Report)
	owed := r.basics()
	if s.card != nil {
		owed = append(owed, r.claimed(s.card)...)
		if name == BoundedBypass && s.card.Claims.Bypass.Of(n) != shm.Unbounded {
			return true
		}
	}
	return slices.ContainsFunc(owed, func(p property) bool { return p.name == name }) ||
		slices.ContainsFunc(s.invariants, func(inv shm.Invariant) bool { return InvariantNamed(inv.Name) == name })
}

// lasso is the trace of an execution that ends in a cycle.
func (x *explored) lasso(property, end string, l *analyse.Lasso) *Trace {
	prefix, cycle := x.space.Schedule(l)
	var slow, buffers []int // the bypass is that of the slowest
	for _, a := range x.space.Idle(prefix, cycle) {
		if a < x.n {
			slow = append(slow, a)
		} else {
			buffers = append(buffers, a-x.n)
		}
	}
	if len(buffers) > 0 {
		end += ", while the stores of " + processes(buffers) + " can stay in the buffer"
	}
	if len(slow) > 0 {
		end += ", while " + processes(slow) + " can stand still"
	}
	return x.trace(property, end, prefix, cycle)
}
