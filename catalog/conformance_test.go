package catalog_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/catalog"
	"shmbench/internal/machine/race"
	"shmbench/internal/testkit/sample"
	"shmbench/locktest"
	"shmbench/shm"
)

// TestConformance: every lock does what its specification says, in every layout and with
// either kind of stores. The tests of the families do this at length, for the plain
// form of each. It looks at some locks, and under the race detector at all other
// forms too. .ci/run looks at all locks on an emulated arm64.
func TestConformance(t *testing.T) {
	name := func(a shm.Algorithm) string { return a.Name }
	some := sample.Of(t, catalog.All(), name, 40)
	if race.Enabled {
		some = slices.DeleteFunc(catalog.All(), func(a shm.Algorithm) bool {
			return a.VariantOf == "" && !sample.Has(a.Name, 40)
		})
	}
	for _, a := range some {
		t.Run(a.Name, func(t *testing.T) {
			procs := []int{1, min(2, a.MaxProcs), min(4, a.MaxProcs)}
			require.NoError(t, locktest.Verify(t.Context(), a, locktest.Options{Procs: slices.Compact(procs), Passages: 100, Trials: 2}))
		})
	}
}
