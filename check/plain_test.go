package check_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check"
	"shmbench/internal/testkit/sample"
)

// TestPlain holds locks with plain data of all shapes against the compiled
// code, which stops at every access to it. Some never come back, or fail.
func TestPlain(t *testing.T) {
	sample.NeedsAll(t)
	t.Parallel()
	src := check.Testdata(t, "plain")
	wrongs := map[string]string{"NewEndless": "without end", "NewLater": "without end", "NewRecurses": "without end", "NewFails": "nil pointer"}
	constructors := []string{"NewRing", "NewStatistics", "NewNodes", "NewRecords", "NewSwaps", "NewGlobal",
		"NewLoops", "NewLengths", "NewSlices", "NewEmbeds", "NewCell", "NewValues", "NewUnsafe", "NewWords", "NewTags",
		"NewEndless", "NewLater", "NewRecurses", "NewFails"}
	for _, constructor := range constructors {
		t.Run(constructor, func(t *testing.T) {
			reports, err := src.Once(t.Context(), constructor, check.Options{N: []int{2}, Replays: 2_000})
			require.NoError(t, err)
			r := reports[0]
			require.Empty(t, r.Refused)
			require.Empty(t, r.Replay.Omitted)
			require.Equal(t, check.Holds, r.MutualExclusion)
			if wrong := wrongs[constructor]; wrong != "" {
				require.Contains(t, r.Counterexample(check.PanicFreedom).End, wrong)
				return
			}
			require.Equal(t, check.Holds, r.PanicFreedom)
			require.Positive(t, r.Replay.Transitions)
			require.GreaterOrEqual(t, r.Replay.Accesses, 2_000)
		})
	}
}

// TestProgram holds a lock of a package main, and says of one that reads shared
// memory in the standard library that it cannot be held: in the verdict, in the
// table, and in what is undecided, unless that is asked for.
func TestProgram(t *testing.T) {
	sample.NeedsAll(t)
	t.Parallel()
	src := check.Testdata(t, "program")
	reports, err := src.Once(t.Context(), "newLock", check.Options{N: []int{2}, Replays: 2_000})
	require.NoError(t, err)
	require.NoError(t, check.Err(reports))
	require.Empty(t, reports[0].Replay.Omitted)
	require.Positive(t, reports[0].Replay.Accesses)

	for _, asked := range []bool{false, true} {
		reports, err = src.Once(t.Context(), "newSearching", check.Options{N: []int{2}, Replays: 2_000, AcceptUnreplayed: asked})
		require.NoError(t, err)
		r := reports[0]
		require.Equal(t, check.Verdict("holds, not checked against the compiled code"), r.MutualExclusion)
		require.True(t, r.MutualExclusion.Holds())
		require.Equal(t, check.Violated, r.StarvationFreedom)
		require.Contains(t, r.Replay.Omitted, "slices.Index accesses shared memory plainly")
		var table strings.Builder
		require.NoError(t, check.Table(reports).WriteText(&table))
		require.Contains(t, table.String(), "yes, not replayed")
		if asked {
			require.Empty(t, r.Undecided)
			require.NoError(t, r.Err())
		} else {
			require.Contains(t, r.Undecided[0].Why, "not checked against the compiled code")
			require.ErrorContains(t, r.Err(), "not checked against the compiled code")
		}
	}
	reports, err = src.Once(t.Context(), "newSearching", check.Options{N: []int{2}})
	require.NoError(t, err)
	require.Equal(t, check.Holds, reports[0].MutualExclusion, "nothing was to be replayed")
}
