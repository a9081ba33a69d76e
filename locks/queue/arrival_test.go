package queue

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/internal/testkit/onestep"
	"shmbench/shm"
)

// Line 1: with backoff tickets are still called in the order in which they were taken.
func TestTicketBackoffOrder(t *testing.T) {
	l, err := NewTicketBackoff(4, shm.Packed, shm.Sequential)
	require.NoError(t, err)
	testArrivalOrder(t, l, func(arrived int) bool { return l.nextTicket.Load() == uint32(arrived) })
}

// Line 3: the slots are found from the wrapped ticket by both sides. Five processes
// have four.
func TestPartitionedWrapsAround(t *testing.T) {
	l, err := NewPartitioned(5, shm.Padded, shm.Sequential)
	require.NoError(t, err)
	require.Equal(t, 4, l.grants.Len())
	const start = math.MaxUint32 - 1
	l.ticket.Store(start)
	l.slot(start).Store(start)
	l.slot(start - 1).Store(start - 1)
	l.slot(start - 2).Store(start - 2)
	l.slot(start - 3).Store(start - 3)
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

// Line 1: so is the list, whose own word no process writes.
func TestGraunkeThakkarListOrder(t *testing.T) {
	l, err := NewGraunkeThakkarList(4, shm.Padded, shm.Sequential)
	require.NoError(t, err)
	order := []int{2, 0, 3, 1} // testArrivalOrder's
	testArrivalOrder(t, l, func(arrived int) bool { return l.tail.Load() == 2*uint32(order[arrived-1]) })
	for i := range 4 {
		require.Equal(t, uint32(1), l.word.At(i).Load(), "each has left once")
	}
	require.Zero(t, l.word.At(4).Load())
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

// Lines 6 and 11: the lock's own node is in the list while a process is inside.
func TestMCSK42StandsForTheHolder(t *testing.T) {
	l, err := NewMCSK42(2, shm.Padded, shm.Sequential)
	require.NoError(t, err)
	q := l.of(l.q)
	l.Lock(0)
	require.Equal(t, l.q, q.tail.Load())
	second := onestep.Enter(l, 1)
	onestep.Until(t, func() bool { return q.next.Load() == 2 })
	require.Equal(t, uint32(2), q.tail.Load())
	l.Unlock(0)
	second.MustEnter(t)
	require.Equal(t, l.q, q.tail.Load(), "the second has taken its node out")
	second.Leave()
	require.Zero(t, q.tail.Load())
}

// Lines 8 to 11: a process that finds the list empty between two swaps of one that
// leaves enters before the one that waits.
func TestMCSSwapUsurper(t *testing.T) {
	swap, err := NewMCSSwap(3, shm.Padded, shm.Sequential)
	require.NoError(t, err)
	l := &swap.mcs
	l.Lock(0)
	waiting := l.node.At(1)
	waiting.locked.Store(true)
	pred := l.l.Swap(2) // process 1, up to line 2
	require.Equal(t, uint32(1), pred)
	old := l.l.Swap(none) // process 0, line 8
	l.Lock(2)
	require.Equal(t, uint32(3), l.l.Swap(old)) // process 0, line 9
	l.node.At(0).next.Store(2)                 // process 1, line 5
	l.node.At(2).next.Store(2)                 // process 0, line 11
	require.True(t, waiting.locked.Load())
	swap.Unlock(2)
	require.False(t, waiting.locked.Load(), "the usurper releases who has waited")
}

// Line 3: MCSH is served in the order of the swap, and no process has a node in the
// list at its end.
func TestMCSHOrder(t *testing.T) {
	l, err := NewMCSH(4, shm.Padded, shm.Sequential)
	require.NoError(t, err)
	order := []int{2, 0, 3, 1} // testArrivalOrder's
	testArrivalOrder(t, l, func(arrived int) bool {
		// The first is not in the list any more.
		return arrived == 1 && !l.flag.Load() && l.tail.Load() == none || arrived > 1 && l.tail.Load() == uint32(order[arrived-1]+1)
	})
	require.Zero(t, l.tail.Load())
	require.True(t, l.flag.Load())
}

// Line 6: a leaving process waits until its successor has seen the grant.
func TestHemlockExitWaitsForTheSuccessor(t *testing.T) {
	l, err := NewHemlock(2, shm.Padded, shm.Sequential)
	require.NoError(t, err)
	l.Lock(0)
	require.Equal(t, uint32(1), l.tail.Swap(2)) // process 1, line 1
	left := onestep.Enter(exitSection{l}, 0)
	onestep.Until(t, func() bool { return l.grant.At(0).Load() })
	left.MustWait(t)
	l.grant.At(0).Store(false) // process 1, line 3
	left.MustEnter(t)
}

// Of those that come while the lock is held the youngest is served first; with a
// gate, after the first of them, which leads them in.
func TestReciprocatingOrder(t *testing.T) {
	plain, err := NewReciprocating(4, shm.Padded, shm.Sequential)
	require.NoError(t, err)
	testStackOrder(t, plain, []int{3, 2, 1}, func(pid int) bool { return plain.arrivals.Load() == uint32(pid+2) })
	gated, err := NewReciprocatingGated(4, shm.Padded, shm.Sequential)
	require.NoError(t, err)
	testStackOrder(t, gated, []int{1, 3, 2}, func(pid int) bool { return gated.arrivals.Load() == uint32(pid+1) })
}

// testStackOrder lets processes 1 to 3 arrive while 0 is inside, and requires the
// order in which they enter.
func testStackOrder(t *testing.T, m shm.Mutex, order []int, arrived func(pid int) bool) {
	t.Helper()
	m.Lock(0)
	var stack [4]*onestep.Process
	for pid := 1; pid <= 3; pid++ {
		stack[pid] = onestep.Enter(m, pid)
		onestep.Until(t, func() bool { return arrived(pid) })
	}
	m.Unlock(0)
	for k, pid := range order {
		stack[pid].MustEnter(t)
		for _, later := range order[k+1:] {
			stack[later].MustWait(t)
		}
		stack[pid].Leave()
	}
}

// Lines 13 to 15 and 8: of two that wait the first is taken out of the queue, and
// is let in at the next turn.
func TestMalthusianCulls(t *testing.T) {
	l, err := NewMalthusian(3, shm.Padded, shm.Sequential)
	require.NoError(t, err)
	l.Lock(0)
	first := onestep.Enter(l, 1)
	onestep.Until(t, func() bool { return l.node.At(0).next.Load() == 2 })
	second := onestep.Enter(l, 2)
	onestep.Until(t, func() bool { return l.node.At(1).next.Load() == 3 })
	l.Unlock(0)
	second.MustEnter(t)
	first.MustWait(t)
	require.Equal(t, 1, l.count)
	l.turn = 1
	second.Leave()
	first.MustEnter(t)
	require.Zero(t, l.count)
	first.Leave()
	require.Zero(t, l.tail.Load())
}

// Lines 4 to 6: one process waits beside the holder, and needs no node.
func TestQSpinPending(t *testing.T) {
	l, err := NewQSpin(3, shm.Padded)
	require.NoError(t, err)
	l.Lock(0)
	pending := onestep.Enter(l, 1)
	onestep.Until(t, func() bool { return l.val.Load() == qspinPending|qspinLocked })
	queued := onestep.Enter(l, 2)
	onestep.Until(t, func() bool { return l.val.Load() == 3<<qspinTail|qspinPending|qspinLocked })
	l.Unlock(0)
	pending.MustEnter(t)
	queued.MustWait(t)
	pending.Leave()
	queued.MustEnter(t)
	require.Equal(t, uint32(qspinLocked), l.val.Load())
	queued.Leave()
	require.Zero(t, l.val.Load())
}

// Line 2: who finds the lock free takes the next ticket, and no lane.
func TestFissileFastPath(t *testing.T) {
	l, err := NewFissile(2, shm.Padded, shm.Sequential)
	require.NoError(t, err)
	l.Lock(0)
	require.False(t, *l.inLane.At(0))
	second := onestep.Enter(l, 1)
	onestep.Until(t, func() bool { return l.ticket.Load() == 2 })
	require.NotEqual(t, uint32(none), l.lane.arrivals.Load(), "the second is in the lane")
	l.Unlock(0)
	second.MustEnter(t)
	second.Leave()
	require.Equal(t, uint32(none), l.lane.arrivals.Load())
	require.Equal(t, l.ticket.Load(), l.grant.Load())
}

// Line 2: the hapax lock is served in the order of the swap.
func TestHapaxOrder(t *testing.T) {
	l, err := NewHapax(4, shm.Padded, shm.Sequential)
	require.NoError(t, err)
	testArrivalOrder(t, l, func(arrived int) bool { return l.arrive.Load() == uint64(arrived) })
}

// Lines 5 and 10: no process steals the lock while a process is in the queue.
func TestShflForbidsStealing(t *testing.T) {
	l, err := NewShfl(3, shm.Padded)
	require.NoError(t, err)
	l.Lock(0)
	second := onestep.Enter(l, 1)
	onestep.Until(t, func() bool { return l.glock.Load() == shflLocked|shflNoSteal })
	third := onestep.Enter(l, 2)
	onestep.Until(t, func() bool { return l.node.At(1).next.Load() == 3 })
	l.Unlock(0)
	second.MustEnter(t)
	third.MustWait(t)
	require.Equal(t, uint32(shflLocked|shflNoSteal), l.glock.Load())
	second.Leave()
	third.MustEnter(t)
	require.Equal(t, uint32(shflLocked), l.glock.Load(), "the last of the queue has allowed it again")
	third.Leave()
}
