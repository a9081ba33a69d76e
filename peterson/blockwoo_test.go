package peterson

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/internal/testkit/onestep"
	"shmbench/shm"
)

func newBlockWoo(t *testing.T) *BlockWooMutex {
	l, err := NewBlockWoo(4, shm.Padded, shm.Sequential)
	require.NoError(t, err)
	return l
}

// Line 4: of t processes each goes through t levels at most, and enters at once.
func TestBlockWooCounts(t *testing.T) {
	l := newBlockWoo(t)
	l.q.At(3).Store(true)
	p := onestep.Enter(l, 1)
	onestep.Until(t, func() bool { return l.turn.At(0).Load() == 1 })
	p.MustWait(t)
	require.Zero(t, l.turn.At(1).Load())
	l.turn.At(0).Store(3) // another comes to level 1
	p.MustEnter(t)
	require.EqualValues(t, 1, l.turn.At(1).Load(), "level 2 lets two in")
	require.Zero(t, l.turn.At(2).Load())
	p.Leave()
	require.False(t, l.q.At(1).Load())
}

// Lines 3 and 4: on the last level it is either the turn or the others' bits.
func TestBlockWooLastLevel(t *testing.T) {
	for _, byTurn := range []bool{true, false} {
		l := newBlockWoo(t)
		for _, k := range []int{0, 1, 3} {
			l.q.At(k).Store(true)
		}
		p := onestep.Enter(l, 2)
		for j := range 2 {
			onestep.Until(t, func() bool { return l.turn.At(j).Load() == 2 })
			p.MustWait(t)
			l.turn.At(j).Store(0)
		}
		onestep.Until(t, func() bool { return l.turn.At(2).Load() == 2 })
		p.MustWait(t)
		if byTurn {
			l.turn.At(2).Store(0)
		} else {
			l.q.At(0).Store(false)
		}
		p.MustEnter(t)
		p.Leave()
	}
}
