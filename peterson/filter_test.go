package peterson

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/internal/testkit/onestep"
	"shmbench/shm"
)

func newFilter(t *testing.T, n int) *FilterMutex {
	l, err := NewFilter(n, shm.Packed, shm.Sequential)
	require.NoError(t, err)
	return l
}

// Line 4: the last to come to a level is held there while anybody is at the
// level or above, and let go when another takes its place.
func TestFilterHoldsTheLastAtEachLevel(t *testing.T) {
	l := newFilter(t, 3)
	l.q.At(2).Store(2)
	l.turn.At(0).Store(1)
	l.turn.At(1).Store(1)
	p := onestep.Enter(l, 0)
	for j := 1; j <= 2; j++ {
		onestep.Until(t, func() bool { return l.q.At(0).Load() == uint32(j) && l.turn.At(j-1).Load() == 0 })
		p.MustWait(t)
		require.Equal(t, uint32(j), l.q.At(0).Load())
		l.turn.At(j - 1).Store(1) // process 1 comes to the level
	}
	p.MustEnter(t)
	p.Leave()
	require.Zero(t, l.q.At(0).Load())
}

// Line 4: no process at the level or above means no process to wait for.
func TestFilterPassesWhoeverIsAhead(t *testing.T) {
	l := newFilter(t, 3)
	l.q.At(1).Store(1) // below level 2
	l.turn.At(0).Store(1)
	p := onestep.Enter(l, 0)
	onestep.Until(t, func() bool { return l.turn.At(0).Load() == 0 })
	l.turn.At(0).Store(2) // let go at level 1
	p.MustEnter(t)
	require.Equal(t, uint32(2), l.q.At(0).Load())
}

// There are n-1 levels: none for a process that is alone in the world.
func TestFilterLevels(t *testing.T) {
	for n := 1; n <= 8; n++ {
		l := newFilter(t, n)
		require.Equal(t, n-1, l.turn.Len())
		l.Lock(n - 1)
		require.Equal(t, uint32(n-1), l.q.At(n-1).Load())
		l.Unlock(n - 1)
	}
}
