package elevator

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/internal/testkit/onestep"
	"shmbench/shm"
)

func build[T shm.Mutex](t *testing.T, spec shm.Algorithm, n int) T {
	t.Helper()
	m, err := spec.New(n)
	require.NoError(t, err)
	return m.(T)
}

// Lines 1 and 6: a process that does not lead waits for its own id, and for no other.
func TestAFollowerWaitsForItsTurn(t *testing.T) {
	l := build[*LinearMutex](t, Linear(shm.Padded, shm.Sequential), 3)
	require.True(t, l.trylock.try(0))
	first := l.turn.(*firstTurn).first
	p := onestep.Enter(l, 1)
	p.MustWait(t)
	require.True(t, l.apply.At(1).Load())
	require.EqualValues(t, 3, first.Load(), "nobody's")
	first.Store(2)
	p.MustWait(t)
	first.Store(1)
	p.MustEnter(t)
	p.Leave()
	require.False(t, l.apply.At(1).Load())
	require.EqualValues(t, 3, first.Load())
}

// Lines 3 to 5: a leader waits until it is no process's turn, or its own, and then lets
// others lead.
func TestALeaderTakesTheTurn(t *testing.T) {
	for _, whose := range []uint32{1, 3} {
		l := build[*LinearMutex](t, Linear(shm.Padded, shm.Sequential), 3)
		first := l.turn.(*firstTurn).first
		first.Store(0)
		p := onestep.Enter(l, 1)
		p.MustWait(t)
		require.False(t, l.trylock.try(2), "1 leads")
		first.Store(whose)
		p.MustEnter(t)
		require.EqualValues(t, 1, first.Load())
		require.True(t, l.trylock.try(2))
	}
}

// Line 7: the scan goes upwards and round.
func TestTheNextIsTheFirstInTheCycle(t *testing.T) {
	l := build[*LinearMutex](t, Linear(shm.Padded, shm.Sequential), 4)
	require.Equal(t, 4, l.next(1), "none")
	l.apply.At(1).Store(true)
	require.Equal(t, 4, l.next(1), "it does not find itself")
	l.apply.At(0).Store(true)
	require.Equal(t, 0, l.next(1))
	l.apply.At(3).Store(true)
	require.Equal(t, 3, l.next(1))
	require.Equal(t, 0, l.next(3))
}

// With flags, a process's own is true for its turn, and false when it has taken it.
func TestFlags(t *testing.T) {
	l := build[*LinearMutex](t, Flag(shm.Padded, shm.Sequential), 3)
	turn := l.turn.(*flagTurn)
	require.True(t, turn.flag.At(3).Load(), "nobody's turn")
	l.Lock(2)
	require.False(t, turn.flag.At(3).Load())
	p := onestep.Enter(l, 0)
	onestep.Until(t, func() bool { return l.apply.At(0).Load() })
	p.MustWait(t)
	turn.flag.At(1).Store(true)
	p.MustWait(t)
	turn.flag.At(1).Store(false)
	l.Unlock(2)
	p.MustEnter(t)
	require.False(t, turn.flag.At(0).Load())
	require.False(t, turn.flag.At(3).Load())
	p.Leave()
	require.True(t, turn.flag.At(3).Load())
}

// A weak trylock fails while a process that goes before is in its own, although
// fast is false.
func TestWeakTrylocks(t *testing.T) {
	b := byBurnsLynch.newTrylock(3, shm.Padded, false).weak.(*burnsLynchTrylock)
	b.b.At(0).Store(true)
	require.False(t, b.try(1))
	require.False(t, b.b.At(1).Load())
	b.b.At(0).Store(false)
	require.True(t, b.try(1))

	f := byLamport.newTrylock(3, shm.Padded, false).weak.(*lamportTrylock)
	f.y.Store(0)
	require.False(t, f.try(1))
	require.False(t, f.b.At(1).Load())
	f.y.Store(3)
	require.True(t, f.try(1))
	require.EqualValues(t, 3, f.y.Load())

	for _, weak := range []trylock{{b.fast, b}, {f.fast, f}} {
		require.False(t, weak.try(2), "1 leads")
		weak.reset()
		require.True(t, weak.try(2))
	}
}

// Lines 1 and 7 to 11: an id is on its path to the root while its process waits, and
// the process that leaves finds it from the nodes beside its own path, once.
func TestTreePaths(t *testing.T) {
	l := build[*TreeMutex](t, Tree(shm.Padded, shm.Sequential), 4)
	vals := func() (all []uint32) {
		for v := 2; v <= 8; v++ {
			all = append(all, l.vals.At(v).Load())
		}
		return all
	}
	require.Equal(t, []uint32{4, 4, 4, 4, 4, 4, 4}, vals())
	l.Lock(0)
	require.Equal(t, []uint32{0, 4, 4, 4, 4, 4, 4}, vals(), "its leaf is empty again")
	p, q := onestep.Enter(l, 3), (*onestep.Process)(nil)
	onestep.Until(t, func() bool { return l.vals.At(3).Load() == 3 })
	p.MustWait(t)
	q = onestep.Enter(l, 1)
	onestep.Until(t, func() bool { return l.vals.At(2).Load() == 1 })
	q.MustWait(t)
	require.Equal(t, []uint32{1, 3, 4, 1, 4, 3, 4}, vals())
	l.Unlock(0)
	p.MustEnter(t)
	require.Equal(t, []uint32{1, 3, 4, 4, 4, 4, 4}, vals(), "both are in the queue")
	q.MustWait(t)
	p.Leave()
	q.MustEnter(t)
	q.Leave()
	require.EqualValues(t, 4, l.turn.(*firstTurn).first.Load())
}

func TestTreeFormulas(t *testing.T) {
	for n, bypass := range map[int]int{1: 0, 2: 1, 3: 3, 4: 5, 5: 9, 6: 11, 7: 15, 8: 17, 1024: 1024*9 + 1} {
		require.Equal(t, bypass, treeBypass(n), n)
	}
	for n, values := range map[int]int{1: 1, 2: 2, 3: 3, 4: 3, 5: 4, 6: 5, 7: 5, 8: 5} {
		require.Equal(t, values, treeValues(n), n)
	}
}
