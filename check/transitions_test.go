package check

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/catalog"
	"shmbench/check/internal/explore"
	"shmbench/check/internal/explored"
	"shmbench/check/internal/model"
)

// TestEveryTransitionIsTaken: the schedules can be made, take each transition that
// there is, and are fewer than the transitions.
func TestEveryTransitionIsTaken(t *testing.T) {
	t.Parallel()
	type transition struct{ pid, local, value int }
	for name, n := range map[string]int{"peterson/peterson": 2, "bakery/lamport": 2, "queue/mcs": 3, "peterson/filter-released": 3, "tas/tas": 2} {
		a, err := catalog.Get(name)
		require.NoError(t, err)
		s := SourceOf(t, name).pkg.Algorithm("All", a)
		lock, err := s.Learn(t.Context(), n, model.Options{})
		require.NoError(t, err)
		x, err := explored.AsWritten(t.Context(), s, lock, explore.Options{Workers: 1})
		require.NoError(t, err)
		x = x.Complete()
		note := func(seen map[transition]bool, id uint32, actor int) {
			if actor >= n {
				return
			}
			state := x.Graph.State(id)
			local := x.Sys.Procs[actor].Of(state)
			if !x.Learned.Model.Procs[actor].Local[local].Starts {
				seen[transition{actor, int(x.Learned.Model.Procs[actor].Members[local][0]), int(x.Visited().Sees(state, actor))}] = true
			}
		}
		all, taken := map[transition]bool{}, map[transition]bool{}
		for id := range uint32(x.Graph.States) {
			for actor, to := range x.Graph.Successors(id) {
				if to != explore.None {
					note(all, id, actor)
				}
			}
		}
		schedules, count := x.Transitions()
		for _, schedule := range schedules {
			at := uint32(0)
			for _, actor := range schedule {
				note(taken, at, int(actor))
				at = x.Graph.Successors(at)[actor]
				require.NotEqual(t, explore.None, at, name)
			}
		}
		require.Equal(t, all, taken, name)
		require.Len(t, all, count, name)
		require.Less(t, len(schedules), max(2, count/2), name)
	}
}
