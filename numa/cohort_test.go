package numa

import (
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/baseline"
	"shmbench/internal/onestep"
	"shmbench/queue"
	"shmbench/shm"
)

// Line 4: with others of the node behind it, a process leaves the global lock to them,
// until batch processes have had it; alone, it lets go at once.
func TestCohortHandsOverBatchTimes(t *testing.T) {
	const batch = 3
	l, err := CMCSMCS(InTurn(2), batch).New(8, shm.Padded, shm.Sequential)
	require.NoError(t, err)
	l.Lock(0)
	l.Unlock(0)
	require.Zero(t, l.node.At(0).passed, "nobody was behind it")

	l.Lock(0)
	local := l.node.At(0).local
	other := onestep.Enter(l, 1)
	onestep.Until(t, func() bool { return !l.global.(Local).Alone(0) })
	behind := []*onestep.Process{}
	for k, i := range []int{2, 4, 6} {
		behind = append(behind, onestep.Enter(l, i))
		onestep.Until(t, func() bool { return !local.Alone(k) }) // its predecessor is not
	}
	l.Unlock(0)
	for k, p := range behind[:batch-1] {
		p.MustEnter(t)
		require.Equal(t, k+1, l.node.At(0).passed)
		other.MustWait(t)
		p.Leave()
	}
	other.MustEnter(t)
	require.Zero(t, l.node.At(0).passed)
	behind[batch-1].MustWait(t)
	other.Leave()
	behind[batch-1].MustEnter(t)
	behind[batch-1].Leave()
}

// On a machine of one node the lock is its local lock, and so is its card.
func TestCohortOfOneNode(t *testing.T) {
	c := CMCSMCS(InTurn(), Batch)
	l, err := c.New(4, shm.Padded, shm.Sequential)
	require.NoError(t, err)
	require.Nil(t, l.global)
	require.Equal(t, 1, l.node.Len())
	card, local := c.Card(shm.Padded, shm.Sequential), queue.MCS(shm.Padded, shm.Sequential)
	require.True(t, card.Claims.FCFS)
	require.Equal(t, local.Space.Count(4), card.Space.Count(4))
	require.Equal(t, 3, card.Claims.Bypass.Of(4))
}

// A lock that cannot tell whether its holder is alone is none for a node.
func TestCohortNeedsALocalThatCanTell(t *testing.T) {
	null := func(shm.Layout, shm.Stores) shm.Algorithm {
		return shm.Algorithm{New: func(n int) (shm.Mutex, error) { return baseline.NewNull(n) }}
	}
	_, err := Cohort{Name: "numa/none", Global: queue.MCS, Local: null, Nodes: InTurn(2), Batch: 1}.New(2, shm.Packed, shm.Sequential)
	require.EqualError(t, err, "numa/none: the lock of a node cannot tell whether its holder is alone")
}

func ExampleCohort() {
	const n = 4
	// Processes 0 and 1 are on one node, 2 and 3 on the other.
	halves := func(process int) []int { return []int{process / 2} }
	lock, err := CTKTTKT(halves, 64).New(n, shm.Padded, shm.Sequential)
	if err != nil {
		fmt.Println(err)
		return
	}
	count := 0
	var processes sync.WaitGroup
	for pid := range n {
		processes.Go(func() {
			for range 1000 {
				lock.Lock(pid)
				count++
				lock.Unlock(pid)
			}
		})
	}
	processes.Wait()
	fmt.Println(count)
	// Output: 4000
}
