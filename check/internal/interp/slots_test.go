package interp

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSlots follows a node from its process to shared memory, and what leads to it.
func TestSlots(t *testing.T) {
	m := built(t, "NewPushes", 1)
	head := cellOf(t, m, "head")
	st, err := m.Start(0)
	require.NoError(t, err)
	require.Equal(t, head, st.Access.At, "it reads the head")
	require.Empty(t, m.Publishes(0, st))
	require.Zero(t, m.Holds(st))
	require.Zero(t, m.Leads(Ptr{Obj: 1}))
	alone, err := m.Resume(0, st, Ptr{})
	require.NoError(t, err)
	require.Greater(t, alone.Bytes(), st.Bytes()-1)
	pools := m.Publishes(0, alone)
	require.Len(t, pools, 2, "the node, and its slice")
	require.Equal(t, pools, m.Publishes(0, alone))
	require.Equal(t, 2, m.Pools())

	var slots []int
	for _, p := range pools {
		s, err := m.Grow(p)
		require.NoError(t, err)
		require.Equal(t, []int{s}, m.Pool(p))
		slots = append(slots, s)
	}
	require.Equal(t, 2, m.Slots())
	bound, content, err := m.Bind(alone, slots)
	require.NoError(t, err)
	node := m.SlotCell(slots[0], 0)
	require.Equal(t, node, bound.Access.Arg)
	require.Len(t, content, 2)
	require.Equal(t, Num(0), content[0][1])
	require.Equal(t, slots[0], m.SlotOf(node))
	require.Equal(t, -1, m.SlotOf(head))
	require.EqualValues(t, 1<<slots[0], m.Holds(bound), "what it stores")
	one := uint64(1 << slots[0])
	require.Equal(t, one, m.Leads(node))
	require.Equal(t, one, m.Leads(Slice{P: node, Len: 1}))
	require.Equal(t, one, m.Leads(Agg{Num(1), node}))
	require.Equal(t, one, m.Leads(Iface{nil, node}))
	require.Equal(t, one, m.Leads(&Closure{Free: []Value{node}}))
	require.Zero(t, m.Leads(noClosure))
	require.Zero(t, m.Leads(Num(1)))
	require.Equal(t, uint64(1<<slots[1]), m.Constants(slots[0]), "its slice is never written")
	require.Zero(t, m.Constants(slots[1]))

	// What is written after it was shared is a step, as soon as that is known.
	_, err = m.Resume(0, bound, nil)
	require.ErrorIs(t, err, ErrReclassified)
	after, err := m.Resume(0, bound, nil)
	require.NoError(t, err)
	require.Equal(t, m.SlotCell(slots[0], 1), after.Access.At)
	require.Equal(t, one, m.Holds(after), "the address that it writes to")
	require.Empty(t, m.Publishes(0, after))

	for len(m.Pool(pools[0])) < maxPool {
		_, err := m.Grow(pools[0])
		require.NoError(t, err)
	}
	_, err = m.Grow(pools[0])
	require.EqualError(t, err, "more than 8 variables of type machines.item that one process has allocated in Lock or Unlock can be reached at once")
	var piling *Piling
	require.ErrorAs(t, err, &piling)
	_, err = m.Grow(pools[1])
	require.NoError(t, err, "of another type there may be as many")
}

// TestSlotsOfOtherContent: a cell that does not always begin with the same is a
// register.
func TestSlotsOfOtherContent(t *testing.T) {
	m := built(t, "NewTurns", 1)
	var slots []int
	bind := func(st *State) error {
		_, _, err := m.Bind(st, slots)
		return err
	}
	first := begun(t, m)
	for _, p := range m.Publishes(0, first) {
		s, err := m.Grow(p)
		require.NoError(t, err)
		slots = append(slots, s)
	}
	require.NoError(t, bind(first))
	require.NoError(t, bind(first), "it is the same again")
	n := m.SlotCell(slots[0], 1)
	require.False(t, m.Shared(n))
	second := &State{Access: first.Access, frames: first.frames, priv: first.priv, fresh: first.fresh,
		heap: []object{{first.heap[0].typ, append([]Value{Ptr{}, Num(0)}, first.heap[0].cells[2:]...)}}}
	require.ErrorIs(t, bind(second), ErrReclassified)
	require.True(t, m.Shared(n))
	require.NoError(t, bind(second))
	require.NoError(t, bind(first))
	require.False(t, m.Shared(m.SlotCell(slots[0], 2)), "the others begin with the same")
}

// TestDeadVariables: what a process has read is a part of its state as long as something
// depends on it.
func TestDeadVariables(t *testing.T) {
	for constructor, same := range map[string]bool{"NewDead": true, "NewLive": false} {
		m := built(t, constructor, 1)
		st, err := m.Start(0)
		require.NoError(t, err)
		one, err := m.Resume(0, st, Num(1))
		require.NoError(t, err)
		two, err := m.Resume(0, st, Num(2))
		require.NoError(t, err)
		require.Equal(t, same, string(one.AppendKey(nil)) == string(two.AppendKey(nil)), constructor)
	}
	m := built(t, "NewPolls", 1)
	st, err := m.Start(0)
	require.NoError(t, err)
	again := func(read Num) string {
		next, err := m.Resume(0, st, Num(0))
		require.NoError(t, err)
		write, err := m.Resume(0, next, read)
		require.NoError(t, err)
		poll, err := m.Resume(0, write, nil)
		require.NoError(t, err)
		return string(poll.AppendKey(nil))
	}
	require.True(t, again(1) == again(2), "what was read last time is read anew")
}
