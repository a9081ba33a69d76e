package bench

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// kept keeps an allocation on the heap.
var kept []byte

// TestTakeHeap: an allocation makes the heap of a program larger.
func TestTakeHeap(t *testing.T) {
	before := takeHeap()
	kept = make([]byte, 1<<20)
	after := takeHeap()
	require.GreaterOrEqual(t, after.bytes-before.bytes, uint64(len(kept)))
	require.GreaterOrEqual(t, after.objects-before.objects, uint64(1))
	require.Less(t, after.bytes-before.bytes, uint64(1<<30))
}

// TestHeapValues: the allocations of a passage are whole. Bytes are rounded, and each process
// may have allocated one object before the window.
func TestHeapValues(t *testing.T) {
	for _, c := range []struct {
		opened, closed          heap
		passages                uint64
		procs                   int
		bytesPerOp, allocsPerOp float64
	}{
		{heap{100, 10}, heap{100, 10}, 10, 1, 0, 0},
		{heap{100, 10}, heap{740, 19}, 10, 1, 64, 1},
		{heap{100, 10}, heap{740, 18}, 10, 1, 64, 0},
		{heap{100, 10}, heap{740, 18}, 10, 2, 64, 1},
		{heap{100, 10}, heap{104, 10}, 10, 4, 0, 0},
		{heap{100, 10}, heap{105, 30}, 10, 9, 1, 2},
	} {
		u := heapUse{opened: c.opened, closed: c.closed}
		got := u.values(&Sample{Passages: c.passages, Workload: Workload{Procs: c.procs}})
		require.Equal(t, []Value{{c.bytesPerOp, bytesPerOp}, {c.allocsPerOp, allocsPerOp}}, got, "%+v", c)
	}
}
