package catalog_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/catalog"
	"shmbench/internal/race"
	"shmbench/internal/sample"
	"shmbench/locktest"
	"shmbench/shm"
)

// TestConformance: every lock does what its specification says, in every layout and with
// either kind of stores. The tests of the families do this at length, for the plain
// form of each. It looks at one in four; .ci/run looks at all, under the race detector
// and on an emulated arm64.
func TestConformance(t *testing.T) {
	oneIn := 4
	if race.Enabled {
		oneIn = 1
	}
	for _, a := range sample.Of(t, catalog.All(), func(a shm.Algorithm) string { return a.Name }, oneIn) {
		t.Run(a.Name, func(t *testing.T) {
			procs := []int{1, min(2, a.MaxProcs), min(4, a.MaxProcs)}
			require.NoError(t, locktest.Verify(t.Context(), a, locktest.Options{Procs: slices.Compact(procs), Passages: 100, Trials: 2}))
		})
	}
}
