package interp

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/container/intsets"
	"golang.org/x/tools/go/ssa"
)

// Some values of a function make no difference to what the function does, such as a
// counter of polls that only decides when to yield. In the state of a process, such a
// counter would make a polling loop endless. relevance finds the instructions that have
// an effect or can fail, the values that these are computed from, and the branches that
// decide whether they are executed. Other branches are not taken: execution goes on
// where they meet again.
type relevance struct {
	fn     *ssa.Function
	instr  map[ssa.Instruction]bool
	meet   []int            // by block: its immediate postdominator, -1 if there is none
	post   []intsets.Sparse // by block: its postdominators, itself among them
	branch map[int]bool
	finite map[int]bool // by block: its branch leaves a loop that ends for certain
}

func relevant(fn *ssa.Function) *relevance {
	r := &relevance{fn: fn, instr: map[ssa.Instruction]bool{}, branch: map[int]bool{}}
	r.postdominators()
	r.finite = r.finiteLoops()
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if effect(in, nil) {
				r.mark(in)
			}
		}
		if r.meet[b.Index] < 0 || r.loops(b, r.finite) || !ends(b) {
			r.decide(b)
		}
	}
	return r
}

// idle reports whether a call of fn, or of what it calls, does nothing but
// compute its results, and comes back for certain. within are the functions
// that are being looked at.
func idle(fn *ssa.Function, within []*ssa.Function) bool {
	if fn.Blocks == nil || slices.Contains(within, fn) {
		return false
	}
	within = append(within, fn)
	r := &relevance{fn: fn}
	r.postdominators()
	finite := r.finiteLoops()
	for _, b := range fn.Blocks {
		if len(b.Succs) > 1 && (r.meet[b.Index] < 0 || r.loops(b, finite)) || !ends(b) {
			return false
		}
		for _, in := range b.Instrs {
			if _, ok := in.(*ssa.Return); !ok && effect(in, within) {
				return false
			}
		}
	}
	return true
}

// effect reports whether an instruction of the innermost of the functions
// within does more than compute a value, or can fail.
func effect(in ssa.Instruction, within []*ssa.Function) bool {
	if v, ok := in.(ssa.Value); ok && unevaluated(v) {
		return false
	}
	switch in := in.(type) {
	case *ssa.If, *ssa.Jump, *ssa.DebugRef, *ssa.Phi, *ssa.ChangeType, *ssa.Extract, *ssa.Field:
		return false
	case *ssa.Convert:
		_, reads := in.X.Type().Underlying().(*types.Slice)
		return reads
	case *ssa.BinOp:
		switch in.Op {
		case token.QUO, token.REM:
			return !nonzero(in.Y)
		case token.SHL, token.SHR:
			_, constant := in.Y.(*ssa.Const)
			b, ok := in.Y.Type().Underlying().(*types.Basic)
			return !constant && (!ok || b.Info()&types.IsUnsigned == 0)
		case token.EQL, token.NEQ:
			_, ok := in.X.Type().Underlying().(*types.Basic)
			return !ok
		}
		return false
	case *ssa.UnOp:
		if _, array := in.Type().Underlying().(*types.Array); array && in.Op == token.MUL && unused(in) {
			return false // only the length of the array is used
		}
		return in.Op == token.MUL || in.Op == token.ARROW
	case *ssa.Call:
		fn := in.Call.StaticCallee()
		if fn == nil {
			return true
		}
		if fn.Pkg != nil && fn.Signature.Recv() == nil && nothing[fn.Pkg.Pkg.Path()+"."+fn.Name()] {
			return false
		}
		return !draws(in) && !idle(fn, within)
	}
	return true
}

// unused reports whether nothing but notes on the source refers to a value.
func unused(v ssa.Value) bool {
	return !slices.ContainsFunc(*v.Referrers(), func(in ssa.Instruction) bool { return !note(in) })
}

func note(in ssa.Instruction) bool {
	_, ok := in.(*ssa.DebugRef)
	return ok
}

// unevaluated reports whether a value is computed here and not by Go. Go does not
// evaluate an array, or a pointer to one, that a range statement uses for its length
// only, if the expression makes no call. Nor does Go evaluate what only that needs.
func unevaluated(v ssa.Value) bool {
	if !isAccess(v) {
		return false
	}
	if unused(v) {
		return measured(v)
	}
	return !slices.ContainsFunc(*v.Referrers(), func(in ssa.Instruction) bool {
		by, ok := in.(ssa.Value)
		return !note(in) && !(ok && unevaluated(by))
	})
}

// isAccess reports whether a value is read from somewhere, or the address of a part.
func isAccess(v ssa.Value) bool {
	switch v.(type) {
	case *ssa.UnOp, *ssa.FieldAddr, *ssa.IndexAddr, *ssa.Field, *ssa.Index:
		return true
	}
	return false
}

