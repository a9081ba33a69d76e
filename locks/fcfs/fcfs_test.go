package fcfs

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/internal/testkit/onestep"
	"shmbench/shm"
)

// free is an inner lock that keeps no process out: what holds a process up is the wrapper.
type free struct{ inside int }

func (l *free) Lock(int)   { l.inside++ }
func (l *free) Unlock(int) { l.inside-- }

func newFree(int) (shm.Mutex, error) { return new(free), nil }

// Lines 3 to 6: process 0 waits for 1, which is in its doorway, and then until 1 has
// left or come again.
func TestLycklamaHadzilacosWaitsForTheTurnThatItSaw(t *testing.T) {
	l, err := NewLycklamaHadzilacos(3, shm.Padded, shm.Sequential, newFree)
	require.NoError(t, err)
	for _, then := range []func(){
		func() { l.v.At(1).Store(false) },   // it has left
		func() { l.turn.At(1)[0].Store(1) }, // it has come again
		func() { l.turn.At(1)[1].Store(0) }, // and again
		func() { l.v.At(1).Store(false) },   // it has left
	} {
		l.c.At(1).Store(true)
		l.v.At(1).Store(true)
		p := onestep.Enter(l, 0)
		onestep.Until(t, func() bool { return l.v.At(0).Load() && !l.c.At(0).Load() })
		p.MustWait(t)
		l.c.At(1).Store(false)
		p.MustWait(t)
		then()
		p.MustEnter(t)
		p.Leave()
		require.False(t, l.v.At(0).Load())
		if !l.v.At(1).Load() {
			l.turn.At(1)[1].Store(1)
		}
	}
}

// Line 3: the two bits of a turn change one at a time, and take all their values; a
// word goes round three.
func TestLycklamaTurns(t *testing.T) {
	bits, err := NewLycklamaHadzilacos(1, shm.Padded, shm.Sequential, newFree)
	require.NoError(t, err)
	word, err := NewLycklamaBuhr(1, shm.Padded, shm.Sequential, newFree)
	require.NoError(t, err)
	for _, want := range []struct{ bits, word uint32 }{{2, 1}, {3, 2}, {1, 0}, {0, 1}, {2, 2}} {
		bits.Lock(0)
		bits.Unlock(0)
		require.Equal(t, want.bits, bits.read(0))
		word.Lock(0)
		word.Unlock(0)
		require.Equal(t, want.word, word.read(0))
	}
}

// Lines 3 and 8: each of three bits is shown until its process has left.
func TestHesselink13ShowsThreeBits(t *testing.T) {
	l, err := NewHesselink13(2, shm.Padded)
	require.NoError(t, err)
	for passage := range 6 {
		l.Lock(0)
		for b := range 3 {
			require.Equal(t, b == passage%3, l.turn.At(0)[b].Load())
		}
		l.Unlock(0)
		require.False(t, l.turn.At(0)[passage%3].Load())
	}
}

// Lines 5, 7 and 8: a process waits for the bits that it saw and ignores those
// shown later, clears its own before it enters, and waits for doorways then.
func TestHesselink15Waits(t *testing.T) {
	for name, build := range map[string]func(int, shm.Layout, shm.Stores, func(int) (shm.Mutex, error)) (*Hesselink15Mutex, error){
		"hesselink": NewHesselink15, "aravind": NewAravindF4,
	} {
		t.Run(name, func(t *testing.T) {
			l, err := build(3, shm.Padded, shm.Sequential, newFree)
			require.NoError(t, err)
			l.turn.At(1)[1].Store(true)
			p := onestep.Enter(l, 0)
			onestep.Until(t, func() bool { return l.turn.At(0)[0].Load() && !l.dw.At(0).Load() })
			p.MustWait(t)
			l.dw.At(2).Store(true)
			l.turn.At(2)[0].Store(true)
			l.turn.At(1)[1].Store(false)
			onestep.Until(t, func() bool { return !l.turn.At(0)[0].Load() })
			p.MustWait(t)
			l.dw.At(2).Store(false)
			p.MustEnter(t)
			p.Leave()
		})
	}
}

// Line 8 of the exit variant: the doorways hold up a leaving process, not an entering one.
func TestHesselink15ExitWaitsInTheExitSection(t *testing.T) {
	l, err := NewHesselink15Exit(2, shm.Padded, shm.Sequential, newFree)
	require.NoError(t, err)
	l.dw.At(1).Store(true)
	l.Lock(0)
	require.True(t, l.turn.At(0)[0].Load())
	left := make(chan struct{})
	go func() {
		l.Unlock(0)
		close(left)
	}()
	onestep.Until(t, func() bool { return !l.turn.At(0)[0].Load() })
	select {
	case <-left:
		t.Fatal("it left, and should wait")
	default:
	}
	l.dw.At(1).Store(false)
	<-left
}

