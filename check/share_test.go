package check_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/catalog"
	"shmbench/check"
	"shmbench/internal/testkit/sample"
)

// TestVariantsShare: a variant in layout gets the verdicts that it would get by
// itself, and what is called a variant but does something else gets its own.
func TestVariantsShare(t *testing.T) {
	sample.NeedsAll(t)
	for _, name := range []string{"peterson/filter", "queue/ticket", "queue/mcs"} {
		a, err := catalog.Get(name)
		require.NoError(t, err)
		for _, suffix := range []string{"-packed", "-padded"} {
			variant, err := catalog.Get(name + suffix)
			if err != nil {
				continue
			}
			alone := reportsOf(t, check.Options{}, variant)
			for i, r := range reportsOf(t, check.Options{}, a, variant)[len(alone):] {
				require.Equal(t, name, r.SharedWith)
				require.Empty(t, alone[i].SharedWith)
				for _, trace := range r.Counterexamples {
					require.Equal(t, variant.Name, trace.Origin.Algorithm)
				}
				r.SharedWith, r.Seconds, r.Bytes = "", alone[i].Seconds, alone[i].Bytes
				want, err := json.Marshal(alone[i])
				require.NoError(t, err)
				got, err := json.Marshal(r)
				require.NoError(t, err)
				require.JSONEq(t, string(want), string(got))
			}
		}
	}
	a, err := catalog.Get("peterson/peterson")
	require.NoError(t, err)
	b, err := catalog.Get("peterson/priority")
	require.NoError(t, err)
	alone := reportsOf(t, check.Options{}, b)[0]
	b.VariantOf = a.Name
	r := reportsOf(t, check.Options{}, a, b)[1]
	require.Empty(t, r.SharedWith)
	require.Equal(t, alone.States, r.States)
}
