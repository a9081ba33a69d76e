package check

import (
	"fmt"
	"strconv"

	"shmbench/check/internal/automaton"
	"shmbench/check/internal/explore"
	"shmbench/check/internal/interp"
)

// execution runs the learned automata of a lock along a schedule, on some memory.
type execution interface {
	// stands reports whether an actor has no step to make.
	stands(actor int) bool
	// take makes an actor's step.
	take(actor int) (*taken, error)
	// local returns the local states of the processes.
	local() []*interp.State
	// describe describes a step that was made.
	describe(t *taken) Step
}

// taken is a step that was made: what a trace says of it, and what compiled code must
// show.
type taken struct {
	kind takenKind
	pid  int
	// state is the local state whose access it is, before memory is shared, and from
	// the number of the one that makes the access.
	state *interp.State
	from  int32
	// seen is the number of the value that the access finds. Found and left are the
	// values that it finds and leaves.
	seen        int32
	found, left interp.Value
	// shown are the values around the step in a trace, if they are others.
	shown *[2]interp.Value
	// may are the values that a load may return that overlaps a write.
	may      []interp.Value
	buffered bool // what is stored goes into the process's store buffer
	bind     *automaton.Bind
	// given is what compiled code has to be given: what a load returns that is not
	// what is stored, what a store leaves that is not what it writes, or what the
	// process decides.
	given interp.Value
	// before and after are the process's sections, and next its local state after.
	before, after interp.Section
	next          *interp.State
}

// takenKind is what a step does.
type takenKind uint8

const (
	accesses takenKind = iota // makes an access, or decides
	flushes                   // moves the oldest store of a buffer to memory
	begins                    // begins a write that overlaps other steps
	ends                      // ends it
	loads                     // reads a register that is not atomic
)

// ops are what a trace calls the steps that are no access of their own.
var ops = map[takenKind]string{flushes: flush, begins: "begin", ends: "end", loads: "load"}

// describe describes a step that was made.
func (s *simulation) describe(t *taken) Step {
	pos, label := s.l.M.Place(t.state)
	file, line := s.l.M.Prog.Place(pos)
	at := t.state.Access.At
	out := Step{Process: t.pid, File: file, Line: line, Label: label, Op: t.state.Access.Op.String(), Plain: t.state.Access.Plain,
		Buffered: t.buffered, Section: t.after.String(), Turn: turn(t.before, t.after)}
	if op, ok := ops[t.kind]; ok {
		out.Op = op
	}
	shown := [2]interp.Value{t.found, t.left}
	if t.shown != nil {
		shown = *t.shown
	}
	switch {
	case t.state.Access.Decides():
		s.decision(&out, t.state, t.found)
	case t.state.Access.Op != interp.Pass:
		out.Register = s.names.Cell(at)
		out.Before, out.After = s.names.Value(at, shown[0]), s.names.Value(at, shown[1])
	}
	for _, v := range t.may {
		out.May = append(out.May, s.names.Value(at, v))
	}
	return out
}

// step makes and describes one step of an actor.
func step(run execution, actor int) (Step, error) {
	t, err := run.take(actor)
	if err != nil {
		return Step{}, err
	}
	return run.describe(t), nil
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

// cannot says why an actor has no step to make.
func (s *simulation) cannot(actor int) error {
	a := s.actors().Of(actor)
	switch st := s.next(a.Pid); {
	case a.Kind == explore.Buffer:
		return fmt.Errorf("process %d has no store in its buffer", a.Pid)
	case st.Access == nil:
		return fmt.Errorf("process %d cannot go on: %v", a.Pid, st.Fault)
	case a.Outcome > 0:
		return fmt.Errorf("process %d does not decide that", a.Pid)
	}
	return fmt.Errorf("process %d waits until its buffer is empty", a.Pid)
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
