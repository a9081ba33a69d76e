package automaton

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// nodes is a heap of three slots with a register each, 2, 3 and 4. Value s+1 of these and of the
// root, register 0, leads to slot s. Slot 2 also leads to slot 0, whatever it holds. Register 1 is in
// no slot and leads nowhere.
func nodes() *Heap {
	leads := []uint64{0, 1, 2, 4}
	return &Heap{
		Slots: []Slot{{Regs: []SlotReg{{0, 2}}}, {Regs: []SlotReg{{0, 3}}}, {Regs: []SlotReg{{0, 4}}, Leads: 1}},
		Roots: []int32{0},
		Leads: [][]uint64{leads, nil, leads, leads, leads},
		Pools: [][]int{{2, 0}, {1}},
	}
}

// TestReach: slots are in use if roots, local states or other slots in use lead to them.
func TestReach(t *testing.T) {
	for _, c := range []struct {
		name  string
		roots uint64
		holds []int32 // by register
		want  uint64
	}{
		{"nothing", 0, []int32{0, 0, 0, 0, 0}, 0},
		{"a register outside of slots is no root", 0, []int32{0, 3, 0, 0, 0}, 0},
		{"the root", 0, []int32{1, 0, 0, 0, 0}, 0b001},
		{"a local state", 0b010, []int32{0, 0, 0, 0, 0}, 0b010},
		{"a local state, and the root", 0b010, []int32{1, 0, 0, 0, 0}, 0b011},
		{"a chain", 0, []int32{1, 0, 2, 0, 0}, 0b011},
		{"a chain of a local state", 0b001, []int32{0, 0, 2, 3, 0}, 0b111},
		{"what a slot leads to besides", 0, []int32{3, 0, 0, 0, 0}, 0b101},
		{"a cycle", 0, []int32{1, 0, 2, 1, 0}, 0b011},
		{"a slot that is not in use leads nowhere", 0, []int32{1, 0, 0, 3, 0}, 0b001},
	} {
		require.Equal(t, c.want, nodes().Reach(c.roots, func(reg int32) int32 { return c.holds[reg] }), c.name)
	}
}

// TestPending: a store on its way uses the slot that it leads to, and the slot that its register is in.
func TestPending(t *testing.T) {
	for _, c := range []struct {
		reg, value int32
		want       uint64
	}{
		{0, 0, 0}, {0, 2, 0b010}, {1, 3, 0}, {2, 0, 0b001}, {2, 3, 0b101}, {3, 2, 0b010}, {4, 0, 0b100},
		{0, -1, 0}, {0, 4, 0}, {5, 1, 0},
	} {
		require.Equal(t, c.want, nodes().Pending(c.reg, c.value), c)
	}
}

// TestUnused: the registers of slots that are not in use.
func TestUnused(t *testing.T) {
	for used, want := range map[uint64][]int32{0: {2, 3, 4}, 0b010: {2, 4}, 0b101: {3}, 0b111: nil} {
		var got []int32
		nodes().Unused(used, func(reg int32) { got = append(got, reg) })
		require.Equal(t, want, got, used)
	}
}

// TestFree: each variable gets the first slot of its pool that is not in use, and none twice.
func TestFree(t *testing.T) {
	for _, c := range []struct {
		pools []int
		used  uint64
		want  []int
	}{
		{nil, 0, []int{}},
		{[]int{0}, 0, []int{2}},
		{[]int{0, 0}, 0, []int{2, 0}},
		{[]int{0, 0, 0}, 0, []int{2, 0, -1}},
		{[]int{0}, 0b100, []int{0}},
		{[]int{0, 1}, 0b101, []int{-1, 1}},
		{[]int{1, 1, 0}, 0, []int{1, -1, 2}},
	} {
		require.Equal(t, c.want, nodes().Free(c.pools, c.used), c)
	}
}

// TestWithin: the content of registers that a model does not have is left out.
func TestWithin(t *testing.T) {
	b := Bind{Content: []Content{{Reg: 1, Value: 5}, {Reg: 3, Value: 6}, {Reg: 2, Value: 7}}}
	require.Equal(t, []Content{{1, 5}, {2, 7}}, b.within(3))
	require.Equal(t, b.Content, b.within(4))
	require.Empty(t, b.within(1))
}
