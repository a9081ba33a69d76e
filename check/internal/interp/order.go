package interp

import "golang.org/x/tools/go/ssa"

// The language orders calls, but not the variables that the same expression reads: in
// "l.mine[i] + l.bump(i)" the compiler reads l.mine[i] after the call, and the SSA form
// before the call. The order makes a difference only if the call changes the variable.

// ordered refuses a call that has changed what its statement has read.
func (r *run) ordered(fr *frame, call *ssa.Call) {
	for _, read := range fr.f.unordered[call] {
		p, ok := r.get(fr, read.Load.X).(Ptr)
		if !ok || p.Obj == 0 {
			continue
		}
		then := flat(fr.env[fr.f.slot[read.Load]])
		for i, v := range then {
			at := Ptr{p.Obj, p.Off + int32(i)}
			var now Value
			c := r.m.uses.cells[at]
			switch {
			case p.Obj < 0 || r.pid < 0:
				now = r.memory(at).cells[at.Off]
			case c != nil && c.kind == private:
				now = r.st.priv[c.slot]
			default:
				continue
			}
			if !same(now, v) {
				r.leftOpen(read.Text)
			}
		}
	}
}

// orderedAccess refuses an access by which a call changes shared memory, its
// own or what others wait for, after the call's statement has read some.
func (r *run) orderedAccess() {
	if r.access.Op == Load || r.access.Decides() {
		return
	}
	for i := range r.st.frames {
		fr := &r.st.frames[i]
		call, ok := fr.f.fn.Blocks[fr.block].Instrs[fr.pc].(*ssa.Call)
		if !ok {
			continue
		}
		for _, read := range fr.f.unordered[call] {
			p, ok := r.get(fr, read.Load.X).(Ptr)
			if !ok || p.Obj <= 0 {
				continue
			}
			for k := range flat(fr.env[fr.f.slot[read.Load]]) {
				if r.m.Shared(Ptr{p.Obj, p.Off + int32(k)}) {
					r.leftOpen(read.Text)
				}
			}
		}
	}
}

func (r *run) leftOpen(text string) {
	r.refuse("reads %s beside a call after which it may be another: the language leaves open which comes first", text)
}

// readBefore returns the slots of the variables that the statement of an instruction
// has read before it, though the compiler may read them after it.
func (f *fnInfo) readBefore(in ssa.Instruction) (slots []int) {
	call, ok := in.(*ssa.Call)
	if !ok {
		return nil
	}
	for _, read := range f.unordered[call] {
		for _, v := range []ssa.Value{read.Load, read.Load.X} {
			if s, ok := f.slot[v]; ok {
				slots = append(slots, s)
			}
		}
	}
	return slots
}
