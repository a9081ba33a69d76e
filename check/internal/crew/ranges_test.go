package crew

import (
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestShare: each number is worked on once, however many workers there are.
func TestShare(t *testing.T) {
	for _, workers := range []int{0, 1, 3} {
		for _, size := range []int{1, 7, 100} {
			done := make([]atomic.Int32, 50)
			Share(workers, len(done), size, func(worker, lo, hi int) {
				require.Less(t, worker, max(workers, 1))
				require.LessOrEqual(t, hi-lo, size)
				for i := lo; i < hi; i++ {
					done[i].Add(1)
				}
			})
			for i := range done {
				require.EqualValues(t, 1, done[i].Load())
			}
		}
	}
}

// TestRanges: what is left when one goroutine stops is for the others.
func TestRanges(t *testing.T) {
	r := NewRanges(3, 10, 3)
	for lo, hi := range r.All() {
		require.Equal(t, []int{3, 6}, []int{lo, hi})
		break
	}
	var rest []int
	for lo, hi := range r.All() {
		rest = append(rest, lo, hi)
	}
	require.Equal(t, []int{6, 9, 9, 10}, rest)
}
