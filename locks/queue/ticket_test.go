package queue

import (
	"fmt"
	"math"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/internal/testkit/onestep"
	"shmbench/shm"
)

// Lines 1 and 2: tickets are called in the order in which they were taken.
func TestTicketOrder(t *testing.T) {
	l, err := NewTicket(4, shm.Packed, shm.Sequential)
	require.NoError(t, err)
	testArrivalOrder(t, l, func(arrived int) bool { return l.nextTicket.Load() == uint32(arrived) })
}

// The counters wrap around together.
func TestTicketWrapsAround(t *testing.T) {
	l, err := NewTicket(4, shm.Packed, shm.Sequential)
	require.NoError(t, err)
	const start = math.MaxUint32 - 1
	l.nextTicket.Store(start)
	l.nowServing.Store(start)
	testArrivalOrder(t, l, func(arrived int) bool { return l.nextTicket.Load() == start+uint32(arrived) })
}

// testArrivalOrder sends four processes into the lock one after another,
// waiting until each has passed its doorway, and requires them to enter in
// that order.
func testArrivalOrder(t *testing.T, m shm.Mutex, passedDoorway func(arrived int) bool) {
	t.Helper()
	order := []int{2, 0, 3, 1}
	var queue []*onestep.Process
	for k, pid := range order {
		queue = append(queue, onestep.Enter(m, pid))
		onestep.Until(t, func() bool { return passedDoorway(k + 1) })
	}
	for k, p := range queue {
		p.MustEnter(t)
		for _, later := range queue[k+1:] {
			later.MustWait(t)
		}
		p.Leave()
	}
}

func ExampleTicketMutex() {
	const n = 4
	lock, err := NewTicket(n, shm.Packed, shm.Sequential)
	if err != nil {
		fmt.Println(err)
		return
	}
	count := 0
	var processes sync.WaitGroup
	for pid := range n {
		processes.Go(func() {
			l := shm.Locker(lock, pid) // for code that takes a sync.Locker
			for range 1000 {
				l.Lock()
				count++
				l.Unlock()
			}
		})
	}
	processes.Wait()
	fmt.Println(count)
	// Output: 4000
}
