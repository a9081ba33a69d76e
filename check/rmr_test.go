package check

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/catalog"
	"shmbench/check/internal/analyse"
	"shmbench/check/internal/explore"
	"shmbench/check/internal/explored"
	"shmbench/check/internal/model"
	"shmbench/internal/testkit/sample"
	"shmbench/shm"
)

// TestColdCaches: a passage among others costs what it costs with all copies of
// earlier passages, wherever the first passage is said to be the worst; and never
// more than from an empty cache.
func TestColdCaches(t *testing.T) {
	sample.NeedsAll(t)
	exact, unclear := 0, 0
	locks := slices.DeleteFunc(catalog.All(), func(a shm.Algorithm) bool {
		return a.VariantOf != "" || a.Class&shm.Opaque != 0 || expensive[a.Name] // to learn one takes up to 20 seconds
	})
	for _, a := range sample.Some(t, locks, AlgorithmName, 3) {
		s := SourceOf(t, a.Name).pkg.Algorithm("All", a)
		states := 0 // for two processes
		for _, n := range []int{2, 3} {
			if n > a.MaxProcs || n > 2 && states > fewStates {
				continue
			}
			lock, err := s.Learn(t.Context(), n, model.Options{})
			require.NoError(t, err)
			x := explored.Consistent(t.Context(), s, lock, explore.Options{Workers: 1, MaxStates: 5_000}).Complete()
			states = x.Graph.States
			if x.Space == nil {
				continue
			}
			for pid := range x.N {
				r, ok := x.Space.Cold(x.Sys, pid)
				if !ok {
					unclear++
					continue
				}
				full := explore.NewCached(x.Sys, pid)
				space := exploreFew(t.Context(), x, full)
				for writeBack, cold := range map[bool][2]int{false: {r.Through, r.FirstThrough}, true: {r.Back, r.FirstBack}} {
					want := inCache(space, full, pid, writeBack)
					why := fmt.Sprintf("%s, process %d of %d, write-back %t", a.Name, pid, n, writeBack)
					require.Equal(t, firstInCache(space, full, pid, writeBack), cold[1], why)
					if cold[0] == cold[1] {
						require.Equal(t, want, cold[0], why)
						exact++
					} else if cold[0] >= 0 {
						require.LessOrEqual(t, want, cold[0], why)
					}
				}
			}
		}
	}
	require.Greater(t, exact, 15)
	require.Less(t, unclear, exact/4)
}

// firstInCache is inCache for the first passage of a process.
func firstInCache(space *analyse.Space, sys *explore.Cached, pid int, writeBack bool) int {
	untouched := explore.NewTrail(space.G, func(id uint32) bool { return id == 0 })
	untouched.Follow(func(from uint32, actor int, to uint32) bool {
		if actor%space.Parties != pid {
			untouched.Step(from, actor, to)
		}
		return false
	})
	m := space.Remote(pid, space.N, func(id uint32, pid int) bool { return sys.Remote(space.G.State(id), pid, writeBack) })
	begins := m.Starts
	m.Starts = func(from uint32, actor int, to uint32) bool { return untouched.Has(from) && begins(from, actor, to) }
	return space.Most(m)
}

// TestRMR: what a passage of the bakery of two costs, by itself and among the
// others.
func TestRMR(t *testing.T) {
	a, err := catalog.Get("bakery/lamport")
	require.NoError(t, err)
	reports, err := SourceOf(t, a.Name).Algorithms(t.Context(), "All", []shm.Algorithm{a}, Options{N: []int{2}, Passages: 3})
	require.NoError(t, err)
	cost := func(alone, among int) Cost { return Cost{&alone, &among} }
	require.Equal(t, &RMR{WriteThrough: cost(7, 10), WriteBack: cost(5, 9), DSM: cost(4, shm.Unbounded), within: true}, reports[0].RMR)
}
