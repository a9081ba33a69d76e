package burns

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/internal/testkit/onestep"
	"shmbench/shm"
)

// Lines 3 and 4 of the one-bit lock: who finds a lower process takes its bit back
// and waits for that one only.
func TestOneBitWaitsForOne(t *testing.T) {
	l, err := NewOneBit(3, shm.Padded, shm.Sequential)
	require.NoError(t, err)
	l.x.At(1).Store(true)
	p := onestep.Enter(l, 2)
	p.MustWait(t)
	onestep.Until(t, func() bool { return !l.x.At(2).Load() })
	l.x.At(1).Store(false)
	p.MustEnter(t)
	require.True(t, l.x.At(2).Load())
	p.Leave()
}

// Line 5: for higher ones it waits with its bit set.
func TestOneBitWaitsForTheHigher(t *testing.T) {
	l, err := NewOneBit(3, shm.Padded, shm.Sequential)
	require.NoError(t, err)
	l.x.At(2).Store(true)
	p := onestep.Enter(l, 0)
	onestep.Until(t, func() bool { return l.x.At(0).Load() })
	p.MustWait(t)
	l.x.At(2).Store(false)
	p.MustEnter(t)
	p.Leave()
}

// Line 3 of the three-bit lock, against the paper's definition: f is the least of
// those with y set at which the cyclic order of their z changes.
func TestThreeBitFirst(t *testing.T) {
	const n = 4
	l, err := NewThreeBit(n, shm.Packed, shm.Sequential)
	require.NoError(t, err)
	for bits := range 1 << (2 * n) {
		var in []int
		for j := range n {
			y, z := bits>>j&1 == 1, bits>>(n+j)&1 == 1
			l.y.At(j).Store(y)
			l.z.At(j).Store(z)
			if y {
				in = append(in, j)
			}
		}
		if len(in) == 0 {
			continue // a process that looks has y set itself
		}
		z := func(k int) bool { return l.z.At(in[k]).Load() }
		k := slices.IndexFunc(in, func(j int) bool {
			k := slices.Index(in, j)
			if k == 0 {
				return z(0) == z(len(in)-1)
			}
			return z(k) != z(k-1)
		})
		require.Equal(t, in[k], l.first(), "y, z = %08b", bits)
	}
}

// Lines 4 and 5: a process that stands behind another in the ring takes x back, and enters
// when that one has left.
func TestThreeBitStandsBehind(t *testing.T) {
	l, err := NewThreeBit(3, shm.Padded, shm.Sequential)
	require.NoError(t, err)
	l.y.At(0).Store(true)
	p := onestep.Enter(l, 1)
	p.MustWait(t)
	onestep.Until(t, func() bool { return l.y.At(1).Load() && !l.x.At(1).Load() })
	l.z.At(0).Store(true)
	p.MustEnter(t)
	require.True(t, l.x.At(1).Load())
	p.Leave()
	require.True(t, l.z.At(1).Load())
	require.False(t, l.x.At(1).Load() || l.y.At(1).Load())
}

// Line 7: a process that is first waits for the x of those behind it.
func TestThreeBitWaitsForThoseBehind(t *testing.T) {
	l, err := NewThreeBit(3, shm.Padded, shm.Sequential)
	require.NoError(t, err)
	l.x.At(2).Store(true)
	p := onestep.Enter(l, 0)
	onestep.Until(t, func() bool { return l.x.At(0).Load() })
	p.MustWait(t)
	require.True(t, l.x.At(0).Load())
	l.x.At(2).Store(false)
	p.MustEnter(t)
	p.Leave()
}

// What is claimed of the bypass is what check finds.
func TestThreeBitBypass(t *testing.T) {
	for n, want := range map[int]int{1: 0, 2: 2, 3: 8, 4: shm.Unbounded} {
		require.Equal(t, want, threeBitBypass(n))
	}
}
