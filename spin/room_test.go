package spin

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// parked returns how many wait in the room for a turn.
func (r *room) parked() (n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for w := r.oldest; w != nil; w = w.newer {
		if w.parked {
			n++
		}
	}
	return n
}

func (r *room) requireEmpty(t *testing.T) {
	t.Helper()
	require.Nil(t, r.oldest)
	require.Nil(t, r.newest)
	require.Zero(t, r.turns)
}

func TestTheTurnGoesToTheOldestAndThenRound(t *testing.T) {
	var r room
	first := r.enter(1)
	got := make(chan int)
	do := [4]chan func(*waiter){}
	for i := 1; i < 4; i++ {
		do[i] = make(chan func(*waiter))
		go func() {
			w := r.enter(1)
			got <- i
			for f := range do[i] {
				f(w)
				got <- i
			}
		}()
		for r.parked() < i {
			runtime.Gosched()
		}
	}
	pass := func(w *waiter) { r.pass(w) }
	leave := func(w *waiter) { r.leave(w) }

	r.leave(first)
	require.Equal(t, 1, <-got, "the oldest is first")
	do[1] <- pass
	require.Equal(t, 2, <-got)
	do[2] <- pass
	require.Equal(t, 3, <-got)
	do[3] <- pass
	require.Equal(t, 1, <-got, "after the newest comes the oldest, which has kept its place")
	do[1] <- pass
	require.Equal(t, 2, <-got)
	do[2] <- leave
	require.ElementsMatch(t, []int{2, 1}, []int{<-got, <-got}, "who leaves gives its turn to the oldest, not to the next")
	do[1] <- leave
	require.ElementsMatch(t, []int{1, 3}, []int{<-got, <-got})
	do[3] <- pass
	require.Equal(t, 3, <-got, "with nobody to pass it to, the turn stays")
	do[3] <- leave
	require.Equal(t, 3, <-got)
	r.requireEmpty(t)
	for _, c := range do[1:] {
		close(c)
	}
}

// Nobody is left behind, and never do more poll than there are turns. Process 0
// waits until all others are through, as one may with a lock of another kind.
func TestEverybodyGetsThrough(t *testing.T) {
	const n, rounds = 16, 200
	for _, turns := range []int{1, 3} {
		var r room
		var polling, through atomic.Int32
		var all sync.WaitGroup
		for i := range n {
			all.Go(func() {
				for round := range rounds {
					if i == 0 && round > 0 {
						return
					}
					w := r.enter(turns)
					for polls := 0; ; polls++ {
						if polling.Add(1) > int32(turns) {
							t.Error("more poll than there are turns")
						}
						holds := polls >= (i+round)%4
						if i == 0 {
							holds = through.Load() == n-1
						}
						polling.Add(-1)
						if holds {
							break
						}
						r.pass(w)
					}
					r.leave(w)
				}
				through.Add(1)
			})
		}
		all.Wait()
		r.requireEmpty(t)
	}
}

func TestTurnsThatTakeLongDoNotPay(t *testing.T) {
	share(t, 0, 2, hopeless)
	var r room
	r.enter(2) // so that the room does not become empty
	leave := func(took time.Duration) {
		for i := range span {
			w := r.enter(2)
			if i == span-1 {
				r.since = time.Now().Add(-took)
			}
			r.leave(w)
		}
	}
	for range 3 * manySlow {
		leave(-time.Hour)
	}
	require.Equal(t, int32(hopeless), vain.Load(), "turns that are taken quickly pay")
	for range manySlow - 1 {
		leave(time.Hour)
	}
	leave(-time.Hour)
	for range manySlow - 1 {
		leave(time.Hour)
	}
	require.Equal(t, int32(hopeless), vain.Load(), "there was a quick span among the slow ones")
	leave(time.Hour)
	require.Equal(t, int32(-reprieve), vain.Load())
}

// ticket is a lock that is first come, first served.
type ticket struct {
	next, serving atomic.Int64
	inside        int // plain, for the race detector
}

func (l *ticket) pass(wait func(Cond)) {
	mine := l.next.Add(1) - 1
	wait(func() bool { return l.serving.Load() == mine })
	l.inside++
	l.serving.Add(1)
}

func TestTakingTurnsEndsWhenTheConditionHolds(t *testing.T) {
	const n, passages = 8, 500
	var r room
	var l ticket
	var all sync.WaitGroup
	for range n {
		all.Go(func() {
			for range passages {
				l.pass(func(c Cond) { c.takeTurns(&r) })
			}
		})
	}
	all.Wait()
	require.Equal(t, n*passages, l.inside)
	r.requireEmpty(t)
}

func TestAConditionThatPanicsLeavesNoTrace(t *testing.T) {
	for _, v := range []int32{0, hopeless} {
		share(t, 0, 2, v)
		require.PanicsWithValue(t, "no such register", func() {
			Cond(func() bool { panic("no such register") }).yield()
		})
		require.Zero(t, waiting.Load())
		hall.requireEmpty(t)
	}
}
