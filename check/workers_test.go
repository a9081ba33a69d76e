package check

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check/internal/analyse"
	"shmbench/check/internal/automaton"
	"shmbench/check/internal/explore"
	"shmbench/check/internal/interp"
)

// TestWorkersAgree: one worker and several find the same out about a graph that
// is large enough for all of them.
func TestWorkersAgree(t *testing.T) {
	if testing.Short() {
		t.Skip("465,441 states")
	}
	c := learned(t, "bakery/lamport", 3, 3)
	g := explore.Run(t.Context(), c.sys, explore.Options{Workers: 2, Keep: true})
	require.Equal(t, 465441, g.States)
	type found struct {
		bypass      analyse.Bypass
		most, first int
		waits       int
	}
	var want []found
	for _, workers := range []int{1, 3} {
		s := analyse.New(g, 3, workers, c.section)
		require.Nil(t, s.Deadlock())
		var got []found
		for pid := range 3 {
			var f found
			require.Nil(t, s.Stays(pid, interp.Entry, func(uint32) { f.waits++ }))
			f.bypass = s.Bypass(pid, func(id uint32) bool { return c.sys.Local(g.State(id), pid).Mark&automaton.PastDoorway != 0 })
			f.most, f.first = s.Passage(pid, func(id uint32) int32 { return int32(c.sys.Local(g.State(id), pid).Kind & 1) })
			got = append(got, f)
		}
		if want == nil {
			want = got
		}
		require.Equal(t, want, got)
	}
	require.Equal(t, 2, want[0].bypass.PastDoorway)
	require.Greater(t, want[0].bypass.FromStart, 2)
	require.False(t, want[0].bypass.Overtaken)
	require.Positive(t, want[0].waits)
}
