package szymanski

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/internal/testkit/onestep"
	"shmbench/shm"
)

// set gives a process's bits the values that stand for a flag.
func (l *BitsMutex) set(i, flag int) {
	bits := map[int][3]bool{0: {}, 1: {true, false, false}, 2: {false, true, false}, 3: {true, true, false}, 4: {true, true, true}}[flag]
	l.intent.At(i).Store(bits[0])
	l.doorIn.At(i).Store(bits[1])
	l.doorOut.At(i).Store(bits[2])
}

// is waits until a process's bits stand for a flag.
func (l *BitsMutex) is(t *testing.T, i, flag int) {
	t.Helper()
	var want BitsMutex
	want.intent, want.doorIn, want.doorOut = newBits(t).intent, newBits(t).doorIn, newBits(t).doorOut
	want.set(i, flag)
	onestep.Until(t, func() bool {
		return l.intent.At(i).Load() == want.intent.At(i).Load() &&
			l.doorIn.At(i).Load() == want.doorIn.At(i).Load() &&
			l.doorOut.At(i).Load() == want.doorOut.At(i).Load()
	})
}

func newBits(t *testing.T) *BitsMutex {
	l, err := NewBits(3, shm.Padded, shm.Sequential)
	require.NoError(t, err)
	return l
}

// The bits take the values of a flag of FlagMutex, on the way in and out.
func TestTheBitsStandForAFlag(t *testing.T) {
	l := newBits(t)
	l.set(2, 3)
	p := onestep.Enter(l, 1)
	l.is(t, 1, 1)
	p.MustWait(t)
	l.set(0, 1)
	l.set(2, 2)
	l.is(t, 1, 2)
	p.MustWait(t)
	l.set(0, 3)
	l.set(2, 4)
	l.is(t, 1, 4)
	p.MustWait(t)
	l.set(0, 0)
	p.MustEnter(t)
	p.Leave()
	l.is(t, 1, 0)
}
