package queue

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/internal/onestep"
	"shmbench/shm"
)

// Line 1: with backoff tickets are still called in the order in which they were taken.
func TestTicketBackoffOrder(t *testing.T) {
	l, err := NewTicketBackoff(4, shm.Packed, shm.Sequential)
	require.NoError(t, err)
	testArrivalOrder(t, l, func(arrived int) bool { return l.nextTicket.Load() == uint32(arrived) })
}

// Line 3: the slots are found from the wrapped ticket by both sides, also where
// their number does not divide 2^32: five processes have three slots.
func TestPartitionedWrapsAround(t *testing.T) {
	l, err := NewPartitioned(5, shm.Padded, shm.Sequential)
	require.NoError(t, err)
	require.Equal(t, 3, l.grants.Len())
	const start = math.MaxUint32 - 1
	l.ticket.Store(start)
	l.slot(start).Store(start)
	l.slot(start - 1).Store(start - 1)
	l.slot(start - 2).Store(start - 2)
	testArrivalOrder(t, l, func(arrived int) bool { return l.ticket.Load() == start+uint32(arrived) })
	require.Equal(t, uint32(2), l.slot(2).Load(), "ticket 2 is called next")
}

// Lines 6 and 11: the third waits in the array, and is woken when the first
// leaves, though the second has yet to enter.
func TestTWAWakesTheNextButOne(t *testing.T) {
	l, err := NewTWA(3, shm.Padded, shm.Sequential)
	require.NoError(t, err)
	l.Lock(0)
	second := onestep.Enter(l, 1)
	onestep.Until(t, func() bool { return l.ticket.Load() == 2 })
	third := onestep.Enter(l, 2)
	onestep.Until(t, func() bool { return l.ticket.Load() == 3 })
	l.Unlock(0)
	require.Equal(t, uint32(1), l.hash(2).Load(), "the counter of ticket 2 moved")
	require.Zero(t, l.hash(1).Load())
	second.MustEnter(t)
	third.MustWait(t)
	second.Leave()
	third.MustEnter(t)
}

// Line 2: the queue of Graunke and Thakkar is served in the order of the swap.
func TestGraunkeThakkarOrder(t *testing.T) {
	l, err := NewGraunkeThakkar(4, shm.Padded, shm.Sequential)
	require.NoError(t, err)
	order := []int{2, 0, 3, 1} // testArrivalOrder's
	testArrivalOrder(t, l, func(arrived int) bool { return l.tail.Load() == 2*uint32(order[arrived-1]) })
	for i := range 4 {
		require.Equal(t, uint32(1), l.slots.At(i).Load(), "each has left once")
	}
}

// Lines 2 and 4: the lock remembers the holder's node, and the process takes its
// predecessor's before it has entered.
func TestCLHStandardRemembersTheNode(t *testing.T) {
	const n = 3
	l, err := NewCLHStandard(n, shm.Padded, shm.Sequential)
	require.NoError(t, err)
	for k := range 20 {
		i := k * k % n
		pred, mine := l.tail.Load(), *l.own.At(i)
		l.Lock(i)
		require.Equal(t, pred, *l.own.At(i))
		require.Equal(t, mine, l.head.Load())
		l.Unlock(i)
		require.False(t, l.node.At(int(mine)).locked.Load())
	}
}
