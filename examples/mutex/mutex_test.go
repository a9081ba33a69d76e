package mutex

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/internal/testkit/onestep"
	"shmbench/shm"
)

// counted counts the calls of a lock.
type counted struct{ locks, unlocks int }

func (c *counted) Lock(int)   { c.locks++ }
func (c *counted) Unlock(int) { c.unlocks++ }

// TestTwice: one call is two of the lock below, and the other call is one.
func TestTwice(t *testing.T) {
	var c counted
	(&lockedTwice{&c}).Lock(0)
	(&lockedTwice{&c}).Unlock(0)
	require.Equal(t, counted{2, 1}, c)
	c = counted{}
	(&unlockedTwice{&c}).Lock(0)
	(&unlockedTwice{&c}).Unlock(0)
	require.Equal(t, counted{1, 2}, c)
}

// TestOtherProcessWaits: where the second call does no harm, a lock keeps the other process
// out until the first one leaves.
func TestOtherProcessWaits(t *testing.T) {
	for name, build := range map[string]func(n int) (shm.Mutex, error){
		"LockTwicePeterson":   LockTwicePeterson,
		"UnlockTwiceTAS":      UnlockTwiceTAS,
		"UnlockTwicePeterson": UnlockTwicePeterson,
		"MapStoresInside":     MapStoresInside,
		"GoMap":               GoMap,
		"TestThenSet":         func(n int) (shm.Mutex, error) { return TestThenSet(n), nil },
		"TwoLocksInOrder":     func(n int) (shm.Mutex, error) { return TwoLocksInOrder(n), nil },
	} {
		l, err := build(2)
		require.NoError(t, err, name)
		for i := range 2 {
			l.Lock(i)
			p := onestep.Enter(l, 1-i)
			p.MustWait(t)
			l.Unlock(i)
			p.MustEnter(t)
			p.Leave()
		}
	}
}

// TestStores: a store that begins during another one, or ends without a beginning, is a panic.
func TestStores(t *testing.T) {
	m := MapStores(2)
	for i := range 2 {
		m.Lock(i)
		m.Unlock(i)
	}
	require.PanicsWithValue(t, "concurrent map writes", func() { m.Unlock(0) })
	m.Lock(0)
	require.PanicsWithValue(t, "concurrent map writes", func() { m.Lock(1) })
	m.Unlock(0)
	m.Lock(1)
}

// TestStoresInside: a store begins after the lock is taken, and ends before it is released.
func TestStoresInside(t *testing.T) {
	var c counted
	g := &guarded{mutex: &c}
	g.m.Lock(0)
	require.Panics(t, func() { g.Lock(1) })
	require.Equal(t, counted{1, 0}, c)
	g.m.Unlock(0)
	require.Panics(t, func() { g.Unlock(1) })
	require.Equal(t, counted{1, 0}, c)
}

// TestOrderOfTwoLocks: processes take two locks in opposite orders, or all in one order.
func TestOrderOfTwoLocks(t *testing.T) {
	for i, first := range []int{0, 1} {
		var l twoLocksOpposite
		l.m[1-first].Store(true)
		p := onestep.Enter(&l, i)
		p.MustWait(t)
		require.True(t, l.m[first].Load())
		l.m[1-first].Store(false)
		p.MustEnter(t)
		require.True(t, l.m[0].Load() && l.m[1].Load())
		p.Leave()
		require.False(t, l.m[0].Load() || l.m[1].Load())
	}
	for i := range 2 {
		var l twoLocksInOrder
		l.m[1].Store(true)
		p := onestep.Enter(&l, i)
		p.MustWait(t)
		require.True(t, l.m[0].Load())
		l.m[1].Store(false)
		p.MustEnter(t)
		require.True(t, l.m[0].Load() && l.m[1].Load())
		p.Leave()
		require.False(t, l.m[0].Load() || l.m[1].Load())
	}
}
