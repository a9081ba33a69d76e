package interp

import (
	"golang.org/x/tools/go/ssa"
)

// Start returns process pid's state before the first access of its Lock.
func (m *Machine) Start(pid int) (*State, error) {
	st := &State{}
	for _, p := range m.uses.priv[pid] {
		st.priv = append(st.priv, m.Initial(p))
	}
	return m.advance(pid, st, Remainder, func(r *run) bool {
		r.beginPassage()
		return false
	})
}

// Resume returns process pid's state after the access of s has been made with
// the given result.
func (m *Machine) Resume(pid int, s *State, result Value) (*State, error) {
	st := s.clone()
	section := s.Section
	switch {
	case s.Access.Decides():
	case section == Remainder && m.Recovering(s):
		section = Recovery
	case section == Remainder:
		section = Entry
	case section == Critical:
		section = Exit
	}
	return m.advance(pid, st, section, func(r *run) bool {
		r.mode, r.gaveUp, r.failed, r.recovering = s.Mode, s.GaveUp, s.failed, m.Recovering(s)
		switch s.Access.Op {
		case Pass:
			return true
		case Call:
			r.enterMode(result)
			return false
		case Poll:
			r.gaveUp = result == Num(1)
		}
		if u, ok := result.(Undecided); ok {
			r.refuse("%s", u.Why)
		}
		r.done(&st.frames[len(st.frames)-1], result)
		return false
	})
}

// advance runs on from st, in the given section, to the next access. first
// does what comes before that, and reports whether the section has ended with
// the step that was just made.
func (m *Machine) advance(pid int, st *State, section Section, first func(r *run) bool) (out *State, err error) {
	defer func() {
		x := recover()
		if x == nil {
			return
		}
		err = caught(x)
		if fault, ok := x.(*Fault); ok {
			out, err = &State{Section: section, Fault: fault}, nil
		}
	}()
	r := &run{m: m, pid: pid, st: st}
	for passed := first(r); passed || r.access == nil && r.finish(); {
		if !passed {
			r.watch(Pass, Ptr{}, r.result)
			if r.recovering {
				section = r.recovered(section)
				continue
			}
			if section == Remainder || section == Entry {
				r.noteFailure()
			}
		}
		passed = false
		switch section {
		case Remainder, Critical: // a whole section without an access
			r.access = &Access{Op: Pass}
		case Entry:
			if r.failed {
				section = Remainder
				r.beginPassage()
				break
			}
			section = Critical
			r.beginExit()
		case Exit:
			section = Remainder
			r.beginPassage()
		}
	}
	return r.canonical(section), nil
}

// begin calls a method of the lock, by which a passage begins or ends.
func (r *run) begin(method *ssa.Function, further ...Value) {
	r.pos, r.result = method.Pos(), nil
	r.push(method, append([]Value{r.m.Root.V, Num(r.pid)}, further...), nil)
}

// canonical returns the state with only what is live, and with the process's
// own memory numbered in the order in which it is reached.
func (r *run) canonical(section Section) *State {
	c := &canon{}
	out := &State{Section: section, Mode: r.mode, GaveUp: r.gaveUp, failed: r.failed, frames: make([]frame, 0, len(r.st.frames))}
	if r.access != nil {
		out.Access = c.access(r.access)
		if r.access.Writes() {
			c.close(out, r.st.heap)
			out.fresh = len(out.heap)
		}
	}
	for i, fr := range r.st.frames {
		env := make([]Value, len(fr.env))
		for _, s := range r.st.live(i, r.access == nil || fr.words != nil) {
			env[s] = c.value(fr.env[s])
		}
		if fr.f.section {
			env[0] = c.value(fr.env[0])
		}
		out.frames = append(out.frames, frame{fr.f, fr.block, fr.pc, env, c.deferredCalls(fr.deferred), fr.at, c.values(fr.words)})
	}
	out.priv = c.values(r.st.priv)
	c.close(out, r.st.heap)
	c.join(out, r.st.aliases)
	return out
}

// canon renumbers a process's own objects.
type canon struct {
	number map[int32]int32 // nil until there is one
	order  []int32
}

// access returns an access with its own memory renumbered.
func (c *canon) access(a *Access) *Access {
	out := *a
	out.Arg, out.Old = c.value(a.Arg), c.value(a.Old)
	return &out
}

// deferredCalls returns deferred calls with the process's own memory renumbered.
func (c *canon) deferredCalls(calls []deferred) []deferred {
	var out []deferred
	for _, d := range calls {
		out = append(out, deferred{d.call, c.values(d.values)})
	}
	return out
}

// close adds to a state all that what has been reached so far leads to.
func (c *canon) close(out *State, heap []object) {
	for i := len(out.heap); i < len(c.order); i++ {
		o := heap[-c.order[i]-1]
		out.heap = append(out.heap, object{o.typ, c.values(o.cells)})
	}
}

// join adds to a state what is known of the aliases that it has reached.
func (c *canon) join(out *State, aliases []alias) {
	for _, a := range aliases {
		if c.number[a.a.Obj] != 0 && c.number[a.b.Obj] != 0 {
			out.aliases = append(out.aliases, alias{c.ptr(a.a), c.ptr(a.b), a.n})
		}
	}
}

func (c *canon) ptr(p Ptr) Ptr {
	if p.Obj >= 0 {
		return p
	}
	id, ok := c.number[p.Obj]
	if !ok {
		c.order = append(c.order, p.Obj)
		id = -int32(len(c.order))
		if c.number == nil {
			c.number = map[int32]int32{}
		}
		c.number[p.Obj] = id
	}
	return Ptr{id, p.Off}
}

func (c *canon) value(v Value) Value {
	switch v := v.(type) {
	case Ptr:
		return c.ptr(v)
	case Slice:
		v.P = c.ptr(v.P)
		return v
	case Agg:
		return Agg(c.values(v))
	case *Closure:
		if v == nil || len(v.Free) == 0 {
			return v
		}
		return &Closure{v.Fn, c.values(v.Free)}
	case Iface:
		return Iface{v.T, c.value(v.V)}
	}
	return v
}

// values returns values with the process's own memory renumbered, and nil for nil.
func (c *canon) values(vs []Value) []Value {
	if vs == nil {
		return nil
	}
	out := make([]Value, len(vs))
	for i, v := range vs {
		out[i] = c.value(v)
	}
	return out
}
