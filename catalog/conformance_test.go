package catalog_test

import (
	"flag"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/catalog"
	"shmbench/internal/race"
	"shmbench/locktest"
)

var all = flag.Bool("all", false, "look at every lock, and not at one in four")

// TestConformance: every lock does what its card says, in every layout and with
// either kind of stores. The tests of the families do this at length, for the plain
// form of each. It looks at one in four; .ci/run looks at all, under the race detector
// and on an emulated arm64.
func TestConformance(t *testing.T) {
	for i, a := range catalog.All() {
		if !race.Enabled && !*all && i%4 != 0 {
			continue
		}
		t.Run(a.Name, func(t *testing.T) {
			procs := []int{1, min(2, a.MaxProcs), min(4, a.MaxProcs)}
			require.NoError(t, locktest.Verify(t.Context(), a, locktest.Options{Procs: slices.Compact(procs), Passages: 100, Trials: 2}))
		})
	}
}
