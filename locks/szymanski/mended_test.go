package szymanski

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/internal/testkit/onestep"
	"shmbench/shm"
)

// A process waits in front of the first door while s is set, inside while a is, at the
// second door while w is, and for a lower number.
func TestMendedDoors(t *testing.T) {
	l, err := NewMended(3, shm.Padded, shm.Sequential)
	require.NoError(t, err)
	bits := func(a, w, s bool) {
		t.Helper()
		onestep.Until(t, func() bool { return l.a.At(1).Load() == a && l.w.At(1).Load() == w && l.s.At(1).Load() == s })
	}
	l.s.At(2).Store(true)
	p := onestep.Enter(l, 1)
	bits(true, false, false)
	p.MustWait(t)

	l.a.At(0).Store(true)
	l.s.At(2).Store(false)
	bits(false, true, false)
	p.MustWait(t)
	l.w.At(2).Store(true)
	l.s.At(2).Store(true)
	p.MustWait(t)
	require.False(t, l.s.At(1).Load(), "2 is not through the second door")

	l.w.At(0).Store(true)
	l.a.At(0).Store(false)
	bits(false, false, true)
	p.MustWait(t)
	l.w.At(2).Store(false)
	p.MustWait(t)
	l.s.At(0).Store(true)
	l.w.At(0).Store(false)
	p.MustWait(t)
	l.s.At(0).Store(false)
	p.MustEnter(t)
	p.Leave()
	bits(false, false, false)
}
