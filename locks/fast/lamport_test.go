package fast

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/internal/testkit/onestep"
	"shmbench/shm"
)

func newLamport(t *testing.T) *LamportMutex {
	l, err := NewLamport(3, shm.Padded, shm.Sequential)
	require.NoError(t, err)
	return l
}

// Lines 1, 2, 6, 12 and 13: what a process that is alone leaves in the registers.
func TestLamportAlone(t *testing.T) {
	l := newLamport(t)
	l.Lock(2)
	require.True(t, l.b.At(2).Load())
	require.Equal(t, uint32(3), l.x.Load())
	require.Equal(t, uint32(3), l.y.Load())
	l.Unlock(2)
	require.False(t, l.b.At(2).Load())
	require.Equal(t, uint32(3), l.x.Load(), "x is not taken back")
	require.Zero(t, l.y.Load())
}

// Lines 4 and 5: who finds y taken takes b back and waits for y.
func TestLamportFindsYTaken(t *testing.T) {
	l := newLamport(t)
	l.y.Store(1)
	p := onestep.Enter(l, 1)
	onestep.Until(t, func() bool { return l.x.Load() == 2 && !l.b.At(1).Load() })
	p.MustWait(t)
	require.Equal(t, uint32(1), l.y.Load(), "y is not claimed while it is taken")
	l.y.Store(0)
	p.MustEnter(t)
	require.Equal(t, uint32(2), l.y.Load())
	p.Leave()
}
