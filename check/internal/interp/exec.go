package interp

import (
	"fmt"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// maxLocal is how many instructions a process may run without a shared access
// before it is taken to run for ever.
const maxLocal = 1 << 20

// run executes one process until its next shared access, or, with pid -1,
// the code that builds the lock.
type run struct {
	m      *Machine
	pid    int
	st     *State
	access *Access
	pos    token.Pos
	result Value // of the outermost function
}

func (r *run) fault(refused bool, format string, args []any) {
	panic(&Fault{Refused: refused, Msg: fmt.Sprintf(format, args...), Pos: r.where(), prog: r.m.Prog})
}

// fail ends the run because the code would crash.
func (r *run) fail(format string, args ...any) { r.fault(false, format, args) }

// refuse ends the run because the code cannot be modelled.
func (r *run) refuse(format string, args ...any) { r.fault(true, format, args) }

// where is the position of the innermost call into source that has one.
func (r *run) where() token.Pos {
	for i := len(r.st.frames) - 1; i >= 0; i-- {
		f := r.st.frames[i]
		if pos := position(f.f.fn.Blocks[f.block].Instrs, f.pc); pos.IsValid() {
			return pos
		}
	}
	return r.pos
}

// position returns the position of an instruction, or of the nearest before
// it in the block that has one.
func position(instrs []ssa.Instruction, pc int) token.Pos {
	for ; pc >= 0; pc-- {
		if pos := instrs[pc].Pos(); pos.IsValid() {
			return pos
		}
		if s, ok := instrs[pc].(*ssa.Store); ok && s.Addr.Pos().IsValid() {
			return s.Addr.Pos()
		}
	}
	return token.NoPos
}

// push enters a function.
func (r *run) push(fn *ssa.Function, args, free []Value) {
	f := r.m.info(fn)
	env := make([]Value, len(f.slot))
	copy(env, args)
	copy(env[len(fn.Params):], free)
	if len(r.st.frames) > 1000 {
		r.fail("calls itself without end")
	}
	r.st.frames = append(r.st.frames, frame{f: f, env: env})
}

// finish runs until the stack is empty (true) or an access is due (false).
func (r *run) finish() bool {
	for steps := 0; len(r.st.frames) > 0; steps++ {
		if steps == maxLocal && r.pid >= 0 {
			r.fail("runs without end and without an access to shared memory")
		}
		fr := &r.st.frames[len(r.st.frames)-1]
		if r.step(fr, fr.f.fn.Blocks[fr.block].Instrs[fr.pc]); r.access != nil {
			return false
		}
	}
	return true
}

// skip goes to where the branches of the current block meet.
func (r *run) skip(fr *frame) {
	fr.block, fr.pc = fr.f.matters.meet[fr.block], 0
	for _, in := range fr.f.fn.Blocks[fr.block].Instrs {
		if _, ok := in.(*ssa.Phi); !ok {
			break
		}
		fr.pc++ // it makes no difference, or the branch would
	}
}

// jump goes to a successor of the current block and evaluates its phis.
func (r *run) jump(fr *frame, succ int) {
	from := fr.f.fn.Blocks[fr.block]
	to := from.Succs[succ]
	edge := 0
	for i, p := range to.Preds {
		if p == from {
			edge = i
			if succ == 0 || from.Succs[0] != to {
				break
			}
		}
	}
	values := []Value{}
	for _, in := range to.Instrs {
		phi, ok := in.(*ssa.Phi)
		if !ok {
			break
		}
		values = append(values, r.get(fr, phi.Edges[edge])) // nil if it makes no difference
	}
	for i, v := range values {
		fr.env[fr.f.slot[to.Instrs[i].(*ssa.Phi)]] = v
	}
	fr.block, fr.pc = to.Index, len(values)
}

// ret leaves the innermost function.
func (r *run) ret(v Value) {
	r.st.frames = r.st.frames[:len(r.st.frames)-1]
	if len(r.st.frames) == 0 {
		r.result = v
		return
	}
	r.done(&r.st.frames[len(r.st.frames)-1], v)
}

// done gives the current instruction its value and goes on to the next.
func (r *run) done(fr *frame, v Value) {
	if in, ok := fr.f.fn.Blocks[fr.block].Instrs[fr.pc].(ssa.Value); ok {
		fr.env[fr.f.slot[in]] = v
	}
	fr.pc++
}

// get returns the value of an operand.
func (r *run) get(fr *frame, v ssa.Value) Value {
	switch v := v.(type) {
	case *ssa.Const:
		return r.constant(v)
	case *ssa.Function:
		return &Closure{Fn: v}
	case *ssa.Global:
		return r.m.global(v)
	case *ssa.Builtin:
		return nil
	}
	return fr.env[fr.f.slot[v]]
}

// step executes one instruction.
func (r *run) step(fr *frame, in ssa.Instruction) {
	if !fr.f.matters.instr[in] {
		switch in.(type) {
		case *ssa.Jump:
			r.jump(fr, 0)
		case *ssa.If:
			r.skip(fr)
		default:
			fr.pc++
		}
		return
	}
	switch in := in.(type) {
	case *ssa.If:
		switch cond := r.get(fr, in.Cond).(type) {
		case Num:
			if cond != 0 {
				r.jump(fr, 0)
			} else {
				r.jump(fr, 1)
			}
		case Opaque:
			r.refuse("depends on %s, which cannot be modelled", cond.By)
		}
	case *ssa.Return:
		switch len(in.Results) {
		case 0:
			r.ret(nil)
		case 1:
			r.ret(r.get(fr, in.Results[0]))
		default:
			var all Agg
			for _, x := range in.Results {
				all = append(all, flat(r.get(fr, x))...)
			}
			r.ret(all)
		}
	case *ssa.Panic:
		r.fail("panics: %s", describe(r.get(fr, in.X)))
	case *ssa.Store:
		p, ok := r.get(fr, in.Addr).(Ptr)
		if !ok {
			r.opaque(r.get(fr, in.Addr))
			fr.pc++
			return
		}
		if r.store(p, r.get(fr, in.Val)); r.access == nil {
			fr.pc++
		}
	case *ssa.Call:
		r.call(fr, in)
	case *ssa.RunDefers:
		fr.pc++
	case *ssa.MapUpdate:
		if r.pid >= 0 {
			r.refuse("uses a map")
		}
		fr.pc++
	case *ssa.Go:
		r.refuse("starts a goroutine")
	case *ssa.Defer:
		r.refuse("defers a call")
	case *ssa.Send:
		r.refuse("sends on a channel")
	case ssa.Value:
		v := r.eval(fr, in)
		if r.access == nil {
			r.done(fr, v)
		}
	default:
		r.refuse("cannot be modelled: %s", in)
	}
}

// opaque refuses to use v, except while the lock is built.
func (r *run) opaque(v Value) Value {
	o, ok := v.(Opaque)
	if !ok {
		r.refuse("cannot be modelled: a %T where another kind of value was expected", v)
	}
	if r.pid >= 0 {
		r.refuse("uses %s, which cannot be modelled", o.By)
	}
	return o
}

// describe returns a value as a panic message shows it.
func describe(v Value) string {
	switch v := v.(type) {
	case Iface:
		return describe(v.V)
	case Num:
		return fmt.Sprint(int64(v))
	case string:
		return v
	}
	return "a value"
}

// bits returns the width of a word type, negative if it is signed.
func (m *Machine) bits(t types.Type) int {
	b, ok := t.Underlying().(*types.Basic)
	if !ok {
		return 64
	}
	width, narrowed := m.word[b.Kind()]
	if !narrowed {
		width = int(m.Prog.Sizes.Sizeof(b)) * 8
	}
	if b.Info()&types.IsUnsigned == 0 {
		return -width
	}
	return width
}
