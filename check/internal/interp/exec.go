package interp

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"shmbench/shm"
)

// Bounds of what is run without an access to shared memory. A loop that comes
// back to where it was is known to be endless long before.
const (
	maxLocal  = 1 << 25   // instructions of a process
	maxTotal  = 1<<31 - 1 // the same in all, while a lock is learned
	maxBuild  = 1 << 27   // instructions of New
	maxNarrow = 1 << 20   // instructions of New with narrow words, which may only count
	maxDepth  = 10_000    // calls within calls
	maxNested = 256       // the same where a process makes an access, as every local state has them all
)

// run executes one process until its next shared access, or, with pid -1,
// the code that builds the lock.
type run struct {
	m      *Machine
	pid    int
	st     *State
	access *Access
	pos    token.Pos
	result Value    // of the outermost function
	mode   shm.Mode // of the passage
	gaveUp bool     // giveUp has returned true in it
	failed bool     // the call by which it began has returned false
	// recovering: Recover runs.
	recovering bool

	copies copies // of the instruction that is executed

	moved map[Ptr]shift // how far counts have been moved

	writes    int // cells that have got another value
	allocated int // cells
	turns     turns
	calls     calls
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
	r.nest(fn, args)
	r.st.frames = append(r.st.frames, frame{f: f, env: env})
}

// finish runs until the stack is empty (true) or an access is due (false).
func (r *run) finish() bool {
	limit, steps := min(maxLocal, r.m.limits.left), 0
	if r.pid < 0 {
		limit = r.m.limits.steps
	} else {
		defer func() { r.m.limits.left -= steps }()
	}
	for ; len(r.st.frames) > 0; steps++ {
		switch {
		case steps < limit:
		case r.pid >= 0 && limit < maxLocal:
			r.fault(Fault{Refused: true, Open: true, Pos: r.turns.at}, "not run to the next access to shared memory, as all processes have taken %d instructions between accesses", []any{maxTotal})
		default:
			r.fault(Fault{Refused: true, Open: true, Pos: r.turns.at}, "still in a loop without an access to shared memory after %d turns", []any{r.turns.count})
		}
		if steps&(1<<14-1) == 0 && r.m.ctx.Err() != nil {
			panic(interrupted{r.m.ctx.Err()})
		}
		fr := &r.st.frames[len(r.st.frames)-1]
		if r.step(fr, &fr.f.code[fr.block][fr.pc]); r.access != nil {
			r.orderedAccess()
			if len(r.st.frames) > maxNested {
				r.fault(Fault{Refused: true, Open: true}, "%d calls within calls with accesses between them, and no end in sight", []any{maxNested})
			}
			return false
		}
	}
	return true
}

// skip goes to where the branches of the current block meet.
func (r *run) skip(fr *frame) {
	fr.block, fr.pc = fr.f.relevant.meet[fr.block], 0
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
	if to.Index <= from.Index {
		if pos := position(from.Instrs, len(from.Instrs)-1); pos.IsValid() {
			r.turns.at = pos
		}
		r.turn()
	}
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

// done gives the current instruction its value and goes on to the next, unless
// that was but a word of what it copies.
func (r *run) done(fr *frame, v Value) {
	if fr.words != nil {
		fr.words = append(slices.Clip(fr.words), v)
		return
	}
	in := &fr.f.code[fr.block][fr.pc]
	if in.slot >= 0 {
		fr.env[in.slot] = v
	}
	switch in := in.Instruction.(type) {
	case *ssa.Call:
		r.ordered(fr, in)
	case *ssa.RunDefers:
		return // there may be more
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

// passOver goes on after an instruction that makes no difference. It notes where the
// process passes the time.
func (r *run) passOver(fr *frame, in ssa.Instruction) {
	switch in := in.(type) {
	case *ssa.Jump:
		r.jump(fr, 0)
		return
	case *ssa.If:
		if fr.f.relevant.finite[fr.block] {
			r.m.delay = r.where()
		}
		r.skip(fr)
		return
	case *ssa.Call:
		if fn := in.Call.StaticCallee(); fn != nil && fn.Blocks != nil {
			r.m.delay = in.Pos()
		}
	}
	fr.pc++
}

// step executes one instruction.
func (r *run) step(fr *frame, next *instruction) {
	if !next.relevant {
		r.passOver(fr, next.Instruction)
		return
	}
	switch in := next.Instruction.(type) {
	case *ssa.If:
		r.branch(fr, r.get(fr, in.Cond))
	case *ssa.Return:
		r.ret(r.results(fr, in.Results))
	case *ssa.Panic:
		r.fail("panics: %s", describe(r.get(fr, in.X)))
	case *ssa.Store:
		p, ok := r.get(fr, in.Addr).(Ptr)
		if !ok {
			r.refuseAddress(r.get(fr, in.Addr))
			fr.pc++
			return
		}
		if r.copying(false, func() { r.store(p, r.get(fr, in.Val)) }); r.access == nil {
			fr.pc++
		}
	case *ssa.Call:
		r.call(fr, in)
	case *ssa.RunDefers:
		r.runDeferred(fr)
	case *ssa.MapUpdate:
		r.mapUpdate(fr, in)
		fr.pc++
	case *ssa.Go:
		r.refuse("starts a goroutine")
	case *ssa.Defer:
		r.deferCall(fr, in)
	case *ssa.Send:
		r.refuse("sends on a channel")
	case ssa.Value:
		v := r.eval(fr, in)
		if r.access == nil {
			r.done(fr, v)
		}
	default:
		r.refuse("cannot be modeled: %s", in)
	}
}

// branch goes where a condition decides.
func (r *run) branch(fr *frame, cond Value) {
	switch cond := cond.(type) {
	case Num:
		if cond != 0 {
			r.jump(fr, 0)
		} else {
			r.jump(fr, 1)
		}
	case Opaque:
		r.refuse("depends on %s, which cannot be modeled", cond.By)
	case Forgotten:
		r.needs(cond)
	}
}

// results returns what a function returns: several results are one aggregate.
func (r *run) results(fr *frame, results []ssa.Value) Value {
	switch len(results) {
	case 0:
		return nil
	case 1:
		return r.get(fr, results[0])
	}
	var all Agg
	for _, x := range results {
		all = append(all, flat(r.get(fr, x))...)
	}
	return all
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

// wordBits returns the width of an integer type, 0 of any other.
func (m *Machine) wordBits(t types.Type) int {
	if b, ok := t.Underlying().(*types.Basic); ok && b.Info()&types.IsInteger != 0 {
		return m.bits(b)
	}
	return 0
}
