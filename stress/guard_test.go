package stress

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shmbench/internal/run/goroutine"
	"shmbench/shm"
)

// guarded is a guard of two processes in their entry sections, which looks
// every half a second, or as often as it is asked to.
func guarded(claims shm.Claims) (*runner, *guard) {
	r := placed(claims, at(3, entry), at(3, entry))
	r.o.Deadline = 20 * time.Second
	return r, newGuard(r, []int{0, 1})
}

// givesUp returns after how many looks the guard gives up, 0 for not within
// most; between gets to do something before each.
func givesUp(g *guard, most int, between func()) int {
	for look := 1; look <= most; look++ {
		between()
		if g.giveUp() {
			return look
		}
	}
	return 0
}

// waiter is the number of a goroutine that waits forever.
func waiter() int64 {
	id := make(chan int)
	go func() {
		id <- goroutine.ID()
		<-make(chan int)
	}()
	n := <-id
	for !goroutine.Dump()[n].PastDoorway() {
		time.Sleep(time.Millisecond)
	}
	return int64(n)
}

func TestHungIsSaidSoonerOfSleepers(t *testing.T) {
	nothing := func() {}
	t.Run("all run", func(t *testing.T) {
		r, g := guarded(shm.Claims{})
		require.Equal(t, 40, givesUp(g, 100, nothing))
		require.Equal(t, hung, r.tally.forbidden())
	})
	t.Run("all wait", func(t *testing.T) {
		r, g := guarded(shm.Claims{})
		for _, p := range r.procs {
			p.goroutine.Store(waiter())
		}
		require.Equal(t, 6, givesUp(g, 100, nothing))
		require.Equal(t, hung, r.tally.forbidden())
	})
	t.Run("all that take part wait", func(t *testing.T) {
		r, g := guarded(shm.Claims{})
		r.procs[0].goroutine.Store(waiter())
		r.procs[1].resting.Store(true)
		require.Equal(t, 6, givesUp(g, 100, nothing))
	})
	t.Run("one runs", func(t *testing.T) {
		r, g := guarded(shm.Claims{})
		r.procs[0].goroutine.Store(waiter())
		require.Equal(t, 40, givesUp(g, 100, nothing))
	})
	t.Run("one waits in its critical section", func(t *testing.T) {
		r, g := guarded(shm.Claims{})
		for _, p := range r.procs {
			p.goroutine.Store(waiter())
		}
		r.procs[1].at.Store(at(3, critical))
		require.Zero(t, givesUp(g, 100, nothing), "the machine's or the test's fault")
	})
	t.Run("somebody moves now and then", func(t *testing.T) {
		r, g := guarded(shm.Claims{})
		for _, p := range r.procs {
			p.goroutine.Store(waiter())
		}
		looks := 0
		require.Zero(t, givesUp(g, 100, func() {
			if looks++; looks%5 == 0 {
				r.procs[looks/5%2].at.Add(sections)
			}
		}))
	})
}

// One that waits while another moves starves, if the lock claims that no process
// does.
func TestGuardOfStarvation(t *testing.T) {
	for _, claimed := range []bool{true, false} {
		r, g := guarded(shm.Claims{StarvationFree: claimed})
		looks := givesUp(g, 100, func() { r.procs[1].at.Add(sections) })
		if claimed {
			require.Equal(t, 40, looks)
			require.Equal(t, starved, r.tally.forbidden())
		} else {
			require.Zero(t, looks)
			require.Empty(t, r.tally.forbidden())
			require.Equal(t, uint64(1), r.tally.counts[slow], "noted once")
		}
	}
}

// A process that is inside after something forbidden is not waited for.
func TestNoPatienceAfterAFault(t *testing.T) {
	r, g := guarded(shm.Claims{})
	r.tally.note(ownerSeen, "")
	require.Equal(t, lostPatience, givesUp(g, 100, func() {}))
}