// Line 4: an odd turn holds up who saw it, -1 is odd, and an even one is no process's.
func TestHesselink24WaitsForOddTurns(t *testing.T) {
	l, err := NewHesselink24(2, shm.Padded, shm.Sequential, newFree)
	require.NoError(t, err)
	for turn := int32(-1); turn <= 5; turn++ {
		l.turn.At(1).Store(turn)
		p := onestep.Enter(l, 0)
		if turn%2 != 0 {
			onestep.Until(t, func() bool { return l.turn.At(0).Load()%2 > 0 })
			p.MustWait(t)
			l.turn.At(1).Store(turn + 1)
		}
		p.MustEnter(t)
		require.Zero(t, l.turn.At(0).Load()%2)
		p.Leave()
	}
}

// Lines 1, 3 and 6: three odd turns and three even ones, one after another.
func TestHesselink24Turns(t *testing.T) {
	l, err := NewHesselink24(1, shm.Padded, shm.Sequential, newFree)
	require.NoError(t, err)
	for _, want := range []int32{2, 4, 0, 2} {
		l.Lock(0)
		l.Unlock(0)
		require.Equal(t, want, l.turn.At(0).Load())
	}
}

// Lines 3, 5 and 8 of Aravind's third figure.
func TestAravindF3WaitsForTheTurnThatItSaw(t *testing.T) {
	l, err := NewAravindF3(2, shm.Padded, shm.Sequential)
	require.NoError(t, err)
	for _, turn := range []uint32{1, 2, 3, 1} {
		l.T.At(1).Store(turn)
		p := onestep.Enter(l, 0)
		onestep.Until(t, func() bool { return l.T.At(0).Load() == turn && !l.inner.Flag(0).Load() })
		p.MustWait(t)
		l.T.At(1).Store(turn%3 + 1)
		p.MustEnter(t)
		p.Leave()
		require.Zero(t, l.T.At(0).Load())
	}
}

// Line 4: a process waits for those that were served before it, and for no others.
func TestAravindBLRUWaitsForEarlierDates(t *testing.T) {
	l, err := NewAravindBLRU(3, shm.Packed, shm.Sequential)
	require.NoError(t, err)
	l.flag.At(0).Store(true)
	l.flag.At(2).Store(true)
	p := onestep.Enter(l, 1)
	p.MustWait(t)
	l.date.At(0).Store(3)
	p.MustEnter(t)
	p.Leave()
	require.Equal(t, uint32(4), l.date.At(1).Load())
}

// Lines 8 to 10: 2n-1 is the last date; then they begin again.
func TestAravindBLRUDatesBeginAgain(t *testing.T) {
	l, err := NewAravindBLRU(2, shm.Packed, shm.Sequential)
	require.NoError(t, err)
	for _, want := range [][2]uint32{{2, 1}, {0, 1}, {2, 1}} {
		l.Lock(0)
		l.Unlock(0)
		require.Equal(t, want, [2]uint32{l.date.At(0).Load(), l.date.At(1).Load()})
	}
}

// Over its form, line 4 waits for a later process too that may be inside.
func TestAravindBLRUAltWaitsForStages(t *testing.T) {
	l, err := NewAravindBLRUAlt(2, shm.Packed, shm.Sequential)
	require.NoError(t, err)
	l.flag.At(1).Store(true)
	l.stage.At(1).Store(true)
	p := onestep.Enter(l, 0)
	p.MustWait(t)
	require.False(t, l.stage.At(0).Load())
	l.stage.At(1).Store(false)
	p.MustEnter(t)
}

// A wrapper hands on why there is no inner lock.
func TestWrappersReturnTheInnerError(t *testing.T) {
	broken := errors.New("no lock today")
	inner := func(int) (shm.Mutex, error) { return nil, broken }
	_, err := Over(2, inner)
	require.ErrorIs(t, err, broken)
	_, err = NewLycklamaHadzilacos(2, shm.Packed, shm.Sequential, inner)
	require.ErrorIs(t, err, broken)
	_, err = NewLycklamaBuhr(2, shm.Packed, shm.Sequential, inner)
	require.ErrorIs(t, err, broken)
	_, err = NewHesselink15(2, shm.Packed, shm.Sequential, inner)
	require.ErrorIs(t, err, broken)
	_, err = NewHesselink15Exit(2, shm.Packed, shm.Sequential, inner)
	require.ErrorIs(t, err, broken)
	_, err = NewAravindF4(2, shm.Packed, shm.Sequential, inner)
	require.ErrorIs(t, err, broken)
}
