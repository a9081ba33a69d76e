package queue

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/internal/testkit/onestep"
	"shmbench/shm"
)

// Line 2: the MCS list is served in the order of the swap.
func TestMCSOrder(t *testing.T) {
	l, err := NewMCS(4, shm.Padded, shm.Sequential)
	require.NoError(t, err)
	order := []int{2, 0, 3, 1} // testArrivalOrder's
	testArrivalOrder(t, l, func(arrived int) bool { return l.l.Load() == uint32(order[arrived-1]+1) })
	require.Zero(t, l.l.Load(), "the list is empty at the end")
}

// Line 8: a leaving process waits for a successor that has swapped but not linked.
func TestMCSExitWaitsForTheLink(t *testing.T) {
	l, err := NewMCS(2, shm.Padded, shm.Sequential)
	require.NoError(t, err)
	l.Lock(0)
	successor := l.node.At(1)
	successor.locked.Store(true)
	pred := l.l.Swap(2) // process 1, up to line 2
	left := onestep.Enter(exitSection{l}, 0)
	left.MustWait(t)
	l.node.At(int(pred - 1)).next.Store(2) // line 5
	left.MustEnter(t)
	require.False(t, successor.locked.Load())
}

// exitSection makes a lock's exit section something that can be waited for.
type exitSection struct{ m shm.Mutex }

func (e exitSection) Lock(pid int)   { e.m.Unlock(pid) }
func (e exitSection) Unlock(pid int) {}

// Line 2: the CLH queue is served in the order of the swap.
func TestCLHOrder(t *testing.T) {
	l, err := NewCLH(4, shm.Padded, shm.Sequential)
	require.NoError(t, err)
	order := []int{2, 0, 3, 1} // testArrivalOrder's
	node := [4]uint32{}
	for i := range node {
		node[i] = l.private.At(i).pred // line 5
	}
	testArrivalOrder(t, l, func(arrived int) bool { return l.tail.Load() == node[order[arrived-1]] })
}

// Line 5: nodes change hands, and none is lost or owned twice.
func TestCLHNodesAreRecycled(t *testing.T) {
	const n = 3
	l, err := NewCLH(n, shm.Padded, shm.Sequential)
	require.NoError(t, err)
	for k := range 20 {
		i := k * k % n
		pred, mine := l.tail.Load(), l.private.At(i).pred
		l.Lock(i)
		l.Unlock(i)
		require.Equal(t, pred, l.private.At(i).pred)
		require.Equal(t, mine, l.tail.Load())
		nodes := map[uint32]bool{l.tail.Load(): true}
		for j := range n {
			nodes[l.private.At(j).pred] = true
		}
		require.Len(t, nodes, n+1)
	}
}
