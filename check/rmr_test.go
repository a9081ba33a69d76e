package check

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/catalog"
	"shmbench/check/internal/explore"
	"shmbench/check/internal/model"
	"shmbench/shm"
)

// TestColdCaches: a passage among others costs what it costs with all copies of
// earlier passages, wherever the first passage is said to be the worst; and never
// more than from an empty cache.
func TestColdCaches(t *testing.T) {
	src, err := Open(t.Context(), "", "shmbench/catalog")
	require.NoError(t, err)
	exact := 0
	for _, a := range catalog.All() {
		if a.VariantOf != "" || a.Class&shm.Opaque != 0 {
			continue
		}
		s := src.algorithm("All", a)
		lock, err := model.Learn(t.Context(), s.build, 2, model.Options{Marks: s.marks})
		require.NoError(t, err)
		x := exploreAll(t.Context(), s, lock, explore.Options{Workers: 1})
		for pid := range x.n {
			cold, full := explore.NewCold(x.sys, pid), explore.NewCached(x.sys, pid, false)
			coldSpace, fullSpace := alike(t.Context(), x, cold), alike(t.Context(), x, full)
			for _, writeBack := range []bool{false, true} {
				most, first, ok := passage(coldSpace, pid, func(s []uint64) bool { return cold.Remote(s, writeBack) })
				require.True(t, ok)
				want, _, ok := passage(fullSpace, pid, func(s []uint64) bool { return full.Remote(s, writeBack) })
				require.True(t, ok)
				if most == first {
					require.Equal(t, want, most, "%s, process %d, write-back %t", a.Name, pid, writeBack)
					exact++
				} else if most >= 0 {
					require.LessOrEqual(t, want, most, "%s, process %d, write-back %t", a.Name, pid, writeBack)
				}
			}
		}
	}
	require.Greater(t, exact, 20)
}