// measured reports whether a value stands where a loop over indexes begins, as an
// expression without a call.
func measured(v ssa.Value) bool {
	in := v.(ssa.Instruction)
	b := in.Block()
	if len(b.Succs) != 1 || b.Succs[0].Comment != "rangeindex.loop" {
		return false
	}
	behind := b.Instrs[slices.Index(b.Instrs, in)+1 : len(b.Instrs)-1] // less the jump
	for _, in := range behind {
		if ref, ok := in.(*ssa.DebugRef); !ok || ref.X == v && makesCall(b.Parent(), ref.Expr) {
			return false
		}
	}
	return len(behind) > 0
}

// makesCall reports whether there is a call in an expression, or a receive.
func makesCall(fn *ssa.Function, e ast.Expr) bool {
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			_, makes := in.(*ssa.Call)
			if op, ok := in.(*ssa.UnOp); ok {
				makes = op.Op == token.ARROW
			}
			if makes && e.Pos() <= in.Pos() && in.Pos() < e.End() {
				return true
			}
		}
	}
	return false
}

// nonzero reports whether v is a constant other than 0, or a number of processors, which
// is never 0.
func nonzero(v ssa.Value) bool {
	if call, ok := v.(*ssa.Call); ok {
		return call.Call.StaticCallee() != nil && draws(call) && strings.HasPrefix(drawnName(call.Call.StaticCallee()), "runtime.")
	}
	c, ok := v.(*ssa.Const)
	return ok && c.Value != nil && c.Value.String() != "0"
}

// mark makes an instruction relevant, and all that it depends on.
func (r *relevance) mark(in ssa.Instruction) {
	if r.instr[in] {
		return
	}
	r.instr[in] = true
	for _, op := range in.Operands(nil) {
		if def, ok := (*op).(ssa.Instruction); ok {
			r.mark(def)
		}
	}
	r.reach(in.Block())
	if _, ok := in.(*ssa.Phi); ok {
		for _, pred := range in.Block().Preds {
			r.reach(pred)
			r.decide(pred)
		}
	}
}

// reach makes the branches relevant that decide whether a block is executed.
func (r *relevance) reach(b *ssa.BasicBlock) {
	for _, a := range r.fn.Blocks {
		if len(a.Succs) < 2 || a != b && r.post[a.Index].Has(b.Index) {
			continue
		}
		for _, s := range a.Succs {
			if r.post[s.Index].Has(b.Index) {
				r.decide(a)
			}
		}
	}
}

// decide makes the branch at the end of a block relevant.
func (r *relevance) decide(b *ssa.BasicBlock) {
	if len(b.Succs) == 2 && !r.branch[b.Index] {
		r.branch[b.Index] = true
		r.mark(b.Instrs[len(b.Instrs)-1])
	}
}

// loops reports whether a block can be reached from itself without passing
// where its branches meet: then it may never get there.
func (r *relevance) loops(b *ssa.BasicBlock, finite map[int]bool) bool {
	return !finite[b.Index] && closure(b, successors, r.meet[b.Index])[b]
}

// ends reports whether the function's end can be reached from a block. Where it
// cannot, there are no postdominators.
func ends(b *ssa.BasicBlock) bool {
	if len(b.Succs) == 0 {
		return true
	}
	for at := range closure(b, successors, -1) {
		if len(at.Succs) == 0 {
			return true
		}
	}
	return false
}

func successors(b *ssa.BasicBlock) []*ssa.BasicBlock { return b.Succs }

// postdominators computes, for each block, the blocks that every way from it
// to the function's end passes, and the first of them.
func (r *relevance) postdominators() {
	n := len(r.fn.Blocks)
	r.post, r.meet = make([]intsets.Sparse, n), make([]int, n)
	var all intsets.Sparse
	for k := range n {
		all.Insert(k)
	}
	for i := range r.post {
		r.post[i].Copy(&all)
	}
	for changed := true; changed; {
		changed = false
		for i, b := range slices.Backward(r.fn.Blocks) {
			var next intsets.Sparse
			for k, s := range b.Succs {
				if k == 0 {
					next.Copy(&r.post[s.Index])
				} else {
					next.IntersectionWith(&r.post[s.Index])
				}
			}
			next.Insert(i)
			changed = changed || !next.Equals(&r.post[i])
			r.post[i].Copy(&next)
		}
	}
	for i := range r.meet {
		r.meet[i] = -1
		for _, k := range r.post[i].AppendTo(nil) {
			// The first is the one that all the others come after.
			if k != i && r.post[k].Len() == r.post[i].Len()-1 {
				r.meet[i] = k
			}
		}
	}
}
