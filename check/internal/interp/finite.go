package interp

import (
	"go/constant"
	"go/token"
	"go/types"
	"math"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// finiteLoops finds the loops that end for certain, however long they take: those
// that count up or down to a bound in steps of one. Each is known by the block
// whose branch leaves it.
func (r *relevance) finiteLoops() map[int]bool {
	ends := map[int]bool{}
	for changed := true; changed; {
		changed = false
		for _, b := range r.fn.Blocks {
			if len(b.Succs) < 2 || ends[b.Index] || r.meet[b.Index] < 0 {
				continue
			}
			if loop := r.loop(b); len(loop) > 0 && counts(b, loop) && !r.roundabout(b, loop, ends) {
				ends[b.Index], changed = true, true
			}
		}
	}
	return ends
}

// loop returns the blocks on the ways from b back to itself that do not pass
// where its branches meet.
func (r *relevance) loop(b *ssa.BasicBlock) map[*ssa.BasicBlock]bool {
	ahead := closure(b, successors, r.meet[b.Index])
	behind := closure(b, func(x *ssa.BasicBlock) []*ssa.BasicBlock { return x.Preds }, r.meet[b.Index])
	for x := range ahead {
		if !behind[x] {
			delete(ahead, x)
		}
	}
	return ahead
}

// closure returns what can be reached from b in one step or more, without the
// block with the given index.
func closure(b *ssa.BasicBlock, next func(*ssa.BasicBlock) []*ssa.BasicBlock, without int) map[*ssa.BasicBlock]bool {
	seen := map[*ssa.BasicBlock]bool{}
	queue := []*ssa.BasicBlock{b}
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		for _, x := range next(at) {
			if x.Index != without && !seen[x] {
				seen[x] = true
				queue = append(queue, x)
			}
		}
	}
	return seen
}

// roundabout reports whether there is a way to go round in a loop forever
// without passing b or a branch that leaves a loop which ends.
func (r *relevance) roundabout(b *ssa.BasicBlock, loop map[*ssa.BasicBlock]bool, ends map[int]bool) bool {
	inside := func(x *ssa.BasicBlock) []*ssa.BasicBlock {
		var next []*ssa.BasicBlock
		for _, s := range x.Succs {
			if loop[s] && s != b && !ends[s.Index] {
				next = append(next, s)
			}
		}
		return next
	}
	for x := range loop {
		if x != b && !ends[x.Index] && closure(x, inside, -1)[x] {
			return true
		}
	}
	return false
}

// counts reports whether the branch at the end of b leaves the loop when a
// variable that changes by a constant at every turn has come to a bound.
func counts(b *ssa.BasicBlock, loop map[*ssa.BasicBlock]bool) bool {
	cond, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If).Cond.(*ssa.BinOp)
	if !ok {
		return false
	}
	op, x, y := cond.Op, cond.X, cond.Y
	if loop[b.Succs[0]] == loop[b.Succs[1]] {
		return false
	}
	if !loop[b.Succs[0]] { // it goes on while the condition is false
		if op, ok = map[token.Token]token.Token{token.LSS: token.GEQ, token.GEQ: token.LSS, token.GTR: token.LEQ,
			token.LEQ: token.GTR, token.EQL: token.NEQ, token.NEQ: token.EQL}[op]; !ok {
			return false
		}
	}
	if variesIn(y, loop) {
		if op, ok = map[token.Token]token.Token{token.LSS: token.GTR, token.GTR: token.LSS, token.LEQ: token.GEQ,
			token.GEQ: token.LEQ, token.EQL: token.EQL, token.NEQ: token.NEQ}[op]; !ok {
			return false
		}
		x, y = y, x
	}
	if variesIn(y, loop) {
		return false
	}
	step := stepOf(x, loop)
	switch op {
	case token.LSS:
		return step == 1
	case token.GTR:
		return step == -1
	case token.NEQ:
		return step == 1 || step == -1
	case token.LEQ:
		return step == 1 && !extreme(y, false)
	case token.GEQ:
		return step == -1 && !extreme(y, true)
	}
	return false
}

// variesIn reports whether a value is computed in a loop.
func variesIn(v ssa.Value, loop map[*ssa.BasicBlock]bool) bool {
	in, ok := v.(ssa.Instruction)
	return ok && loop[in.Block()]
}

// stepOf returns by how much an integer variable of a loop changes at every
// turn, 0 if that is not the same at each.
func stepOf(v ssa.Value, loop map[*ssa.BasicBlock]bool) int64 {
	if b, ok := v.Type().Underlying().(*types.Basic); !ok || b.Info()&types.IsInteger == 0 {
		return 0
	}
	phi, ok := v.(*ssa.Phi)
	if op, after := v.(*ssa.BinOp); after { // the variable after its step
		phi, ok = op.X.(*ssa.Phi)
		ok = ok && slices.Contains(phi.Edges, v)
	}
	if !ok || !loop[phi.Block()] {
		return 0
	}
	var step int64
	for i, e := range phi.Edges {
		if !loop[phi.Block().Preds[i]] {
			continue
		}
		op, ok := e.(*ssa.BinOp)
		if !ok || op.X != phi || op.Op != token.ADD && op.Op != token.SUB {
			return 0
		}
		c, ok := op.Y.(*ssa.Const)
		if !ok || c.Value == nil {
			return 0
		}
		by, exact := constant.Int64Val(constant.ToInt(c.Value))
		if op.Op == token.SUB {
			by = -by
		}
		if !exact || step != 0 && by != step {
			return 0
		}
		step = by
	}
	return step
}

// extreme reports whether a bound may be the least, or the greatest, value of
// its type, which a variable never goes past.
func extreme(v ssa.Value, least bool) bool {
	c, ok := v.(*ssa.Const)
	b, ok2 := v.Type().Underlying().(*types.Basic)
	if !ok || !ok2 || c.Value == nil {
		return true
	}
	n, exact := constant.Int64Val(constant.ToInt(c.Value))
	if least && b.Info()&types.IsUnsigned != 0 {
		return !exact || n <= 0
	}
	// No integer type ends between these.
	return !exact || n <= math.MinInt8 || n >= math.MaxInt8
}
