package fast

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/internal/testkit/onestep"
	"shmbench/shm"
)

func newYangAnderson(t *testing.T) *YangAndersonMutex {
	l, err := NewYangAnderson(3, petersons, shm.Padded, shm.Sequential)
	require.NoError(t, err)
	return l
}

// Lines 14 to 17: a process that comes the slow way frees y again, after which the fast way is open.
func TestYangAndersonFreesY(t *testing.T) {
	l := newYangAnderson(t)
	l.y.Store(1) // a process has claimed y, and found x changed
	l.Lock(1)
	require.False(t, *l.fast.At(1))
	l.Unlock(1)
	require.Zero(t, l.y.Load())
	l.Lock(1)
	require.True(t, *l.fast.At(1))
	l.Unlock(1)
	require.Zero(t, l.y.Load())
}

// Line 16: it does not while a process is on the fast way, nor, line 14, if another has
// come since.
func TestYangAndersonKeepsY(t *testing.T) {
	l := newYangAnderson(t)
	l.y.Store(1)
	l.b.At(0).Store(true)
	l.Lock(1)
	l.Unlock(1)
	require.Equal(t, uint32(1), l.y.Load())
	l.b.At(0).Store(false)
	l.Lock(1)
	l.x.Store(3)
	l.Unlock(1)
	require.Equal(t, uint32(1), l.y.Load())
}

// Line 6: z shuts the fast way.
func TestYangAndersonShut(t *testing.T) {
	l := newYangAnderson(t)
	l.z.Store(1)
	l.join.Lock(1)
	p := onestep.Enter(l, 2)
	p.MustWait(t)
	require.True(t, l.b.At(2).Load(), "it came as far as that")
	l.z.Store(0)
	l.join.Unlock(1)
	p.MustEnter(t)
	require.False(t, *l.fast.At(2))
	p.Leave()
}
