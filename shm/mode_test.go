package shm_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/shm"
)

// calls is a lock that notes what is called; what may fail does.
type calls []string

func (c *calls) Lock(int)         { *c = append(*c, "Lock") }
func (c *calls) Unlock(int)       { *c = append(*c, "Unlock") }
func (c *calls) RLock(int)        { *c = append(*c, "RLock") }
func (c *calls) RUnlock(int)      { *c = append(*c, "RUnlock") }
func (c *calls) TryLock(int) bool { *c = append(*c, "TryLock"); return false }
func (c *calls) TryRLock(int) bool {
	*c = append(*c, "TryRLock")
	return false
}
func (c *calls) LockUntil(_ int, giveUp func() bool) bool {
	*c = append(*c, "LockUntil")
	return !giveUp()
}

// Each is a lock with the modes that its embedded interfaces have, and no other.
type (
	onlyRW    struct{ shm.RWMutex }
	onlyTry   struct{ shm.TryMutex }
	onlyUntil struct{ shm.AbortableMutex }
	rwTry     struct {
		shm.RWMutex
		try
	}
	rwUntil struct {
		shm.RWMutex
		until
	}
	tryUntil struct {
		shm.TryMutex
		until
	}
	tryRW    struct{ shm.TryRWMutex }
	tryRWTry struct {
		shm.TryRWMutex
		try
	}
	tryRWUntil struct {
		shm.TryRWMutex
		until
	}
	rwTryUntil struct {
		shm.RWMutex
		try
		until
	}
	try   struct{ c *calls }
	until struct{ c *calls }
)

func (t try) TryLock(i int) bool                    { return t.c.TryLock(i) }
func (u until) LockUntil(i int, g func() bool) bool { return u.c.LockUntil(i, g) }

// A checked lock has the modes of the lock, and each makes the calls that it names.
func TestModes(t *testing.T) {
	c := new(calls)
	for _, lock := range []struct {
		m    shm.Mutex
		want []shm.Mode
	}{
		{struct{ shm.Mutex }{c}, []shm.Mode{shm.Exclusive}},
		{onlyRW{c}, []shm.Mode{shm.Exclusive, shm.Shared}},
		{onlyTry{c}, []shm.Mode{shm.Exclusive, shm.Try}},
		{onlyUntil{c}, []shm.Mode{shm.Exclusive, shm.Until}},
		{rwTry{c, try{c}}, []shm.Mode{shm.Exclusive, shm.Shared, shm.Try}},
		{rwUntil{c, until{c}}, []shm.Mode{shm.Exclusive, shm.Shared, shm.Until}},
		{tryUntil{c, until{c}}, []shm.Mode{shm.Exclusive, shm.Try, shm.Until}},
		{rwTryUntil{c, try{c}, until{c}}, []shm.Mode{shm.Exclusive, shm.Shared, shm.Try, shm.Until}},
		{tryRW{c}, []shm.Mode{shm.Exclusive, shm.Shared, shm.TryShared}},
		{tryRWTry{c, try{c}}, []shm.Mode{shm.Exclusive, shm.Shared, shm.Try, shm.TryShared}},
		{tryRWUntil{c, until{c}}, []shm.Mode{shm.Exclusive, shm.Shared, shm.Until, shm.TryShared}},
		{c, []shm.Mode{shm.Exclusive, shm.Shared, shm.Try, shm.Until, shm.TryShared}},
	} {
		for _, m := range []shm.Mutex{lock.m, shm.Checked(lock.m, 1)} {
			require.Equal(t, lock.want, shm.Modes(m))
			for _, mode := range lock.want {
				*c = nil
				entered := mode.Enter(m, 0, func() bool { return true })
				require.Equal(t, !mode.MayFail(), entered, mode)
				enter, leave := mode.Calls()
				want := calls{enter}
				if entered {
					mode.Leave(m, 0)
					want = append(want, leave)
				}
				require.Equal(t, want, *c, mode)
			}
		}
	}
}

func TestConflicts(t *testing.T) {
	all := shm.Modes(new(calls))
	for _, a := range all {
		for _, b := range all {
			reads := func(m shm.Mode) bool { return m == shm.Shared || m == shm.TryShared }
			require.Equal(t, !reads(a) || !reads(b), a.Conflicts(b), "%v and %v", a, b)
		}
	}
	require.Equal(t, "until", shm.Until.String())
	require.Equal(t, "mode 9", shm.Mode(9).String())
}

// TestKindsOfModes: readers share, and an entry call that does not wait, or that can be given up,
// may fail.
func TestKindsOfModes(t *testing.T) {
	for _, c := range []struct {
		mode                  shm.Mode
		reads, tries, mayFail bool
	}{
		{shm.Exclusive, false, false, false}, {shm.Shared, true, false, false}, {shm.Try, false, true, true},
		{shm.Until, false, false, true}, {shm.TryShared, true, true, true},
	} {
		require.Equal(t, c.reads, c.mode.Reads(), "%v", c.mode)
		require.Equal(t, c.tries, c.mode.Tries(), "%v", c.mode)
		require.Equal(t, c.mayFail, c.mode.MayFail(), "%v", c.mode)
	}
}

// A checked lock says by which call a critical section is left.
func TestCheckedLeaving(t *testing.T) {
	m := shm.Checked(new(calls), 2).(shm.RWMutex)
	m.RLock(1)
	require.PanicsWithValue(t, "shm: Unlock(1): process 1 leaves this critical section by RUnlock", func() { m.Unlock(1) })
	m.Lock(0)
	require.PanicsWithValue(t, "shm: RUnlock(0): process 0 leaves this critical section by Unlock", func() { m.RUnlock(0) })
	require.PanicsWithValue(t, "shm: RUnlock(2): process ids are 0 to 1", func() { m.RUnlock(2) })
}
