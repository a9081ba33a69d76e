package interp

import (
	"go/token"
	"strings"
)

// Quiet is what a process does between two steps, and where compiled code stops as well.
// It is a plain access to a cell that New has built, and that is private to the process
// or never written. If Op is Pass, it is the end of Lock or Unlock.
type Quiet struct {
	Op    Op
	At    Ptr
	Value Value // what is read or written
	Pos   token.Pos
}

// Watch sets a function that is called with each quiet access, or none.
func (m *Machine) Watch(f func(Quiet)) { m.quiet = f }

// watch tells of a quiet access.
func (r *run) watch(op Op, at Ptr, v Value) {
	if r.m.quiet == nil {
		return
	}
	q := Quiet{op, at, v, r.where()}
	if op == Pass || len(r.st.frames) == 0 || r.m.unstoppable(r.st.frames) == "" {
		r.m.quiet(q)
	}
}

// Unstoppable says why compiled code cannot be stopped at the next access of a
// process, or returns "".
func (m *Machine) Unstoppable(s *State) string {
	if s.Access == nil || !s.Access.Plain {
		return ""
	}
	return m.unstoppable(s.frames)
}

func (m *Machine) unstoppable(frames []frame) string {
	f := frames[len(frames)-1]
	if strings.HasPrefix(f.f.fn.Synthetic, "wrapper") {
		return "the method " + f.f.fn.Name() + ", which Go makes of another, reads shared memory plainly"
	}
	if m.Prog.Foreign(f.f.fn.Pos()) {
		return funcName(f.f.fn) + " accesses shared memory plainly"
	}
	return ""
}
