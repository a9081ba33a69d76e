package tournament

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/internal/testkit/onestep"
	"shmbench/shm"
)

// Lines 8 to 10: the last process to come waits for 1 and then for 2, of its own p, and
// writes 1 into its rival's unless that has been written; line 13 writes 2.
func TestYangAndersonIsWokenTwice(t *testing.T) {
	l, err := NewYangAnderson(2, shm.Packed, shm.Sequential)
	require.NoError(t, err)
	l.c.At(2).Store(1) // process 0 is there
	p := onestep.Enter(l, 1)
	onestep.Until(t, func() bool { return l.p[0].At(0).Load() == 1 })
	p.MustWait(t)
	l.p[0].At(1).Store(1)
	p.MustWait(t)
	l.p[0].At(1).Store(2)
	p.MustEnter(t)
	require.EqualValues(t, 1, l.t.At(1).Load())
	l.t.At(1).Store(0) // process 0 comes back
	p.Leave()
	require.EqualValues(t, 2, l.p[0].At(0).Load())
	require.Zero(t, l.c.At(3).Load())
}

// Line 9: a process that finds after line 8 that its rival came later enters.
func TestYangAndersonEntersBeforeWhoCameLater(t *testing.T) {
	l, err := NewYangAnderson(2, shm.Packed, shm.Sequential)
	require.NoError(t, err)
	l.c.At(3).Store(2) // process 1 is there
	p := onestep.Enter(l, 0)
	onestep.Until(t, func() bool { return l.p[0].At(1).Load() == 1 })
	p.MustWait(t)
	l.t.At(1).Store(1)
	l.p[0].At(0).Store(1)
	p.MustEnter(t)
}

// In the minimal tree of five, processes 3 and 4 pass three nodes, and the others
// two: each level has its own p.
func TestYangAndersonHasAPForEachLevel(t *testing.T) {
	l, err := NewYangAnderson(5, shm.Packed, shm.Sequential)
	require.NoError(t, err)
	require.Len(t, l.p, 3)
	for i := range 5 {
		for s := range l.p {
			l.p[s].At(i).Store(2)
		}
		l.Lock(i)
		left := 0
		for s := range l.p {
			left += int(l.p[s].At(i).Load())
		}
		require.Equal(t, map[bool]int{true: 0, false: 2}[i >= 3], left, "process %d", i)
		l.Unlock(i)
	}
}

// Line 3: of three processes, process 2 meets two at the root, and waits for either
// as long as its flag is at level 2 or turn is its own side.
func TestLynchLooksAtTheOtherSide(t *testing.T) {
	l, err := NewLynch(3, shm.Packed, shm.Sequential)
	require.NoError(t, err)
	l.flag.At(0).Store(1) // below the root
	l.flag.At(1).Store(2)
	p := onestep.Enter(l, 2)
	onestep.Until(t, func() bool { return l.flag.At(2).Load() == 2 && l.turn.At(1).Load() == 1 })
	p.MustWait(t)
	l.turn.At(1).Store(0)
	p.MustEnter(t)
	p.Leave()
	require.Zero(t, l.flag.At(2).Load())
}

// Line 5: of three processes, process 2 makes its bit differ from that of the first on
// the other side that is at the root, and waits while it differs, or while a process is
// above.
func TestPetersonFischerLooksAtTheFirst(t *testing.T) {
	const level1, level2 = 2, 4
	for bit := range uint32(2) {
		l, err := NewPetersonFischer(3, shm.Packed, shm.Sequential)
		require.NoError(t, err)
		l.q.At(0).Store(level1 + bit) // below the root
		l.q.At(1).Store(level2 + bit)
		p := onestep.Enter(l, 2)
		onestep.Until(t, func() bool { return l.q.At(2).Load() == level2+1-bit })
		p.MustWait(t)
		l.q.At(1).Store(level2 + 1 - bit)
		p.MustEnter(t)
		p.Leave()
		require.Zero(t, l.q.At(2).Load())
	}
}

// Line 1: where no process is, the bit is 1.
func TestPetersonFischerAlone(t *testing.T) {
	l, err := NewPetersonFischer(4, shm.Packed, shm.Sequential)
	require.NoError(t, err)
	l.Lock(3)
	require.EqualValues(t, 5, l.q.At(3).Load())
	l.Unlock(3)
	require.Zero(t, l.q.At(3).Load())
}

// Lines 4 to 9: the left side waits until the right side has looked; the right side
// lets it go, and looks again each time that its own bit is 0.
func TestZhangLetsTheLeftSideGo(t *testing.T) {
	l, err := NewZhang(2, shm.Packed, shm.Sequential)
	require.NoError(t, err)
	l.x.At(3).Store(2) // process 1 is there
	left := onestep.Enter(l, 0)
	onestep.Until(t, func() bool { return l.c[0].At(0).Load() == 1 })
	left.MustWait(t)
	right := onestep.Enter(l, 1)
	left.MustEnter(t)
	right.MustWait(t)
	l.c[0].At(1).Store(0)
	right.MustWait(t)
	left.Leave()
	right.MustEnter(t)
	right.Leave()
	require.Zero(t, l.x.At(2).Load()+l.x.At(3).Load())
}
