package everyn

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"shmbench/check/internal/automaton"
	"shmbench/check/internal/interp"
	"shmbench/check/internal/source"
)

// The bounds of learning: values of a register, and transitions of all processes.
const (
	mostValues      = 64
	mostTransitions = 1 << 13
	mostLocal       = 1 << 13
)

// learned has the automata of the processes of a lock for n processes.
type learned struct {
	n     int
	cells []cell
	procs []*process
}

// cell is a register in the source.
type cell struct {
	base   string // the name without the index
	index  int    // or -1
	values []raw
}

// raw is a value of a register: a number, a pointer to something with an index, or neither.
// The text of such a pointer is the name without the index.
type raw struct {
	text   string
	number int
	kind   rawKind
}

type rawKind uint8

const (
	symbol rawKind = iota
	number
	pointer
)

// process is the automaton of process self; its first state is the initial one.
type process struct {
	n, self int
	states  []state
}

// state is a local state. It accesses a cell, or nothing if cell is -1.
type state struct {
	stack, name string // where it is: for comparing, and for reading
	critical    bool
	cell        int
	moves       []move // by value of the cell
}

// move leads to a state, and leaves a value in the cell.
type move struct{ to, write int }

// errUndecided is the reason why there is no verdict.
type errUndecided struct{ why string }

func (e *errUndecided) Error() string { return e.why }

func undecided(format string, args ...any) error { return &errUndecided{fmt.Sprintf(format, args...)} }

// learn learns the automata of a lock for n processes, for all values that any process may
// write to a register, in whatever order the processes move.
func learn(ctx context.Context, b *source.Builder, n int) (*learned, error) {
	m, err := b.Build(ctx, n)
	if err != nil {
		return nil, err
	}
	return interp.Restart(func() (*learned, error) {
		l, err := automaton.New(m, mostLocal, 0)
		if err != nil {
			return nil, err
		}
		closed, err := l.Close(mostValues, mostTransitions)
		var large *automaton.ErrTooLarge
		switch {
		case errors.As(err, &large) || err == nil && !closed:
			if l.Forget() {
				return nil, interp.ErrReclassified
			}
			return nil, tooLarge(l, n, large)
		case err != nil:
			return nil, err
		}
		model, err := l.Minimize(l.AllSeen(), l.Stacks())
		if err != nil {
			return nil, err
		}
		return read(l, model)
	})
}

// tooLarge says why a lock was not learned.
func tooLarge(l *automaton.Learner, n int, large *automaton.ErrTooLarge) error {
	if large != nil {
		return undecided("at n=%d a process has more than %d local states", n, mostLocal)
	}
	for _, r := range l.Regs {
		if len(r.Values) > mostValues {
			return undecided("at n=%d register %s takes more than %d values", n, l.M.Names().Cell(r.At), mostValues)
		}
	}
	if l.Shares() {
		return undecided("at n=%d processes share memory that they allocate", n)
	}
	return undecided("at n=%d processes make more than %d different steps", n, mostTransitions)
}

// read returns the automata of a model by the names of its registers.
func read(l *automaton.Learner, m *automaton.Model) (*learned, error) {
	out, names := &learned{n: m.N}, l.M.Names()
	for _, r := range m.Regs {
		c := cell{index: -1}
		if r.At != (interp.Ptr{}) {
			name := names.Cell(r.At)
			base, index, err := indexed(name)
			if err != nil {
				return nil, err
			}
			c.base, c.index = base, index
		}
		if r.Decided {
			return nil, undecided("a decision of a process is not a read of a register")
		}
		for _, v := range r.Values {
			c.values = append(c.values, rawOf(v, names.Value(r.At, v)))
		}
		out.cells = append(out.cells, c)
	}
	for self, p := range m.Procs {
		of, err := readProcess(l, m, p, self)
		if err != nil {
			return nil, err
		}
		out.procs = append(out.procs, of)
	}
	return out, nil
}

func readProcess(l *automaton.Learner, m *automaton.Model, p *automaton.Proc, self int) (*process, error) {
	if p.Init != 0 {
		return nil, undecided("the initial state is not the first one")
	}
	out := &process{n: m.N, self: self}
	for i, local := range p.Local {
		st := l.Procs[self].States[p.Members[i][0]]
		if local.Fault != nil {
			if local.Fault.Refused {
				return nil, undecided("%v", local.Fault)
			}
			// Views show whether a process can come here.
			out.states = append(out.states, state{stack: "panic", name: "where the process panics", cell: -1})
			continue
		}
		s := state{stack: l.M.Stack(st), name: nameOf(l.M, st), critical: local.Section == interp.Critical, cell: int(local.Reg)}
		switch {
		case local.Kind.Unfenced():
			return nil, undecided("line %s has a store without a fence, and views are of sequentially consistent memory", s.name)
		case local.Kind&automaton.Plain != 0:
			return nil, undecided("line %s has an access that is not atomic", s.name)
		}
		s.stack += fmt.Sprint(local.Section, st.Access.Op)
		for _, to := range local.Moves {
			s.moves = append(s.moves, move{int(to.State), int(to.Value)})
		}
		out.states = append(out.states, s)
	}
	return out, nil
}

// nameOf is the label of a line, or its place in the source, with the operation.
func nameOf(m *interp.Machine, st *interp.State) string {
	pos, label := m.Place(st)
	if label == "" && pos.IsValid() {
		label = m.Where(st)
	}
	return strings.TrimSpace(label + " " + st.Access.Op.String())
}

// indexed takes the index out of a name: "node[2].next" is "node.next", 2.
func indexed(name string) (base string, index int, err error) {
	open, end := strings.IndexByte(name, '['), strings.IndexByte(name, ']')
	if open < 0 || end < open {
		return name, -1, nil
	}
	if _, err := fmt.Sscanf(name[open:end+1], "[%d]", &index); err != nil || strings.Contains(name[end:], "[") {
		return "", 0, undecided("register %s has more than one index, or one that is no number", name)
	}
	return name[:open] + name[end+1:], index, nil
}

func rawOf(v interp.Value, text string) raw {
	switch v := v.(type) {
	case interp.Num:
		if text != "true" && text != "false" {
			return raw{text, int(v), number}
		}
	case interp.Ptr:
		if base, index, err := indexed(text); err == nil && index >= 0 && v.Obj != 0 {
			return raw{base, index, pointer}
		}
	}
	return raw{text, 0, symbol}
}
