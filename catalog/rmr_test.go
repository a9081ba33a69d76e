package catalog_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/catalog"
	"shmbench/shm"
)

// TestPublishedBounds: a published bound does not contradict the claims of the specification,
// which the check proves or refutes for two and three processes. A wrong bound does.
func TestPublishedBounds(t *testing.T) {
	locks := 0
	for _, a := range catalog.All() {
		if a.PublishedRMR == (shm.PublishedRMR{}) {
			continue
		}
		require.NoError(t, a.PublishedRMR.Agrees(a.Claims.LocalSpin), a.Name)
		require.Equal(t, a.Source.String(), a.PublishedRMR.In, a.Name)
		if a.VariantOf == "" {
			locks++
		}
	}
	require.Equal(t, 6, locks, "every entry of the table is of a lock")
	wrong := get(t, "queue/clh")
	wrong.PublishedRMR.DSM = "O(1)"
	require.Error(t, wrong.PublishedRMR.Agrees(wrong.Claims.LocalSpin))
}
