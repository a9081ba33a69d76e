package peterson

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/internal/testkit/onestep"
	"shmbench/shm"
)

// Lines 3 to 6: process 0 makes the bits t equal and process 1 makes them differ; each
// then waits for the other's bit of that name, and raises its own for the contrary.
func TestAndersonWaitsForOneBit(t *testing.T) {
	for i := range 2 {
		for _, bit := range []uint32{0, 1} {
			l, err := NewAnderson(2, shm.Packed, shm.Sequential)
			require.NoError(t, err)
			l.p[1-i].Store(0)
			l.q[1-i].Store(0)
			l.t[1-i].Store(bit)
			p := onestep.Enter(l, i)
			onestep.Until(t, func() bool { return l.p[i].Load() != l.q[i].Load() && l.t[i].Load() == bit^uint32(i) })
			p.MustWait(t)
			named, other := l.p[1-i], l.q[1-i]
			if bit^uint32(i) == 0 {
				named, other = other, named
			}
			other.Store(1)
			p.MustWait(t)
			named.Store(1)
			p.MustEnter(t)
			p.Leave()
			require.EqualValues(t, 1, l.p[i].Load())
			require.EqualValues(t, 1, l.q[i].Load())
		}
	}
}
