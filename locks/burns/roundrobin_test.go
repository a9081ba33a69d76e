package burns

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/internal/testkit/onestep"
	"shmbench/shm"
)

func newRoundRobin(t *testing.T) (*RoundRobinMutex, *OneBitMutex) {
	t.Helper()
	lock, err := RoundRobin(shm.Padded, shm.Sequential).New(3)
	require.NoError(t, err)
	l := lock.(*RoundRobinMutex)
	return l, l.lock.(*OneBitMutex)
}

// Line 2: no process competes while the process that has the turn wants to enter.
func TestNobodyCompetesWithTheTurn(t *testing.T) {
	l, oneBit := newRoundRobin(t)
	l.turn.Store(2)
	l.wants.At(2).Store(true)
	p := onestep.Enter(l, 0)
	p.MustWait(t)
	require.False(t, oneBit.x.At(0).Load())
	l.wants.At(2).Store(false)
	p.MustEnter(t)
	require.True(t, oneBit.x.At(0).Load())
	p.Leave()
	require.Zero(t, l.turn.Load(), "the turn goes round")
}

// Lines 5 and 6: the turn stays with a process that wants to enter, and moves by
// one place if not.
func TestTheTurnMoves(t *testing.T) {
	l, _ := newRoundRobin(t)
	l.Lock(0)
	l.Unlock(0)
	require.EqualValues(t, 1, l.turn.Load())
	l.Lock(0)
	l.wants.At(1).Store(true)
	l.Unlock(0)
	require.EqualValues(t, 1, l.turn.Load())
	require.False(t, l.wants.At(0).Load())
}
