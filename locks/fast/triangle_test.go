package fast

import (
	"errors"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/internal/testkit/onestep"
	"shmbench/shm"
)

func newTriangle(t *testing.T, k int) *TriangleMutex {
	l, err := NewTriangle(4, k, petersons, shm.Padded, shm.Sequential)
	require.NoError(t, err)
	return l
}

// Line 10: who finds y taken goes to the slow lock, and comes back to the fast path
// the next time.
func TestTriangleBothWays(t *testing.T) {
	l := newTriangle(t, 1)
	l.Lock(3)
	require.Equal(t, uint32(4), l.f[0].y.Load())
	require.Zero(t, *l.a.At(3))
	p := onestep.Enter(l, 1)
	p.MustWait(t)
	l.Unlock(3)
	require.Zero(t, l.f[0].y.Load())
	require.False(t, l.f[0].b.At(3).Load())
	p.MustEnter(t)
	require.Equal(t, 1, *l.a.At(1), "it came by the slow lock")
	p.Leave()
	l.Lock(1)
	require.Zero(t, *l.a.At(1), "it came by the fast path")
	l.Unlock(1)
}

// Lines 1 and 4: as many processes as there are fast paths can be on them, one each.
func TestTrapeziumPaths(t *testing.T) {
	l := newTriangle(t, 2)
	l.Lock(0)
	var others sync.WaitGroup
	for pid := 1; pid < 4; pid++ {
		others.Go(func() {
			l.Lock(pid)
			l.Unlock(pid)
		})
	}
	onestep.Until(t, func() bool { return l.f[1].y.Load() != 0 })
	require.Equal(t, uint32(1), l.f[0].y.Load())
	l.Unlock(0)
	others.Wait()
	for a := range l.f {
		require.Zero(t, l.f[a].y.Load())
	}
}

// The error of a slow path is the constructor's.
func TestSlowPathErrors(t *testing.T) {
	broken := errors.New("no lock today")
	none := func(shm.Layout, shm.Stores) shm.Algorithm {
		return shm.Algorithm{New: func(int) (shm.Mutex, error) { return nil, broken }}
	}
	for _, s := range []SlowPath{{Lock: none, Join: petersons.Join}, {Lock: petersons.Lock, Join: none}} {
		_, err := NewTriangle(2, 1, s, shm.Padded, shm.Sequential)
		require.ErrorIs(t, err, broken)
	}
}
