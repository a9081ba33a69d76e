package check_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check"
)

// TestEveryNControls: locks that exclude for few processes and fail for more are not proved for
// every number of processes.
func TestEveryNControls(t *testing.T) {
	t.Parallel()
	src := check.Testdata(t, "everyn")
	for constructor, fails := range map[string]int{"NewSeesTwo": 4, "NewFourthIn": 4, "NewFourIDs": 5} {
		reports, err := src.Lock(t.Context(), constructor, check.Options{N: []int{2, 3, 4, 5}, Safety: true})
		require.NoError(t, err)
		for _, r := range reports {
			want := check.Holds
			if r.N >= fails {
				want = check.Violated
			}
			require.Equal(t, want, r.MutualExclusion, "%s, n=%d", constructor, r.N)
		}
		x, err := src.LockEveryN(t.Context(), constructor)
		require.NoError(t, err)
		t.Logf("%+v", x)
		require.Equal(t, check.Unknown, x.MutualExclusion, constructor)
		require.Zero(t, x.Views, constructor)
	}
}
