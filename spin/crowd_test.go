package spin

import (
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// share sets the state that waits share, for one test.
func share(t *testing.T, waits, processors, v int32) {
	t.Helper()
	was := [...]int32{waiting.Load(), others.Load(), vain.Load()}
	t.Cleanup(func() { waiting.Store(was[0]); others.Store(was[1]); vain.Store(was[2]) })
	waiting.Store(waits)
	others.Store(processors - 1)
	vain.Store(v)
}

func TestHowLongAWaitPauses(t *testing.T) {
	for _, c := range []struct {
		name              string
		waits, processors int32
		vain              int32
		polls, vainAfter  int32
	}{
		{"one of two processes", 0, 2, 0, pausesInCrowd + pausesAlone, 0},
		{"as many processes as processors", 62, 64, 0, pausesInCrowd + pausesAlone, 0},
		{"one process more than processors", 1, 2, 0, pausesInCrowd, 1},
		{"one processor", 0, 1, 5, pausesInCrowd, 6},
		{"it has had its reprieve", 1, 2, -1, pausesInCrowd, 0},
		{"pausing is hopeless", 2, 2, hopeless, 0, hopeless},
		{"it was, but the crowd has gone", 1, 2, hopeless, pausesAlone, hopeless},
	} {
		t.Run(c.name, func(t *testing.T) {
			share(t, c.waits, c.processors, c.vain)
			polls, pauses := int32(0), int32(-1)
			Cond(func() bool {
				polls++
				if waiting.Load() > c.waits {
					// This wait has begun to yield.
					if pauses < 0 {
						pauses = polls - 1
					}
					vain.CompareAndSwap(hopeless, 0)
					return true
				}
				return false
			}).wait()
			require.Equal(t, c.polls, pauses)
			if c.vain < hopeless {
				require.Equal(t, c.vainAfter, vain.Load())
			}
		})
	}
}

func TestPausesThatEndAWaitRestoreTrust(t *testing.T) {
	for _, c := range []struct{ polls, before, after int32 }{
		{1, 0, 0},
		{1, 3, 0},
		{pausesInCrowd, 100, 100 - paid},
		{pausesInCrowd + 1, 100, 100},
		{1, -reprieve, -reprieve},
	} {
		share(t, 0, 2, c.before)
		polls := int32(0)
		Cond(func() bool { polls++; return polls == c.polls }).wait()
		require.Equal(t, c.polls, polls)
		require.Equal(t, c.after, vain.Load())
	}
}

func TestUseForgets(t *testing.T) {
	for _, v := range []int32{-reprieve, 7, hopeless} {
		share(t, 0, 2, v)
		Use(InUse())
		require.Zero(t, vain.Load())
	}
}

func TestTheFirstToWaitCountsTheProcessors(t *testing.T) {
	share(t, 0, 100, 0)
	Cond(func() bool { return true }).yield()
	require.Equal(t, int32(min(runtime.GOMAXPROCS(0), runtime.NumCPU())-1), others.Load())
	share(t, 1, 100, 0)
	Cond(func() bool { return true }).yield()
	require.Equal(t, int32(99), others.Load())
}

// Whatever the state that waits share is in, each ends.
func TestYieldingEnds(t *testing.T) {
	for _, v := range []int32{-reprieve, 0, hopeless - 1, hopeless} {
		const n, passages = 8, 300
		share(t, 0, 2, v)
		var l ticket
		var all sync.WaitGroup
		for range n {
			all.Go(func() {
				for range passages {
					l.pass(Cond.wait)
				}
			})
		}
		all.Wait()
		require.Equal(t, n*passages, l.inside)
		require.Zero(t, waiting.Load())
		hall.requireEmpty(t)
	}
}
