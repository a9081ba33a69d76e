package bakery

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/internal/testkit/onestep"
	"shmbench/shm"
)

// Line 5 of Hehner and Shyamasundar's bakery: a process that chooses has the
// smallest ticket, one that is out the largest.
func TestHehnerShyamasundarTickets(t *testing.T) {
	l, err := NewHehnerShyamasundar(3, shm.Padded)
	require.NoError(t, err)
	l.ticket.At(0).Store(0)
	l.ticket.At(2).Store(4)
	p := onestep.Enter(l, 1)
	onestep.Until(t, func() bool { return l.ticket.At(1).Load() == 5 })
	p.MustWait(t)
	l.ticket.At(0).Store(5)
	p.MustWait(t) // the same ticket, and a smaller id
	l.ticket.At(0).Store(infinity)
	p.MustWait(t)
	l.ticket.At(2).Store(5)
	p.MustEnter(t)
	p.Leave()
	require.EqualValues(t, uint64(infinity), l.ticket.At(1).Load())
}

// Line 3 of the black-white bakery: the number is greater than those of the color
// of the day alone. Lines 8 to 10: smaller tickets of the own color come first,
// and those of the other color while the own is the color of the day.
func TestBlackWhiteColours(t *testing.T) {
	const white, black = 0, 1
	l, err := NewBlackWhite(3, shm.Padded, shm.Sequential)
	require.NoError(t, err)
	l.ticket.At(0).Store(2*3 + black)
	l.ticket.At(2).Store(2*1 + white)
	p := onestep.Enter(l, 1)
	onestep.Until(t, func() bool { return l.ticket.At(1).Load() == 2*2+white })
	p.MustWait(t)
	l.ticket.At(2).Store(white)
	p.MustWait(t) // the black ticket comes first
	l.ticket.At(0).Store(black)
	p.MustEnter(t)
	p.Leave()
	require.EqualValues(t, black, l.color.Load())
	require.EqualValues(t, white, l.ticket.At(1).Load())
	for i := range 3 { // numbers begin again with 1
		color := l.color.Load()
		l.Lock(i)
		require.Equal(t, 2+color, l.ticket.At(i).Load())
		l.Unlock(i)
	}
}

// Line 10: when the other color is that of the day, the own comes first.
func TestBlackWhiteTheDayChanges(t *testing.T) {
	l, err := NewBlackWhite(2, shm.Padded, shm.Sequential)
	require.NoError(t, err)
	l.ticket.At(1).Store(2*1 + 1)
	p := onestep.Enter(l, 0)
	p.MustWait(t)
	l.color.Store(1)
	p.MustEnter(t)
}

// Line 4 of the boulangerie: number 1 does not wait for larger ids.
func TestBoulangerieNumberOne(t *testing.T) {
	l, err := NewBoulangerie(3, shm.Padded, shm.Sequential)
	require.NoError(t, err)
	l.flag.At(0).Store(true) // holds the process at line 5
	p := onestep.Enter(l, 1)
	onestep.Until(t, func() bool { return l.num.At(1).Load() == 1 && !l.flag.At(1).Load() })
	l.flag.At(2).Store(true)
	l.num.At(2).Store(1)
	l.flag.At(0).Store(false)
	p.MustEnter(t)
}

// Line 7: a number that has changed lets pass, whatever it is now.
func TestBoulangerieChangedNumber(t *testing.T) {
	l, err := NewBoulangerie(2, shm.Padded, shm.Sequential)
	require.NoError(t, err)
	l.num.At(0).Store(3)
	p := onestep.Enter(l, 1)
	onestep.Until(t, func() bool { return l.num.At(1).Load() == 4 && !l.flag.At(1).Load() })
	p.MustWait(t)
	stop := make(chan struct{})
	defer close(stop)
	go func() {
		for smaller := uint64(1); ; smaller = 3 - smaller {
			select {
			case <-stop:
				return
			default:
				l.num.At(0).Store(smaller)
				runtime.Gosched()
			}
		}
	}()
	p.MustEnter(t)
}

// Lines 3 and 4 of the bounded bakery: tokens that come within n after x count,
// going round, and the next one is taken; line 8: it is after those.
func TestBoundedGoesRound(t *testing.T) {
	l, err := NewBounded(3, shm.Padded, shm.Sequential)
	require.NoError(t, err)
	l.x.Store(4)
	l.token.At(0).Store(1) // 2 after 4, of 5 tokens
	l.token.At(2).Store(2) // 3 after 4, which is before it
	p := onestep.Enter(l, 1)
	onestep.Until(t, func() bool { return l.token.At(1).Load() == 2 })
	p.MustWait(t)
	l.token.At(0).Store(0)
	p.MustEnter(t) // the same token, and a larger id
	p.Leave()
	require.EqualValues(t, 2, l.x.Load())
	require.Zero(t, l.token.At(1).Load())
}
