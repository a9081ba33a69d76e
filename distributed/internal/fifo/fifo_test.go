package fifo

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A queue has the elements that a list would have, in the same order, at each place of its
// head in the ring and while it grows.
func TestQueueIsAList(t *testing.T) {
	var q Queue[int]
	var list []int
	next := 0
	same := func() {
		t.Helper()
		require.Equal(t, len(list), q.Len())
		require.Equal(t, append([]int{}, list...), q.Slice())
		require.Equal(t, q.Slice(), q.Form())
		for i, v := range list {
			require.Equal(t, v, q.At(i))
		}
		if len(list) > 0 {
			require.Equal(t, list[0], q.Head())
		}
	}
	same()
	for _, change := range []int{1, -1, 3, -2, 3, -1, 6, -3, 9, -15, 2, -1, 4} { // pushes, or pops if negative
		for range change {
			q.Push(next)
			list = append(list, next)
			next++
			same()
		}
		for range -change {
			require.Equal(t, list[0], q.Pop())
			list = list[1:]
			same()
		}
	}
}

// An empty queue has no head, neither before its first element nor after its last.
func TestEmptyQueue(t *testing.T) {
	var q Queue[int]
	require.PanicsWithValue(t, "the queue is empty", func() { q.Head() })
	q.Push(1)
	q.Pop()
	require.PanicsWithValue(t, "the queue is empty", func() { q.Head() })
	require.PanicsWithValue(t, "the queue is empty", func() { q.Pop() })
	require.Zero(t, q.Len())
}

// A queue allocates only while it grows.
func TestQueueKeepsItsMemory(t *testing.T) {
	var q Queue[int]
	for k := range 5 {
		q.Push(k)
	}
	require.Zero(t, testing.AllocsPerRun(100, func() {
		for k := range 3 {
			q.Push(k)
		}
		for range 3 {
			q.Pop()
		}
	}))
	require.Len(t, q.ring, 8)
}
