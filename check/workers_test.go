package check

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check/internal/analyse"
	"shmbench/check/internal/automaton"
	"shmbench/check/internal/explore"
	"shmbench/check/internal/interp"
	"shmbench/internal/testkit/sample"
	"shmbench/shm"
)

// TestWorkersAgree: one worker and several find the same out about a graph that
// is large enough for all of them.
func TestWorkersAgree(t *testing.T) {
	sample.NeedsAll(t)
	c := learned(t, "bakery/lamport", 3, 3)
	g := explore.Run(t.Context(), c.Sys, explore.Options{Workers: 2, Keep: true})
	require.Equal(t, 465_441, g.States)
	type found struct {
		bypass analyse.Bypass
		most   int
		waits  []bool
	}
	var want []found
	for _, workers := range []int{1, 3} {
		c.Opts.Workers = workers
		s := c.SpaceOf(g)
		require.Nil(t, s.Deadlock())
		past := make([][]bool, 3)
		for pid, p := range c.Learned.Model.Procs {
			for _, l := range p.Local {
				past[pid] = append(past[pid], l.Mark&automaton.PastDoorway != 0)
			}
		}
		bypasses := s.Bypasses(past, shm.Exclusive)
		reads := func(id uint32, pid int) bool { return c.Sys.Local(g.State(id), pid).Kind&automaton.Reads != 0 }
		var got []found
		for pid := range 3 {
			require.Nil(t, s.Stays(pid, interp.Entry))
			got = append(got, found{bypasses[pid], s.Most(s.Remote(pid, 3, reads)), s.Waits(pid)})
		}
		if want == nil {
			want = got
		}
		require.Equal(t, want, got)
	}
	require.Equal(t, 2, want[0].bypass.PastDoorway)
	require.Greater(t, want[0].bypass.FromStart, 2)
	require.False(t, want[0].bypass.Overtaken)
	require.Contains(t, want[0].waits, true)
}
