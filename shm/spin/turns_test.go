package spin

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

// withMost returns turns in which so many waiters may poll at once, beside one
// that is in the queue for good: it keeps the number from being counted anew.
func withMost(most int) *turns {
	t := new(turns)
	t.join()
	t.most = most + 1
	return t
}

func (t *turns) requireAsNew(tt *testing.T) {
	tt.Helper()
	require.Len(tt, t.queue, 1)
	require.Zero(tt, t.parked.Load())
}

func TestTheTurnGoesToTheOldestAndThenRound(t *testing.T) {
	turns := withMost(1)
	first := turns.join()
	got := make(chan int)
	do := [4]chan func(*waiter){}
	for i := 1; i < 4; i++ {
		do[i] = make(chan func(*waiter))
		go func() {
			w := turns.join()
			got <- i
			for f := range do[i] {
				f(w)
				got <- i
			}
		}()
		for turns.parked.Load() < int32(i) {
			runtime.Gosched()
		}
	}

	turns.leave(first)
	require.Equal(t, 1, <-got, "the oldest is first")
	do[1] <- turns.pass
	require.Equal(t, 2, <-got)
	do[2] <- turns.pass
	require.Equal(t, 3, <-got)
	do[3] <- turns.pass
	require.Equal(t, 1, <-got, "after the newest comes the oldest, which has kept its place")
	do[1] <- turns.pass
	require.Equal(t, 2, <-got)
	do[2] <- turns.leave
	require.ElementsMatch(t, []int{2, 1}, []int{<-got, <-got}, "who leaves gives its turn to the oldest, not to the next")
	do[1] <- turns.leave
	require.ElementsMatch(t, []int{1, 3}, []int{<-got, <-got})
	do[3] <- turns.pass
	require.Equal(t, 3, <-got, "with nobody to pass it to, the turn stays")
	do[3] <- turns.leave
	require.Equal(t, 3, <-got)
	turns.requireAsNew(t)
	for _, c := range do[1:] {
		close(c)
	}
}

// No process is left behind, and never do more poll than may. Process 0 waits until
// all others are through, as one may with a lock of another kind.
func TestEverybodyGetsThrough(t *testing.T) {
	const n, rounds = 16, 200
	for _, most := range []int{1, 3} {
		turns := withMost(most)
		var polling, through atomic.Int32
		var all sync.WaitGroup
		for i := range n {
			all.Go(func() {
				for round := range rounds {
					if i == 0 && round > 0 {
						return
					}
					w := turns.join()
					for polls := 0; ; polls++ {
						if polling.Add(1) > int32(most) {
							t.Error("more poll than may")
						}
						holds := polls >= (i+round)%4
						if i == 0 {
							holds = through.Load() == n-1
						}
						polling.Add(-1)
						if holds {
							break
						}
						turns.pass(w)
					}
					turns.leave(w)
				}
				through.Add(1)
			})
		}
		all.Wait()
		turns.requireAsNew(t)
	}
}

func TestTheFirstInTheQueueCountsTheProcessors(t *testing.T) {
	for _, processors := range []int{1, runtime.NumCPU(), 2 * runtime.NumCPU()} {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
		var turns turns
		turns.leave(turns.join())
		require.Equal(t, max(1, min(processors, runtime.NumCPU())-1), turns.most,
			"Go processors beyond the machine's are no room for more that poll")
	}
}

// ticket is a lock that is first come, first served.
type ticket struct {
	next, serving atomic.Int64
	inside        int // plain, for the race detector
}

func TestWaitingInTurnsEndsWhenTheConditionHolds(t *testing.T) {
	const n, passages = 8, 500
	turns := withMost(1)
	var l ticket
	var all sync.WaitGroup
	for range n {
		all.Go(func() {
			for range passages {
				mine := l.next.Add(1) - 1
				turns.wait(func() bool { return l.serving.Load() == mine })
				l.inside++
				l.serving.Add(1)
			}
		})
	}
	all.Wait()
	require.Equal(t, n*passages, l.inside)
	turns.requireAsNew(t)
}

func TestAWaitPausesBrieflyWhereOthersAreParked(t *testing.T) {
	if racing {
		t.Skip("nobody queues under the race detector")
	}
	for _, c := range []struct{ parked, polls int32 }{{0, pausesBeforeYield}, {1, pausesWhileParked}} {
		turns := withMost(1)
		turns.parked.Store(c.parked)
		polls := int32(0)
		turns.wait(func() bool {
			if len(turns.queue) > 1 {
				return true // the wait has joined the queue
			}
			polls++
			return false
		})
		require.Equal(t, c.polls, polls)
	}
}

func TestAConditionThatPanicsLeavesTheQueue(t *testing.T) {
	turns := withMost(1)
	polls := 0
	require.PanicsWithValue(t, "no such register", func() {
		turns.wait(func() bool {
			if polls++; polls > 2*pausesBeforeYield {
				panic("no such register")
			}
			return false
		})
	})
	turns.requireAsNew(t)
}

// What orders processes hides races: under the race detector there is no queue.
func TestTheQueueHidesNoRace(t *testing.T) {
	var turns turns
	polls, queued := 0, false
	turns.wait(func() bool {
		polls++
		queued = queued || len(turns.queue) > 0
		return polls > 2*pausesBeforeYield
	})
	require.Equal(t, !racing, queued)
}

func TestUseBeginsANewQueue(t *testing.T) {
	defer Use(InUse())
	Use(Turns)
	inTurns.Load().join()
	Use(Turns)
	require.Empty(t, inTurns.Load().queue)
}
