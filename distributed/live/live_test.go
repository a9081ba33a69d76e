package live

import (
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shmbench/distributed"
	"shmbench/distributed/catalog"
	"shmbench/distributed/lease"
	"shmbench/distributed/permission"
	"shmbench/internal/testkit/deadline"
	"shmbench/internal/testkit/sample"
)

// tick is so long that no timer expires while a test runs: a busy machine may
// take any time over a message, and the algorithms with timers rest on a bound.
const tick = time.Hour

// stress lets every thread enter k times and returns how many entries found another
// thread in its critical section. Each critical section calls inside.
func stress(t *testing.T, a *distributed.Algorithm, n, m, k int, inside func()) (violations int64) {
	s, err := Start(a, distributed.Config{Nodes: n, Threads: m}, tick)
	require.NoError(t, err)
	var wg sync.WaitGroup
	var within, violated atomic.Int64
	for i := range distributed.ID(n) {
		for j := range distributed.Thread(m) {
			wg.Go(func() {
				lock := s.Locker(i, j)
				for range k {
					lock.Lock()
					if within.Add(1) != 1 {
						violated.Add(1)
					}
					inside()
					runtime.Gosched()
					within.Add(-1)
					lock.Unlock()
				}
			})
		}
	}
	finished := make(chan struct{})
	go func() { wg.Wait(); close(finished) }()
	select {
	case <-finished:
	case <-time.After(deadline.Half(t)):
		t.Fatalf("%s hangs with %d nodes of %d threads", a.Name, n, m)
	}
	s.Close()
	return violated.Load()
}

// Every algorithm excludes, and orders what happens inside: the race detector
// watches the counter, which only the lock protects.
func TestStress(t *testing.T) {
	k := 50
	if sample.All() {
		k = 300
	}
	for _, a := range lasting() {
		for _, c := range []struct{ n, m int }{{2, 1}, {3, 2}, {5, 1}, {4, 3}} {
			t.Run(fmt.Sprintf("%s/%dx%d", a.Name, c.n, c.m), func(t *testing.T) {
				counter := 0
				require.Zero(t, stress(t, a, c.n, c.m, k, func() { counter++ }))
				require.Equal(t, c.n*c.m*k, counter)
			})
		}
	}
}

// lasting has the algorithms whose permissions last until they are given back.
func lasting() []*distributed.Algorithm {
	return slices.DeleteFunc(slices.Clone(catalog.All), func(a *distributed.Algorithm) bool { return a.Lease })
}

// A permission that is taken back is not for goroutines.
func TestNoLease(t *testing.T) {
	_, err := Start(&lease.Register, distributed.Config{Nodes: 3, Threads: 1}, tick)
	require.EqualError(t, err, "lease-register takes permissions back: no goroutine leaves a critical section because it is told to")
}

// freeForAll lets everybody in.
type freeForAll struct{ distributed.Quiet }

func (freeForAll) Request(t distributed.Thread, out *distributed.Out) { out.Grant(t) }
func (freeForAll) Release(distributed.Thread, *distributed.Out)       {}
func (freeForAll) Receive(distributed.Message, *distributed.Out)      {}
func (freeForAll) String() string                                     { return "" }
func build(node distributed.Node) func(distributed.Config) ([]distributed.Node, error) {
	return func(c distributed.Config) ([]distributed.Node, error) {
		nodes := make([]distributed.Node, c.Nodes)
		for i := range nodes {
			nodes[i] = node
		}
		return nodes, nil
	}
}

func TestStressCatchesFreeForAll(t *testing.T) {
	a := &distributed.Algorithm{Name: "free-for-all", New: build(freeForAll{})}
	require.NotZero(t, stress(t, a, 4, 2, 300, func() { time.Sleep(10 * time.Microsecond) }))
}

// clock sets a timer at the start and lets threads in when it has expired.
type clock struct {
	freeForAll
	waiting *[]distributed.Thread
}

func (clock) Start(out *distributed.Out) {
	out.Set(1, 1)
	out.Set(2, 1)
	out.Cancel(2)
	out.Set(3, 1)
	out.Set(3, 2)
}
func (c clock) Request(t distributed.Thread, _ *distributed.Out) { *c.waiting = append(*c.waiting, t) }
func (c clock) Expire(id distributed.TimerID, out *distributed.Out) {
	if id == 3 {
		out.Grant((*c.waiting)[0])
	}
	if id == 2 {
		panic("a canceled timer expired")
	}
}

func TestTimers(t *testing.T) {
	a := &distributed.Algorithm{Name: "clock", New: build(clock{waiting: new([]distributed.Thread)})}
	s, err := Start(a, distributed.Config{Nodes: 1, Threads: 1}, 20*time.Millisecond)
	require.NoError(t, err)
	defer s.Close()
	start := time.Now()
	s.Locker(0, 0).Lock()
	require.GreaterOrEqual(t, time.Since(start), 30*time.Millisecond)
}

func TestMisuse(t *testing.T) {
	a, err := catalog.Find("raymond")
	require.NoError(t, err)
	_, err = Start(a, distributed.Config{Nodes: 1, Threads: 1}, tick)
	require.ErrorContains(t, err, "1 nodes")
	_, err = Start(a, distributed.Config{Nodes: 2, Threads: 1}, 0)
	require.ErrorContains(t, err, "a tick of 0s")

	s, err := Start(a, distributed.Config{Nodes: 2, Threads: 1}, tick)
	require.NoError(t, err)
	require.PanicsWithValue(t, "live: there is no node 2 among 0..1", func() { s.Locker(2, 0) })
	require.PanicsWithValue(t, "live: there is no thread 1 among 0..0", func() { s.Locker(0, 1) })
	l := s.Locker(1, 0)
	require.PanicsWithValue(t, "live: node 1 thread 0 unlocks what it does not hold", l.Unlock)
	l.Lock()
	require.PanicsWithValue(t, "live: node 1 thread 0 locks what it holds", l.Lock)
	l.Unlock()
	require.Positive(t, s.Messages())
	s.Close()
	s.Close()
	require.PanicsWithValue(t, "live: lock of a system that is closed", l.Lock)
}

// Threads that hold different resources are inside together, those that want
// the same one are not.
func TestResources(t *testing.T) {
	for _, a := range lasting() {
		s, err := StartResources(a, distributed.Config{Nodes: 3, Threads: 2}, 2, tick)
		require.NoError(t, err)
		first, second := s.LockerOf(0, 0, 0), s.LockerOf(1, 1, 1)
		first.Lock()
		second.Lock() // while the other is held
		both := true
		second.Unlock()
		first.Unlock()
		require.True(t, both)
		counters := make([]int, 2) // each watched by the race detector
		var wg sync.WaitGroup
		for i := range distributed.ID(3) {
			for j := range distributed.Thread(2) {
				wg.Go(func() {
					for k := range 20 {
						lock := s.LockerOf(i, j, k%2)
						lock.Lock()
						counters[k%2]++
						lock.Unlock()
					}
				})
			}
		}
		wg.Wait()
		s.Close()
		require.Equal(t, []int{60, 60}, counters, a.Name)
	}
	_, err := StartResources(&permission.Central, distributed.Config{Nodes: 3, Threads: 2}, 0, tick)
	require.EqualError(t, err, "0 resources for 2 threads a node: 1 to 32768")
	s, err := Start(&permission.Central, distributed.Config{Nodes: 2, Threads: 1}, tick)
	require.NoError(t, err)
	defer s.Close()
	require.PanicsWithValue(t, "live: there is no resource 1 among 0..0", func() { s.LockerOf(0, 0, 1) })
}
