package catalog_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/catalog"
)

// TestPublishedBounds: each specification has a published bound, or a reason why none is known.
// A bound does not contradict the claims of the specification, which the check proves or
// refutes for two and three processes. A wrong bound does.
func TestPublishedBounds(t *testing.T) {
	locks := 0
	for _, a := range catalog.All() {
		p := a.PublishedRMR
		require.NotEqual(t, p.None == "", p.CC == "" && p.DSM == "", "%s: %+v", a.Name, p)
		if p.None != "" {
			require.Empty(t, p.In, a.Name)
			continue
		}
		require.NoError(t, p.Agrees(a.Claims.LocalSpin), a.Name)
		require.Equal(t, a.Source.String(), p.In, a.Name)
		if a.VariantOf == "" {
			locks++
		}
	}
	require.Positive(t, locks)
	require.Contains(t, get(t, "bakery/lamport").PublishedRMR.None, "older")
	require.Contains(t, get(t, "abort/osq").PublishedRMR.None, "program")
	require.Contains(t, get(t, "abort/clhtry").PublishedRMR.None, "not read")
	wrong := get(t, "queue/clh")
	wrong.PublishedRMR.DSM = "O(1)"
	require.Error(t, wrong.PublishedRMR.Agrees(wrong.Claims.LocalSpin))
}
