//go:build amd64 || arm64

package robust_test

import (
	"context"
	"os"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shmbench/bench/forks/robust"
	"shmbench/internal/run/supervise"
	"shmbench/shm/region"
	"shmbench/shm/spin"
)

// shared is what the children share.
type shared struct {
	mutex  *robust.Mutex
	inside atomic.Int32 // 1 + the process in the critical section, 0 for none
	count  uint64       // plain
	made   [3]atomic.Uint64
	broken atomic.Bool // a process found another in its critical section
}

func TestMain(m *testing.M) {
	supervise.Serve(context.Background(), "robust", func(_ context.Context, c supervise.Child, times uint64) (int, error) {
		s, err := region.Root[shared](c.Region, 0)
		if err != nil {
			return 0, err
		}
		for made := uint64(0); times == 0 || made < times; made++ {
			deaths := s.mutex.Deaths(c.Number)
			s.mutex.Lock(c.Number)
			if before := s.inside.Swap(int32(c.Number) + 1); before != 0 && s.mutex.Deaths(c.Number) == deaths {
				s.broken.Store(true)
			}
			s.count++
			spin.Pause()
			s.inside.Store(0)
			s.mutex.Unlock(c.Number)
			s.made[c.Number].Add(1)
		}
		return s.mutex.Deaths(c.Number), nil
	})
	os.Exit(m.Run())
}

func start(t *testing.T, died func(*supervise.Supervisor[uint64, int], *shared, supervise.End[int])) (*supervise.Supervisor[uint64, int], *shared) {
	t.Helper()
	r, err := region.New("", 1<<20)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, r.Close()) })
	s, err := region.Put(r, &shared{mutex: robust.New(3)})
	require.NoError(t, err)
	sup := supervise.New[uint64](t.Context(), r, "robust", 3, func(sup *supervise.Supervisor[uint64, int], e supervise.End[int]) {
		if died != nil {
			died(sup, s, e)
		}
	})
	t.Cleanup(sup.Stop)
	return sup, s
}

// TestExcludes: the children count without loss.
func TestExcludes(t *testing.T) {
	sup, s := start(t, nil)
	const each = 5000
	for i := range 3 {
		require.NoError(t, sup.Start(i, each))
	}
	require.NoError(t, sup.Wait(time.Second, nil))
	require.Equal(t, uint64(3*each), s.count)
	require.False(t, s.broken.Load())
}

// TestSurvives: the others go on when a process is killed, wherever it is, and one of them
// learns of a death in the critical section.
func TestSurvives(t *testing.T) {
	sup, s := start(t, func(sup *supervise.Supervisor[uint64, int], s *shared, e supervise.End[int]) {
		if e.Killed {
			s.mutex.Restart(e.Number)
			sup.Start(e.Number, 0)
		}
	})
	for i := range 3 {
		require.NoError(t, sup.Start(i, 0))
	}
	deaths := func() (n int) {
		for i := range 3 {
			n += s.mutex.Deaths(i)
		}
		return n
	}
	for kills := 0; kills < 10 || deaths() == 0; kills++ {
		victim := kills % 3
		for other := range 3 { // all have passed since the last kill
			for before := s.made[other].Load(); s.made[other].Load() == before; {
				time.Sleep(time.Millisecond)
			}
		}
		sup.Kill(victim)
	}
	require.False(t, s.broken.Load())
}
