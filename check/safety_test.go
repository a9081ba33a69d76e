package check_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/catalog"
	"shmbench/check"
	"shmbench/internal/testkit/sample"
	"shmbench/shm"
)

// TestSafetyIsTheSame: a check without edges finds the same states, the same verdicts on single states and deadlock
// freedom, and the same executions against them. Some of the locks are wrong.
func TestSafetyIsTheSame(t *testing.T) {
	sample.NeedsAll(t)
	t.Parallel()
	o := check.Options{N: []int{2}, NoCosts: true}
	locks := slices.DeleteFunc(catalog.All(), func(a shm.Algorithm) bool { return a.VariantOf != "" })
	locks = sample.Some(t, locks, check.AlgorithmName, 4)
	whole := reportsOf(t, o, locks...)
	broken, err := check.Testdata(t, "locks").Locks(t.Context(), brokenLocks, o)
	require.NoError(t, err)
	o = check.UpTo(o, noSymmetries, false)
	states := reportsOf(t, o, locks...)
	brokenStates, err := check.Testdata(t, "locks").Locks(t.Context(), brokenLocks, o)
	require.NoError(t, err)
	violated := 0
	for i, r := range append(whole, broken...) {
		s := append(states, brokenStates...)[i]
		require.Equal(t, safetyOf(r), safetyOf(s), r.Algorithm)
		require.True(t, s.SafetyOnly || s.Refused != "", r.Algorithm)
		require.Equal(t, check.Unknown, s.StarvationFreedom, r.Algorithm) // nothing asks for it
		for _, property := range []string{"mutual exclusion", "deadlock freedom", "data race freedom", "panic freedom"} {
			a, b := r.Counterexample(property), s.Counterexample(property)
			require.Equal(t, a == nil, b == nil, "%s: %s", r.Algorithm, property)
			if a != nil {
				require.Equal(t, a.Schedule(), b.Schedule(), "%s: %s", r.Algorithm, property)
				violated++
			}
		}
	}
	require.Greater(t, violated, 2)
}

// TestCheckpoint: a search that is interrupted is continued, and finds the same.
func TestCheckpoint(t *testing.T) {
	sample.NeedsAll(t)
	t.Parallel()
	a, err := catalog.Get("bakery/lamport")
	require.NoError(t, err)
	o := check.Options{N: []int{3}, Safety: true, LockOnly: true}
	whole := reportsOf(t, o, a)[0]
	require.Zero(t, whole.Renamings)
	for _, interrupted := range []func(check.Progress) bool{
		func(check.Progress) bool { return true },
		func(p check.Progress) bool { return p.Frontier == 0 }, // all states are visited, and nothing is decided
	} {
		o.Checkpoint = filepath.Join(t.TempDir(), "checkpoint")
		ctx, interrupt := context.WithCancel(t.Context())
		o.Progress = func(p check.Progress) {
			if interrupted(p) {
				interrupt()
			}
		}
		_, err := check.SourceOf(t, a.Name).Algorithms(ctx, "All", []shm.Algorithm{a}, o)
		require.ErrorIs(t, err, context.Canceled)
		require.FileExists(t, o.Checkpoint)
		o.Progress = nil
		reports, err := check.SourceOf(t, a.Name).Algorithms(t.Context(), "All", []shm.Algorithm{a}, o)
		require.NoError(t, err)
		require.Equal(t, safetyOf(whole), safetyOf(reports[0]))
	}
	o.N = []int{2}
	_, err = check.SourceOf(t, a.Name).Algorithms(t.Context(), "All", []shm.Algorithm{a}, o)
	require.ErrorContains(t, err, "is the checkpoint of bakery/lamport, n=3")

	// The file of a lock of this name that has changed since.
	kept, err := os.ReadFile(o.Checkpoint)
	require.NoError(t, err)
	changed := bytes.Replace(kept, []byte(`"first":"`), []byte(`"first":"0`), 1)
	require.NotEqual(t, kept, changed)
	require.NoError(t, os.WriteFile(o.Checkpoint, changed, 0o666))
	o.N = []int{3}
	reports, err := check.SourceOf(t, a.Name).Algorithms(t.Context(), "All", []shm.Algorithm{a}, o)
	require.ErrorContains(t, err, "was made with another lock or by another version of shmbench")
	require.Empty(t, reports)
	left, err := os.ReadFile(o.Checkpoint)
	require.NoError(t, err)
	require.Equal(t, changed, left)
}

// brokenLocks lack mutual exclusion, race, or panic.
var brokenLocks = []string{"NewGivesUp", "NewPlain", "NewPanics"}

// safetyOf is what a check without edges decides too.
func safetyOf(r *check.Report) map[string]any {
	return map[string]any{"refused": r.Refused, "states": r.States, "transitions": r.Transitions, "depth": r.Depth, "passages": r.Passages, "exclusion": r.MutualExclusion,
		"deadlock": r.DeadlockFreedom, "races": r.DataRaceFreedom, "panics": r.PanicFreedom, "invariants": r.Invariants}
}
