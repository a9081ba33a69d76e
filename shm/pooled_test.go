package shm

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

// crowd is a lock that lets everybody in, and sees that two processes never
// use one id at once.
type crowd struct {
	in       []atomic.Bool
	sameTime atomic.Bool
	locked   chan int // gets each id that has entered, if not nil
}

func (c *crowd) Lock(pid int) {
	if c.in[pid].Swap(true) {
		c.sameTime.Store(true)
	}
	if c.locked != nil {
		c.locked <- pid
	}
}

func (c *crowd) Unlock(pid int) { c.in[pid].Store(false) }

// mutex serves any number of processes.
type mutex struct {
	crowd
	mu sync.Mutex
}

func (m *mutex) Lock(pid int)   { m.crowd.Lock(pid); m.mu.Lock() }
func (m *mutex) Unlock(pid int) { m.crowd.Unlock(pid); m.mu.Unlock() }

// waiting returns how many wait for an id.
func (p *pool) waiting() (n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for b := p.first; b != nil; b = b.next {
		n++
	}
	return n
}

// requireAllFree checks that every id is in the pool once.
func (p *pool) requireAllFree(t *testing.T, n int) {
	t.Helper()
	ids := append([]int(nil), p.free...)
	if id := p.spare.Load(); id != none {
		ids = append(ids, int(id))
	}
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	require.ElementsMatch(t, all, ids)
	require.Nil(t, p.first)
}

func TestMoreGoroutinesThanIds(t *testing.T) {
	for _, n := range []int{1, 2, 3, 40} {
		const goroutines, passages = 16, 400
		m := &mutex{crowd: crowd{in: make([]atomic.Bool, n)}}
		lock := Pooled(m, n)
		inside := 0
		var all sync.WaitGroup
		for g := range goroutines {
			all.Go(func() {
				for i := range passages {
					lock.Lock()
					inside++
					if (i+g)%7 == 0 {
						runtime.Gosched()
					}
					lock.Unlock()
				}
			})
		}
		all.Wait()
		require.Equal(t, goroutines*passages, inside)
		require.False(t, m.sameTime.Load(), "one id was lent twice")
		lock.(*pool).requireAllFree(t, n)
	}
}

// An id is lent before the lock is held: as many can be in the entry section
// at once as there are ids.
func TestAnIdIsLentWithoutTheLock(t *testing.T) {
	const n = 5
	m := &mutex{crowd: crowd{in: make([]atomic.Bool, n), locked: make(chan int)}}
	p := Pooled(m, n).(*pool)
	m.mu.Lock()
	passages := 0
	var all sync.WaitGroup
	for range n + 1 {
		all.Go(func() {
			p.Lock()
			passages++
			p.Unlock()
		})
	}
	lent := []int{}
	for range n {
		lent = append(lent, <-m.locked)
	}
	require.ElementsMatch(t, []int{0, 1, 2, 3, 4}, lent)
	for p.waiting() < 1 {
		runtime.Gosched()
	}
	m.mu.Unlock()
	go func() { <-m.locked }()
	all.Wait()
	require.Equal(t, n+1, passages)
	p.requireAllFree(t, n)
}

func TestIdsGoOutInTheOrderOfArrival(t *testing.T) {
	const n, waiters = 2, 6
	p := Pooled(&crowd{in: make([]atomic.Bool, n)}, n).(*pool)
	held := [n]int{p.borrow(), p.borrow()}
	order := make(chan int, waiters)
	leave, left := make(chan bool), make(chan bool)
	for i := range waiters {
		go func() {
			id := p.borrow()
			order <- i
			<-leave
			p.giveBack(id)
			left <- true
		}()
		for p.waiting() <= i {
			runtime.Gosched()
		}
	}
	p.giveBack(held[1])
	require.Equal(t, 0, <-order)
	p.giveBack(held[0])
	require.Equal(t, 1, <-order)
	for i := 2; i < waiters; i++ {
		leave <- true
		<-left
		require.Equal(t, i, <-order)
	}
	for range n {
		leave <- true
		<-left
	}
	p.requireAllFree(t, n)
}

func TestPooledPanicsOnMisuse(t *testing.T) {
	const unlocked = "shm: Unlock of a pooled lock that no process holds"
	p := Pooled(&crowd{in: make([]atomic.Bool, 1)}, 1)
	for range 3 { // and the pool is still usable
		require.PanicsWithValue(t, unlocked, p.Unlock)
		p.Lock()
		require.NotPanics(t, p.Unlock)
	}
	require.PanicsWithValue(t, "shm: Pooled(m, 0): a pool has 1 id or more", func() { Pooled(&crowd{}, 0) })
}

func TestPooledAllocatesNothingOnceWarm(t *testing.T) {
	const n, goroutines = 2, 8
	lock := Pooled(&mutex{crowd: crowd{in: make([]atomic.Bool, n)}}, n)
	passages := 0
	require.Zero(t, testing.AllocsPerRun(100, func() {
		lock.Lock()
		passages++
		lock.Unlock()
	}))

	begin, end := make(chan bool), make(chan bool)
	defer close(begin)
	for range goroutines {
		go func() {
			for range begin {
				lock.Lock()
				runtime.Gosched() // so that others come and wait
				lock.Unlock()
				end <- true
			}
		}()
	}
	require.Zero(t, testing.AllocsPerRun(100, func() {
		for range goroutines {
			begin <- true
		}
		for range goroutines {
			<-end
		}
	}))
	require.NotNil(t, lock.(*pool).idle, "somebody waited")
}
