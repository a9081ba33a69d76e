package interp

import (
	"slices"

	"golang.org/x/tools/container/intsets"
	"golang.org/x/tools/go/ssa"

	"shmbench/check/internal/load"
)

// fnInfo is a function with its values numbered, and what is live where.
type fnInfo struct {
	id int
	fn *ssa.Function
	// section: this is a Lock or an Unlock, whose receiver is kept as long as
	// it runs, for reports.
	section  bool
	slot     map[ssa.Value]int
	relevant *relevance
	code     [][]instruction // by block
	// unordered has, by call, the variables that its statement reads in an open order.
	unordered map[*ssa.Call][]load.Read
	parts     map[*ssa.UnOp]part
	exit      []intsets.Sparse // by block: live at its end
	before    map[[2]int][]int // by block and instruction: slots live before it
}

// instruction is an instruction with what the interpreter asks of it each time.
type instruction struct {
	ssa.Instruction
	relevant bool
	slot     int // of its value, -1 if it has none
}

func newFnInfo(id int, fn *ssa.Function) *fnInfo {
	f := &fnInfo{id: id, fn: fn, unordered: load.Unordered(fn), slot: map[ssa.Value]int{}, before: map[[2]int][]int{}}
	f.section = (fn.Name() == "Lock" || fn.Name() == "Unlock") && fn.Signature.Recv() != nil
	add := func(v ssa.Value) { f.slot[v] = len(f.slot) }
	for _, p := range fn.Params {
		add(p)
	}
	for _, v := range fn.FreeVars {
		add(v)
	}
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if v, ok := in.(ssa.Value); ok {
				add(v)
			}
		}
	}
	f.relevant = relevant(fn)
	for _, b := range fn.Blocks {
		f.code = append(f.code, f.instructions(b))
	}
	f.solve()
	return f
}

func (f *fnInfo) instructions(b *ssa.BasicBlock) (all []instruction) {
	for _, in := range b.Instrs {
		slot := -1
		if v, ok := in.(ssa.Value); ok {
			slot = f.slot[v]
		}
		all = append(all, instruction{in, f.relevant.instr[in], slot})
	}
	return all
}

// solve computes what is live at the end of each block, to a fixed point.
func (f *fnInfo) solve() {
	f.exit = make([]intsets.Sparse, len(f.fn.Blocks))
	for changed := true; changed; {
		changed = false
		for _, b := range slices.Backward(f.fn.Blocks) {
			in := f.liveAt(b, 0)
			for e, pred := range b.Preds { // the same block can be a predecessor twice
				out := &f.exit[pred.Index]
				changed = out.UnionWith(in) || changed
				for _, instr := range b.Instrs {
					phi, ok := instr.(*ssa.Phi)
					if !ok {
						break
					}
					if s, ok := f.slot[phi.Edges[e]]; ok && f.relevant.instr[phi] {
						changed = out.Insert(s) || changed
					}
				}
			}
		}
	}
}

// liveAt returns what is live before instruction pc of a block.
func (f *fnInfo) liveAt(b *ssa.BasicBlock, pc int) *intsets.Sparse {
	live := new(intsets.Sparse)
	live.Copy(&f.exit[b.Index])
	for _, in := range slices.Backward(b.Instrs[pc:]) {
		f.transfer(live, in)
	}
	return live
}

// transfer steps a live set backwards over an instruction. A value that a phi reads is
// live at the end of the predecessors, not here. A value whose reader has no effect is
// not live.
func (f *fnInfo) transfer(live *intsets.Sparse, in ssa.Instruction) {
	if v, ok := in.(ssa.Value); ok {
		live.Remove(f.slot[v])
	}
	if _, ok := in.(*ssa.Phi); ok || !f.relevant.instr[in] {
		return
	}
	for _, op := range in.Operands(nil) {
		if s, ok := f.slot[*op]; ok {
			live.Insert(s)
		}
	}
	for _, s := range f.readBefore(in) {
		live.Insert(s)
	}
}

// liveAfter returns the slots live after instruction pc of block b, without
// the one that the instruction itself defines.
func (f *fnInfo) liveAfter(b, pc int) []int {
	slots := slices.Clone(f.liveBefore(b, pc+1))
	in := f.fn.Blocks[b].Instrs[pc]
	if v, ok := in.(ssa.Value); ok {
		if i := slices.Index(slots, f.slot[v]); i >= 0 {
			slots = slices.Delete(slots, i, i+1)
		}
	}
	return append(slots, f.readBefore(in)...)
}

// liveBefore returns the slots live before instruction pc of block b.
func (f *fnInfo) liveBefore(b, pc int) []int {
	key := [2]int{b, pc}
	if slots, ok := f.before[key]; ok {
		return slots
	}
	slots := f.liveAt(f.fn.Blocks[b], pc).AppendTo([]int{})
	f.before[key] = slots
	return slots
}
