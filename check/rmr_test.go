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
	"shmbench/internal/sample"
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
				full := explore.NewCached(x.Sys, pid, false)
				through, back := inCaches(exploreFew(t.Context(), x, full), full, pid)
				for costs, cold := range map[*analyse.Costs][2]int{through: {r.Through, r.FirstThrough}, back: {r.Back, r.FirstBack}} {
					want := costs.Most(pid)
					why := fmt.Sprintf("%s, process %d of %d, write-back %t", a.Name, pid, n, costs == back)
					require.Equal(t, costs.First(pid), cold[1], why)
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
