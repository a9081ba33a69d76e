package shm_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/shm"
)

func TestGrowth(t *testing.T) {
	for _, c := range []struct {
		f      shm.Formula
		text   string
		values map[int]int
		growth shm.Growth
	}{
		{shm.Const(4), "4", map[int]int{1: 4, 2: 4, 1000: 4}, shm.ConstantGrowth},
		{shm.Linear(1, 0), "n", map[int]int{1: 1, 7: 7}, shm.LinearGrowth},
		{shm.Linear(1, -1), "n-1", map[int]int{1: 0, 7: 6}, shm.LinearGrowth},
		{shm.Linear(2, 3), "2n+3", map[int]int{2: 7, 10: 23}, shm.LinearGrowth},
		{shm.Logarithmic(1, 0), "⌈log2 n⌉", map[int]int{1: 0, 2: 1, 3: 2, 4: 2, 5: 3, 1024: 10}, shm.LogarithmicGrowth},
		{shm.Logarithmic(2, 3), "2⌈log2 n⌉+3", map[int]int{2: 5, 3: 7, 4: 7, 64: 15}, shm.LogarithmicGrowth},
		{shm.Formula{}, "unbounded", map[int]int{2: shm.Unbounded}, shm.NoBound},
		{shm.UpTo(2, shm.Const(3), shm.NPlus1), "3 for n<=2, else n+1", map[int]int{2: 3, 3: 4, 9: 10}, shm.LinearGrowth},
		{shm.Found(12, 20), "12, 20 for n=2,3", map[int]int{1: shm.Unknown, 2: 12, 3: 20, 4: shm.Unknown}, shm.UnknownGrowth},
		{shm.UpTo(2, shm.Const(3), shm.Formula{}), "3 for n<=2, else unbounded", map[int]int{2: 3, 3: shm.Unbounded}, shm.NoBound},
	} {
		require.Equal(t, c.text, c.f.String())
		require.Equal(t, c.growth, c.f.Growth(), c.text)
		for n, want := range c.values {
			require.Equal(t, want, c.f.Of(n), "%s for n = %d", c.text, n)
		}
	}
}
