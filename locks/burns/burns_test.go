package burns

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/internal/testkit/onestep"
	"shmbench/shm"
)

// Lines 3, 5 and 6: a process that is not the last to have written turn takes its flag back
// until it sees no other process's.
func TestTheLastWins(t *testing.T) {
	l, err := NewBurns(3, shm.Padded, shm.Sequential)
	require.NoError(t, err)
	l.flag.At(2).Store(true)
	p := onestep.Enter(l, 0)
	onestep.Until(t, func() bool { return l.flag.At(0).Load() && l.turn.Load() == 0 })
	p.MustWait(t)
	require.True(t, l.flag.At(0).Load(), "it is the last")
	l.turn.Store(2)
	onestep.Until(t, func() bool { return !l.flag.At(0).Load() })
	p.MustWait(t)
	l.flag.At(2).Store(false)
	p.MustEnter(t)
	require.True(t, l.flag.At(0).Load())
	require.Zero(t, l.turn.Load())
	p.Leave()
	require.False(t, l.flag.At(0).Load())
}
