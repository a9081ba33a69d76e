package numa

import (
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/internal/testkit/onestep"
	"shmbench/locks/baseline"
	"shmbench/locks/queue"
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
	require.Zero(t, l.way[0].passed, "nobody was behind it")

	l.Lock(0)
	local := l.way[0].local
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
		require.Equal(t, k+1, l.way[0].passed)
		other.MustWait(t)
		p.Leave()
	}
	other.MustEnter(t)
	require.Zero(t, l.way[0].passed)
	behind[batch-1].MustWait(t)
	other.Leave()
	behind[batch-1].MustEnter(t)
	behind[batch-1].Leave()
}

// On a machine of one node each lock is the one that it is made of, and so is its
// specification.
func TestOneNode(t *testing.T) {
	one := InTurn()
	for _, c := range []struct {
		spec, plain func(shm.Layout, shm.Stores) shm.Algorithm
	}{
		{CBOMCS(one, Batch).Spec, queue.MCS},
		{CTKTTKT(one, Batch).Spec, queue.Ticket},
		{CMCSMCS(one, Batch).Spec, queue.MCS},
		{HMCS{one, Batch}.Spec, queue.MCS},
		{CNA{one, Batch}.Spec, queue.MCS},
		{HCLH{one}.Spec, queue.CLH},
	} {
		spec, plain := c.spec(shm.Padded, shm.Sequential), c.plain(shm.Padded, shm.Sequential)
		require.True(t, spec.Claims.FCFS, spec.Name)
		require.Equal(t, plain.Space.Count(4), spec.Space.Count(4), spec.Name)
		got, err := spec.New(4)
		require.NoError(t, err)
		want, err := plain.New(4)
		require.NoError(t, err)
		require.IsType(t, want, got, spec.Name)
		_, err = spec.New(0)
		require.ErrorContains(t, err, spec.Name)
	}
}

// If all processes are on one node of several, there is no global lock.
func TestCohortOnOneNodeOfSeveral(t *testing.T) {
	third := func(int) []int { return []int{3} }
	l, err := CMCSMCS(third, Batch).New(4, shm.Padded, shm.Sequential)
	require.NoError(t, err)
	require.Nil(t, l.global)
	l.Lock(2)
	l.Unlock(2)
	placed := HMCS{third, Batch}.Spec(shm.Padded, shm.Sequential).Claims.Placed
	require.Equal(t, 3, placed.At(4), "each other process enters once, as with MCS")
	placed = HMCS{InTurn(2), Batch}.Spec(shm.Padded, shm.Sequential).Claims.Placed
	require.Equal(t, 0, placed.At(1))
	require.Greater(t, placed.At(4), 3)
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
