package szymanski

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/internal/testkit/onestep"
	"shmbench/shm"
)

func newFlags(t *testing.T, looksOn bool) *FlagMutex {
	spec := Flag
	if looksOn {
		spec = Buhr
	}
	l, err := shm.New[*FlagMutex](spec(shm.Padded, shm.Sequential), 3)
	require.NoError(t, err)
	return l
}

// value waits until a flag has a value.
func (l *FlagMutex) value(t *testing.T, i int, flag uint32) {
	t.Helper()
	onestep.Until(t, func() bool { return l.flag.At(i).Load() == flag })
}

// Line 2: the first door is shut while anybody is at 3 or 4, and open at 2.
func TestTheFirstDoor(t *testing.T) {
	for _, shut := range []uint32{3, 4} {
		l := newFlags(t, false)
		l.flag.At(2).Store(shut)
		p := onestep.Enter(l, 1)
		l.value(t, 1, 1)
		p.MustWait(t)
		require.EqualValues(t, 1, l.flag.At(1).Load())
		l.flag.At(2).Store(2)
		p.MustEnter(t)
		require.EqualValues(t, 4, l.flag.At(1).Load())
	}
}

// Lines 4 to 7: a process that sees another one in front of the first door waits for it, at
// 2, until a process opens the second.
func TestTheSecondDoor(t *testing.T) {
	for _, looksOn := range []bool{false, true} {
		l := newFlags(t, looksOn)
		l.flag.At(1).Store(1)
		p := onestep.Enter(l, 0)
		l.value(t, 0, 2)
		p.MustWait(t)
		l.flag.At(1).Store(4)
		p.MustEnter(t)
		require.EqualValues(t, 4, l.flag.At(0).Load())
	}
}

// Line 8: the lowest number goes first; a process with a higher one waits for it at 4.
func TestTheLowestNumberGoesFirst(t *testing.T) {
	l := newFlags(t, false)
	l.flag.At(0).Store(2)
	p := onestep.Enter(l, 1)
	l.value(t, 1, 4)
	p.MustWait(t)
	l.flag.At(0).Store(1)
	p.MustEnter(t)
}

// Line 9: a process stays at 4 until all higher ones that are inside are at 4 too.
func TestTheSecondDoorIsHeldOpen(t *testing.T) {
	l := newFlags(t, false)
	p := onestep.Enter(l, 0)
	p.MustEnter(t)
	l.flag.At(2).Store(2)
	left := make(chan bool)
	go func() {
		p.Leave()
		close(left)
	}()
	for range 1000 {
		runtime.Gosched()
		require.EqualValues(t, 4, l.flag.At(0).Load())
	}
	l.flag.At(2).Store(4)
	<-left
	require.Zero(t, l.flag.At(0).Load())
}
