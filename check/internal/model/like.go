package model

import (
	"context"
	"slices"

	"shmbench/check/internal/automaton"
	"shmbench/check/internal/interp"
)

// Like learns a lock for the values that occur in another one, and returns it if
// it has the same automata as that, access by access and line by line, over
// registers of the same names: then the same values occur in it, and all that was
// decided of the other's model is true of its own. States, registers and values of
// that are numbered as the other's are. If it has not, Like returns nil.
func Like(ctx context.Context, build Builder, other *Lock, o Options) (*Lock, error) {
	if other.Model.Heap != nil {
		return nil, nil
	}
	m, err := build(ctx, other.Model.N)
	if err != nil {
		return nil, err
	}
	lock, err := interp.Restart(func() (*Lock, error) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		return like(m, other, o)
	})
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, nil // by itself it is found out what it does
	}
	return lock, nil
}

func like(m *interp.Machine, other *Lock, o Options) (*Lock, error) {
	l, err := automaton.New(m, maxLocal, o.Memory)
	if err != nil {
		return nil, err
	}
	lock := &Lock{Learner: l, Passages: other.Passages, Unbounded: other.Unbounded}
	t := newTwins(l, other)
	// Each round learns what its values lead to, and so more of the values.
	for grows := true; grows; {
		lock.Seen = t.seen()
		if err := lock.minimise(o); err != nil {
			return nil, err
		}
		grows = !slices.EqualFunc(lock.Seen, t.seen(), slices.Equal[[]bool])
	}
	if !t.registers(lock.Model) {
		return nil, nil
	}
	model := &automaton.Model{N: lock.Model.N, Regs: t.regs}
	for pid, p := range lock.Model.Procs {
		same := t.process(pid, p)
		if same == nil {
			return nil, nil
		}
		model.Procs = append(model.Procs, same)
	}
	lock.Model = model
	return lock, nil
}

// twins finds what of a lock corresponds to what of another, by its names.
type twins struct {
	l      *automaton.Learner
	other  *Lock
	names  *interp.Names
	values map[string]map[string]int32 // the other's, by register and value

	// By the other's numbers: the lock's registers, and their numbers and those of
	// their values in its model.
	regs  []automaton.Reg
	reg   []int32
	value [][]int32
}

func newTwins(l *automaton.Learner, other *Lock) *twins {
	t := &twins{l: l, other: other, names: l.M.Names(), values: map[string]map[string]int32{}}
	names := other.Learner.M.Names()
	for _, reg := range other.Model.Regs {
		t.values[cell(names, reg.At)] = number(names, reg)
	}
	return t
}

// cell is the name of a register, "" of that of accesses which touch nothing.
func cell(names *interp.Names, at interp.Ptr) string {
	if at == (interp.Ptr{}) {
		return ""
	}
	return names.Cell(at)
}

// number gives the numbers of a register's values by their names.
func number(names *interp.Names, reg automaton.Reg) map[string]int32 {
	values := map[string]int32{}
	for v, value := range reg.Values {
		values[valueName(names, reg.At, value)] = int32(v)
	}
	return values
}

func valueName(names *interp.Names, at interp.Ptr, v interp.Value) string {
	if at == (interp.Ptr{}) {
		return ""
	}
	return names.Value(at, v)
}

// seen returns which of the values that were learned so far occur in the other.
func (t *twins) seen() automaton.Seen {
	seen := make(automaton.Seen, len(t.l.Regs))
	for r, reg := range t.l.Regs {
		values := t.values[cell(t.names, reg.At)]
		for _, v := range reg.Values {
			_, occurs := values[valueName(t.names, reg.At, v)]
			seen[r] = append(seen[r], occurs)
		}
	}
	return seen
}

// registers pairs the registers of a model and their values with the other's, and
// reports whether each has its twin.
func (t *twins) registers(m *automaton.Model) bool {
	if len(m.Regs) != len(t.other.Model.Regs) || len(m.Regs) != len(t.values) {
		return false
	}
	own := map[string]int32{}
	for r, reg := range m.Regs {
		own[cell(t.names, reg.At)] = int32(r)
	}
	names := t.other.Learner.M.Names()
	for _, twin := range t.other.Model.Regs {
		name := cell(names, twin.At)
		r, ok := own[name]
		if !ok {
			return false
		}
		reg, values := m.Regs[r], number(t.names, m.Regs[r])
		if len(values) != len(reg.Values) || len(reg.Values) != len(twin.Values) || len(t.values[name]) != len(values) {
			return false
		}
		ordered := automaton.Reg{At: reg.At, Decided: reg.Decided}
		var order []int32
		for _, value := range twin.Values {
			v, ok := values[valueName(names, twin.At, value)]
			if !ok {
				return false
			}
			order = append(order, v)
			ordered.Values, ordered.Numbers = append(ordered.Values, reg.Values[v]), append(ordered.Numbers, reg.Numbers[v])
		}
		t.regs, t.reg, t.value = append(t.regs, ordered), append(t.reg, r), append(t.value, order)
	}
	return true
}

// process returns a process with its states numbered as the other's are, or nil
// if it does not do the same.
func (t *twins) process(pid int, p *automaton.Proc) *automaton.Proc {
	q := t.other.Model.Procs[pid]
	if len(p.Local) != len(q.Local) {
		return nil
	}
	twin := map[int32]int32{q.Init: p.Init} // by the other's state
	queue := []int32{q.Init}
	pair := func(s, own int32) bool {
		if s < 0 || own < 0 {
			return s == own
		}
		known, ok := twin[s]
		if !ok {
			known, twin[s], queue = own, own, append(queue, s)
		}
		return known == own
	}
	out := &automaton.Proc{Init: q.Init, Local: q.Local, Members: make([][]int32, len(q.Local))}
	for i := 0; i < len(queue); i++ {
		s := queue[i]
		l, k := q.Local[s], p.Local[twin[s]]
		out.Members[s] = p.Members[twin[s]]
		if !t.access(l, k) || !slices.Equal(t.other.Learner.Places(pid, q.Members[s]), t.l.Places(pid, out.Members[s])) {
			return nil
		}
		for v, m := range l.Moves {
			own := k.Moves[t.value[l.Reg][v]]
			if m.Value != automaton.Unknown {
				m.Value = t.value[l.Reg][m.Value]
			}
			if m.Value != own.Value || !pair(m.State, own.State) {
				return nil
			}
		}
	}
	if len(queue) < len(q.Local) {
		return nil
	}
	return out
}

// access reports whether two local states make the same access, or fail on the same
// line; what they say then may differ. The lines that automaton.Learner.Lines tells apart have numbers of each
// learner's own.
func (t *twins) access(l, k automaton.Local) bool {
	if l.Reg >= 0 && k.Reg >= 0 {
		l.Reg = t.reg[l.Reg]
	}
	return faulty(l.Fault, k.Fault) && l.Reg == k.Reg && len(l.Moves) == len(k.Moves) && l.Section == k.Section && l.Mode == k.Mode && l.GaveUp == k.GaveUp &&
		l.Kind == k.Kind && l.Passages == k.Passages && automaton.Unlined(l.Mark) == automaton.Unlined(k.Mark)
}

// faulty reports whether two faults are none, or on the same line and of the same
// kind.
func faulty(f, g *interp.Fault) bool {
	if f == nil || g == nil {
		return f == g
	}
	return f.Pos == g.Pos && f.Refused == g.Refused && f.Endless == g.Endless && f.Open == g.Open
}
