package catalog_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/catalog"
	"shmbench/internal/race"
	"shmbench/locktest"
)

// TestConformance: every lock does what its card says, in every layout and with
// either kind of stores. The tests of the families do this at length, for the plain
// form of each. It looks at every other one; the race detector, which .ci/run runs it
// under, at all.
func TestConformance(t *testing.T) {
	for i, a := range catalog.All() {
		if !race.Enabled && i%2 != 0 {
			continue
		}
		t.Run(a.Name, func(t *testing.T) {
			procs := []int{1, min(2, a.MaxProcs), min(4, a.MaxProcs)}
			require.NoError(t, locktest.Verify(t.Context(), a, locktest.Options{Procs: slices.Compact(procs), Passages: 100, Trials: 2}))
		})
	}
}
