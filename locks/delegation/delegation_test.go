package delegation_test

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/internal/testkit/conform"
	"shmbench/locks/delegation"
	"shmbench/locks/queue"
	"shmbench/shm"
)

func TestCCSynchConformance(t *testing.T) { conform.Run(t, delegation.CCSynchMutex()) }

func TestDSMSynchConformance(t *testing.T) { conform.Run(t, delegation.DSMSynchMutex()) }

func TestFlatCombiningConformance(t *testing.T) { conform.Run(t, delegation.FlatCombiningMutex()) }

// delegates are all delegates of this package with batches of one request and of many, and
// the adapter of a lock.
func delegates(n int) map[string]shm.Delegate {
	mcs, err := queue.NewMCS(n, shm.Padded, shm.Sequential)
	if err != nil {
		panic(err)
	}
	return map[string]shm.Delegate{
		"CC-Synch, h = 1":            delegation.NewCCSynch(n, 1),
		"CC-Synch, h = 100":          delegation.NewCCSynch(n, 100),
		"DSM-Synch, h = 1":           delegation.NewDSMSynch(n, 1),
		"DSM-Synch, h = 100":         delegation.NewDSMSynch(n, 100),
		"flat combining, 1 round":    delegation.NewFlatCombining(n, 1),
		"flat combining, 100 rounds": delegation.NewFlatCombining(n, 100),
		"MCS, adapted":               shm.Delegated(mcs),
	}
}

// TestExecute: each request is executed once, and its result returns to its process. The
// requests read and write a plain counter, so that a request that runs beside another one
// loses an increment, and the race detector reports it.
func TestExecute(t *testing.T) {
	const n, each = 4, 2000
	for name, d := range delegates(n) {
		t.Run(name, func(t *testing.T) {
			counter, executed := uint64(0), make([]int, n)
			seen := make([]map[uint64]bool, n)
			var all sync.WaitGroup
			for i := range n {
				seen[i] = map[uint64]bool{}
				all.Go(func() {
					last := uint64(0)
					for range each {
						result := d.Execute(i, func() uint64 {
							counter++
							executed[i]++
							return counter*n + uint64(i)
						})
						if result%n != uint64(i) || result/n <= last {
							t.Errorf("process %d got the result %d of process %d after %d", i, result/n, result%n, last)
							return
						}
						last = result / n
						seen[i][last] = true
					}
				})
			}
			all.Wait()
			require.EqualValues(t, n*each, counter)
			results := 0
			for i := range n {
				require.Equal(t, each, executed[i])
				results += len(seen[i])
			}
			require.Equal(t, n*each, results, "all results differ")
		})
	}
}

// wrong is a delegate that breaks the contract.
type wrong func(i int, f func() uint64) uint64

func (w wrong) Execute(i int, f func() uint64) uint64 { return w(i, f) }

// TestTicketMutexRejects: the ticket lock panics over a delegate that executes a request
// twice or never, or that returns the result of another process, and not over the adapter.
func TestTicketMutexRejects(t *testing.T) {
	passage := func(w wrong) func() {
		return func() {
			l := delegation.NewTicketMutex(2, w)
			l.Lock(0)
			l.Unlock(0)
		}
	}
	require.NotPanics(t, passage(func(_ int, f func() uint64) uint64 { return f() }))
	require.PanicsWithValue(t, "a request is executed a second time", passage(func(_ int, f func() uint64) uint64 { f(); return f() }))
	require.PanicsWithValue(t, "Execute returned before the request was executed", passage(func(int, func() uint64) uint64 { return 0 }))
	require.PanicsWithValue(t, "Execute returned the result of the request of another process",
		passage(func(_ int, f func() uint64) uint64 { return f() + 1 }))
}
