package check_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check"
)

// TestViolatedBesideARefusal: what cannot be modeled on one way hides no
// violation on another, and invents none.
func TestViolatedBesideARefusal(t *testing.T) {
	src := check.Testdata(t, "traps")
	const sleeps = "calls os.Getpid, which cannot be modeled"
	violated := map[string]string{
		"NewSlowOpen":   check.MutualExclusion,
		"NewSlowBoth":   check.DeadlockFreedom,
		"NewSlowPanics": check.PanicFreedom,
	}
	for constructor, property := range violated {
		reports, err := src.Once(t.Context(), constructor, check.Options{N: []int{2}, Replays: 1000})
		require.NoError(t, err, constructor)
		r := reports[0]
		require.Empty(t, r.Refused, constructor)
		require.ErrorContains(t, r.Err(), "is violated", constructor)
		require.NotNil(t, r.Counterexample(property), constructor)
		require.False(t, r.Exhausted)
		require.Contains(t, r.Undecided[0].Why, "(*Slow).Unlock: "+sleeps)
		require.NotContains(t, r.Undecided[0].Properties, property)
		require.Nil(t, r.Bypass, "not known, as not all was seen")
		require.Positive(t, r.Replay.Counterexamples, "the compiled code does the same: %s", constructor)
		require.Equal(t, check.Unknown, r.ExitProgress)
	}
	for _, constructor := range []string{"NewSlowGood", "NewSlowAsleep"} {
		reports, err := src.Once(t.Context(), constructor, check.Options{N: []int{2}})
		require.NoError(t, err, constructor)
		require.Contains(t, reports[0].Refused, sleeps, constructor)
		require.Empty(t, reports[0].Counterexamples, constructor)
		require.Equal(t, check.Unknown, reports[0].StarvationFreedom, constructor)
		require.Positive(t, reports[0].States, "the states up to there were visited")
	}
}
