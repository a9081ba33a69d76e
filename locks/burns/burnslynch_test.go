package burns

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/internal/testkit/onestep"
	"shmbench/shm"
)

func newBurnsLynch(t *testing.T, n int) *BurnsLynchMutex {
	l, err := NewBurnsLynch(n, shm.Padded, shm.Sequential)
	require.NoError(t, err)
	return l
}

// Line 2: a process does not even show itself while a lower one wants to enter.
func TestGivesWayToTheLower(t *testing.T) {
	l := newBurnsLynch(t, 3)
	l.flag.At(0).Store(true)
	p := onestep.Enter(l, 1)
	p.MustWait(t)
	require.False(t, l.flag.At(1).Load())
	l.flag.At(0).Store(false)
	p.MustEnter(t)
	require.True(t, l.flag.At(1).Load())
	p.Leave()
	require.False(t, l.flag.At(1).Load())
}

// Line 5: it waits for a higher one, and shows that it does.
func TestWaitsForTheHigher(t *testing.T) {
	l := newBurnsLynch(t, 3)
	l.flag.At(2).Store(true)
	p := onestep.Enter(l, 1)
	onestep.Until(t, func() bool { return l.flag.At(1).Load() })
	p.MustWait(t)
	l.flag.At(2).Store(false)
	p.MustEnter(t)
}
