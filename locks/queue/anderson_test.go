package queue

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/shm"
)

// Line 1: slots are given out, and called, in the order of arrival.
func TestAndersonOrder(t *testing.T) {
	l, err := NewAnderson(4, shm.Padded, shm.Sequential)
	require.NoError(t, err)
	testArrivalOrder(t, l, func(arrived int) bool { return l.queueLast.Load() == uint32(arrived) })
}

// The ring survives the wrap-around of queueLast, also where n does not
// divide 2^32: three processes have four slots.
func TestAndersonWrapsAround(t *testing.T) {
	l, err := NewAnderson(3, shm.Padded, shm.Sequential)
	require.NoError(t, err)
	require.Equal(t, 4, l.hasLock.Len())
	l.queueLast.Store(math.MaxUint32 - 3) // a multiple of four, so slot 0 is next
	for k := range 12 {
		l.Lock(k % 3)
		l.Unlock(k % 3)
	}
	require.Equal(t, uint32(8), l.queueLast.Load())
}

// At rest exactly one slot has the lock: the one that is given out next.
func TestAndersonOneSlotHasTheLock(t *testing.T) {
	for n := 1; n <= 8; n++ {
		l, err := NewAnderson(n, shm.Packed, shm.Sequential)
		require.NoError(t, err)
		for k := range 3 * n {
			for s := range l.hasLock.Len() {
				require.Equal(t, s == k%slots(n), l.hasLock.At(s).Load(), "n = %d, passage %d, slot %d", n, k, s)
			}
			l.Lock(k % n)
			l.Unlock(k % n)
		}
	}
}
