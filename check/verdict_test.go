package check_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/catalog"
	"shmbench/check"
	"shmbench/internal/testkit/sample"
)

// TestUndecided: a bound that was reached, though not asked for,
// decides nothing.
func TestUndecided(t *testing.T) {
	sample.NeedsAll(t)
	src := check.Testdata(t, "locks")
	functions := func(o check.Options) *check.Report {
		o.N = []int{2}
		reports, err := src.Lock(t.Context(), "NewFunctions", o)
		require.NoError(t, err)
		return reports[0]
	}
	require.NoError(t, functions(check.Options{}).Err())
	r := functions(check.Options{Passages: 1})
	require.Equal(t, check.Verdict("holds within 1 passage"), r.MutualExclusion)
	require.Equal(t, "holds within 1 passage only; passages after the 1st were not explored", r.Undecided[0].Why, "although one passage was asked for")
	require.ErrorContains(t, r.Err(), "not decided: mutual exclusion, deadlock freedom, exit progress")
	r = functions(check.Options{MaxStates: 1})
	require.Equal(t, check.Unknown, r.MutualExclusion)
	require.ErrorContains(t, r.Err(), "stopped after")

	hapax, err := catalog.Get("queue/hapax")
	require.NoError(t, err)
	require.Equal(t, "holds within 2 passages only: processes make too many different steps to explore any number of passages; passages after the 2nd were not explored",
		reportsOf(t, check.Options{}, hapax)[0].Undecided[0].Why)

	for _, name := range []string{"queue/partitioned", "peterson/peterson"} {
		a, err := catalog.Get(name)
		require.NoError(t, err)
		reports := reportsOf(t, check.Options{}, a)
		require.NoError(t, check.Err(reports), name)
		require.Regexp(t, `agrees *\n`, table(t, reports), "the same as for a lock without a specification")
		reports = reportsOf(t, check.Options{MaxStates: 1}, a)
		require.Error(t, check.Err(reports), name)
		require.Regexp(t, `undecided *\n`, table(t, reports))
	}
}

func table(t *testing.T, reports []*check.Report) string {
	var b bytes.Buffer
	require.NoError(t, check.Table(reports).WriteText(&b))
	return b.String()
}
