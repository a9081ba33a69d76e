package futex_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check"
	"shmbench/internal/testkit/sample"
)

// TestToken: no wake-up of a token is lost. A token that is prepared too late loses one.
func TestToken(t *testing.T) {
	sample.NeedsAll(t)
	for constructor, want := range map[string]check.Verdict{"New": check.Holds, "NewUnprepared": check.Violated} {
		reports, err := check.Package(t.Context(), "./testdata/tokens", constructor, check.Options{N: []int{2}})
		require.NoError(t, err)
		require.Len(t, reports, 1)
		require.Equal(t, check.Holds, reports[0].MutualExclusion, constructor)
		require.Equal(t, want, reports[0].DeadlockFreedom, constructor)
	}
}
