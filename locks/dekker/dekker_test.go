package dekker

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/internal/testkit/onestep"
	"shmbench/shm"
)

func newDekker(t *testing.T) *DekkerMutex {
	l, err := NewDekker(2, shm.Packed, shm.Sequential)
	require.NoError(t, err)
	return l
}

// Line 3: a process that has the turn keeps its flag up and waits for the other's to go down.
func TestWithTheTurn(t *testing.T) {
	l := newDekker(t)
	l.flag[1].Store(1)
	p := onestep.Enter(l, 0)
	onestep.Until(t, func() bool { return l.flag[0].Load() == 1 })
	p.MustWait(t)
	require.Equal(t, uint32(1), l.flag[0].Load())
	l.flag[1].Store(0)
	p.MustEnter(t)
	p.Leave()
	require.Equal(t, uint32(1), l.turn.Load())
	require.Zero(t, l.flag[0].Load())
}

// Lines 4 to 6: a process without the turn steps back until it gets it.
func TestWithoutTheTurn(t *testing.T) {
	l := newDekker(t)
	l.flag[1].Store(1)
	l.turn.Store(1)
	p := onestep.Enter(l, 0)
	p.MustWait(t)
	onestep.Until(t, func() bool { return l.flag[0].Load() == 0 })
	l.flag[1].Store(0)
	p.MustWait(t)
	require.Zero(t, l.flag[0].Load(), "it is the turn that it waits for")
	l.turn.Store(0)
	p.MustEnter(t)
	require.Equal(t, uint32(1), l.flag[0].Load())
	p.Leave()
}
