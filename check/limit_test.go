package check_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check"
	"shmbench/internal/testkit/sample"
)

// TestUnboundedForThree: passages are limited where a register is bounded for two processes and not for three.
func TestUnboundedForThree(t *testing.T) {
	sample.NeedsAll(t)
	t.Parallel()
	reports, err := check.Testdata(t, "locks").Lock(t.Context(), "NewThird", check.Options{N: []int{2, 3}, NoCosts: true})
	require.NoError(t, err)
	for i, passages := range []int{0, 2} {
		require.True(t, reports[i].Exhausted)
		require.Equal(t, passages, reports[i].Passages, "n=%d", reports[i].N)
	}
}
