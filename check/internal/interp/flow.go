package interp

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"shmbench/check/internal/load"
)

// fnInfo is a function with its values numbered, and what is live where.
type fnInfo struct {
	id int
	fn *ssa.Function
	// section: this is a Lock or an Unlock, whose receiver is kept as long as
	// it runs, for reports.
	section bool
	slot    map[ssa.Value]int
	matters *relevance
	// unordered has, by call, the variables that its statement reads in an open order.
	unordered map[*ssa.Call][]load.Read
	parts     map[*ssa.UnOp]part
	exit      []bitset         // by block: live at its end
	before    map[[2]int][]int // by block and instruction: slots live before it
}

type bitset []uint64

func (b bitset) has(i int) bool { return b[i>>6]>>(i&63)&1 != 0 }
func (b bitset) set(i int)      { b[i>>6] |= 1 << (i & 63) }
func (b bitset) clear(i int)    { b[i>>6] &^= 1 << (i & 63) }

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
	f.matters = relevant(fn)
	f.solve()
	return f
}

// solve computes what is live at the end of each block, to a fixed point.
func (f *fnInfo) solve() {
	words := len(f.slot)/64 + 1
	f.exit = make([]bitset, len(f.fn.Blocks))
	for i := range f.exit {
		f.exit[i] = make(bitset, words)
	}
	for changed := true; changed; {
		changed = false
		for i := len(f.fn.Blocks) - 1; i >= 0; i-- {
			b := f.fn.Blocks[i]
			in := append(bitset(nil), f.exit[i]...)
			for k := len(b.Instrs) - 1; k >= 0; k-- {
				f.transfer(in, b.Instrs[k])
			}
			for e, pred := range b.Preds {
				out := f.exit[pred.Index]
				for w := range in {
					if in[w]&^out[w] != 0 {
						out[w] |= in[w]
						changed = true
					}
				}
				for _, instr := range b.Instrs {
					phi, ok := instr.(*ssa.Phi)
					if !ok {
						break
					}
					if !f.matters.instr[phi] {
						continue
					}
					// The same block can be a predecessor twice.
					if s, ok := f.slot[phi.Edges[e]]; ok && !out.has(s) {
						out.set(s)
						changed = true
					}
				}
			}
		}
	}
}

// transfer steps a live set backwards over an instruction. What a phi reads is
// live at the end of the predecessors, not here; what is read for nothing is not
// live.
func (f *fnInfo) transfer(live bitset, in ssa.Instruction) {
	if v, ok := in.(ssa.Value); ok {
		live.clear(f.slot[v])
	}
	if _, ok := in.(*ssa.Phi); ok || !f.matters.instr[in] {
		return
	}
	for _, op := range in.Operands(nil) {
		if s, ok := f.slot[*op]; ok {
			live.set(s)
		}
	}
	for _, s := range f.readBefore(in) {
		live.set(s)
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
	block := f.fn.Blocks[b]
	live := append(bitset(nil), f.exit[b]...)
	for k := len(block.Instrs) - 1; k >= pc; k-- {
		f.transfer(live, block.Instrs[k])
	}
	slots := []int{}
	for s := range len(f.slot) {
		if live.has(s) {
			slots = append(slots, s)
		}
	}
	f.before[key] = slots
	return slots
}
