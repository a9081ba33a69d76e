package check_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check"
	"shmbench/internal/testkit/sample"
)

// TestDelegates: each part of the contract of a delegate has one that breaks it, and one
// that keeps it.
func TestDelegates(t *testing.T) {
	sample.NeedsAll(t)
	t.Parallel()
	const holds, violated = check.Holds, check.Violated
	type want struct{ exclusion, deadlock, race, panics check.Verdict }
	right := want{holds, holds, holds, holds}
	for constructor, w := range map[string]want{
		"NewAdapted":             right,
		"NewTwice":               {holds, check.Unknown, holds, violated},
		"NewLost":                {holds, check.Unknown, holds, violated},
		"NewOther":               {holds, check.Unknown, holds, violated},
		"NewTogether":            {violated, violated, violated, holds},
		"NewKeeps":               {holds, violated, holds, holds},
		"NewGreedy":              right,
		"NewPolledGreedy":        {holds, violated, holds, holds},
		"NewPolledCCSynch1":      right,
		"NewPolledCCSynch2":      right,
		"NewPolledDSMSynch1":     right,
		"NewPolledDSMSynch2":     right,
		"NewPolledFlatCombining": right,
	} {
		reports, err := check.Testdata(t, "delegates").Lock(t.Context(), constructor, check.Options{N: []int{2}})
		require.NoError(t, err)
		r := reports[0]
		t.Logf("%s: %d states, starvation freedom %s", constructor, r.States, r.StarvationFreedom)
		got := want{r.MutualExclusion, r.DeadlockFreedom, r.DataRaceFreedom, r.PanicFreedom}
		require.Equal(t, w, got, "%s\n%s", constructor, r.Refused)
		if bounded := strings.Contains(constructor, "Synch"); bounded {
			require.Equal(t, holds, r.StarvationFreedom, constructor)
		}
	}
}
