package rw

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/internal/testkit/onestep"
	"shmbench/shm"
)

// reading makes the calls of readers something that can be waited for.
type reading struct{ l shm.RWMutex }

func (r reading) Lock(pid int)   { r.l.RLock(pid) }
func (r reading) Unlock(pid int) { r.l.RUnlock(pid) }

// Lines 3, 4 and 12: a writer waits for the last of the readers before it, which tells it; one that
// comes after it waits for it, and is before the next writer, who closes the other phase.
func TestPhaseFairQueueTakesTurns(t *testing.T) {
	l, err := NewPhaseFairQueue(5, shm.Padded, shm.Sequential)
	require.NoError(t, err)
	l.RLock(0)
	l.RLock(1)
	writer := onestep.Enter(l, 2)
	onestep.Until(t, func() bool { return l.rout.Load()&pres != 0 })
	require.Equal(t, uint32(2*rinc), l.last.Load())
	require.True(t, l.closed.At(0).Load())
	reader := onestep.Enter(reading{l}, 3)
	reader.MustWait(t)
	l.RUnlock(0)
	writer.MustWait(t)
	l.RUnlock(1)
	writer.MustEnter(t)
	next := onestep.Enter(l, 4)
	next.MustWait(t)
	reader.MustWait(t)
	writer.Leave()
	reader.MustEnter(t)
	onestep.Until(t, func() bool { return l.closed.At(1).Load() })
	next.MustWait(t)
	reader.Leave()
	next.MustEnter(t)
	next.Leave()
	require.Equal(t, uint32(0), l.rin.Load()&(pres|phid))
}
