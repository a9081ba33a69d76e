// Package execution runs the learned automata of a lock along a schedule, one step after
// the other. A Memory says how accesses take effect: sequentially consistent memory, store
// buffers, or registers that are not atomic. It begins a Run, which takes the steps of
// actors: of a process, or of its store buffer. A step that was Taken is described as a
// Step, which is what people read, and it says what compiled code must show.
package execution

import (
	"errors"
	"fmt"
	"strconv"

	"shmbench/check/internal/automaton"
	"shmbench/check/internal/explore"
	"shmbench/check/internal/interp"
)

// Run runs the learned automata of a lock along a schedule, on some memory.
type Run interface {
	// Stands reports whether an actor has no step to make.
	Stands(actor int) bool
	// Take makes an actor's step.
	Take(actor int) (*Taken, error)
	// Local returns the local states of the processes.
	Local() []*interp.State
	// Describe describes a step that was made.
	Describe(t *Taken) Step
}

// Taken is a step that was made: what a trace says of it, and what compiled code must
// show.
type Taken struct {
	Kind takenKind
	Pid  int
	// state is the local state whose access it is, before memory is shared, and from
	// the number of the one that makes the access.
	state *interp.State
	From  int32
	// Seen is the number of the value that the access finds. Found and left are the
	// values that it finds and leaves.
	Seen        int32
	Found, Left interp.Value
	// shown are the values around the step in a trace, if they are others.
	shown *[2]interp.Value
	// may are the values that a load may return that overlaps a write.
	may      []interp.Value
	Buffered bool // what is stored goes into the process's store buffer
	Bind     *automaton.Bind
	// Injected is what compiled code has to be given: what a load returns that is not
	// what is stored, what a store leaves that is not what it writes, or what the
	// process decides.
	Injected interp.Value
	// before and after are the process's sections, and next its local state after.
	before, after interp.Section
	Next          *interp.State
	Hit           []int // the processes that crash
	all           bool  // all processes crash
}

// takenKind is what a step does.
type takenKind uint8

const (
	accesses takenKind = iota // makes an access, or decides
	Flushes                   // moves the oldest store of a buffer to memory
	Begins                    // begins a write that overlaps other steps
	ends                      // ends it
	loads                     // reads a register that is not atomic
	Crashes                   // lets processes crash
)

// ops are what a trace calls the steps that are no access of their own.
var ops = map[takenKind]string{Flushes: Flush, Begins: "begin", ends: "end", loads: "load"}

// Describe describes a step that was made.
func (s *Simulation) Describe(t *Taken) Step {
	if t.Kind == Crashes {
		return s.describeCrash(t)
	}
	pos, label := s.Learner.M.Place(t.state)
	file, line := s.Learner.M.Prog.Place(pos)
	at := t.state.Access.At
	out := Step{Process: t.Pid, File: file, Line: line, Label: label, Op: t.state.Access.Op.String(), Plain: t.state.Access.Plain,
		Buffered: t.Buffered, Section: t.after.String(), Turn: Turn(t.before, t.after)}
	if op, ok := ops[t.Kind]; ok {
		out.Op = op
	}
	shown := [2]interp.Value{t.Found, t.Left}
	if t.shown != nil {
		shown = *t.shown
	}
	switch {
	case t.state.Access.Decides():
		s.decision(&out, t.state, t.Found)
	case t.state.Access.Op != interp.Pass:
		out.Register = s.names.Cell(at)
		out.Before, out.After = s.names.Value(at, shown[0]), s.names.Value(at, shown[1])
	}
	for _, v := range t.may {
		out.May = append(out.May, s.names.Value(at, v))
	}
	return out
}

// MakeStep makes and describes one step of an actor.
func MakeStep(run Run, actor int) (Step, error) {
	t, err := run.Take(actor)
	if err != nil {
		return Step{}, err
	}
	return run.Describe(t), nil
}

// decision adds to a step what the process decides.
func (s *Simulation) decision(out *Step, st *interp.State, choice interp.Value) {
	out.Outcome = int(choice.(interp.Num))
	if st.Access.Op == interp.Poll {
		out.After = strconv.FormatBool(out.Outcome != 0)
		return
	}
	method := s.Learner.M.Called(choice)
	out.File, out.Line = s.Learner.M.Prog.Place(method.Pos())
	out.After = method.Name()
}

// cannot says why an actor has no step to make.
func (s *Simulation) cannot(actor int) error {
	a := s.Actors().Of(actor)
	switch st := s.Next(a.Pid); {
	case a.Kind == explore.Buffer:
		return fmt.Errorf("process %d has no store in its buffer", a.Pid)
	case a.Kind == explore.CrashOf:
		return errors.New("no process is there to crash outside its remainder section")
	case st.Access == nil:
		return fmt.Errorf("process %d cannot go on: %v", a.Pid, st.Fault)
	case a.Outcome > 0:
		return fmt.Errorf("process %d does not decide that", a.Pid)
	}
	return fmt.Errorf("process %d waits until its buffer is empty", a.Pid)
}

// Turn says what a step from one section to another means.
func Turn(before, after interp.Section) string {
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
