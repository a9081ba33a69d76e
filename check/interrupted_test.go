package check_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shmbench/check"
)

// TestInterruptedExploring: what was found before an interruption is reported.
func TestInterruptedExploring(t *testing.T) {
	src := check.Testdata(t, "traps")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var each []*check.Report
	reports, err := src.Lock(ctx, "NewWide", check.Options{
		N: []int{8, 2}, MaxStates: 1 << 24, Replays: 1000,
		Progress: func(p check.Progress) {
			if !p.Learning {
				cancel()
			}
		},
		Each: func(r *check.Report) { each = append(each, r) },
	})
	require.ErrorIs(t, err, context.Canceled)
	require.Len(t, reports, 1, "the next is not begun")
	require.Equal(t, each, reports)
	r := reports[0]
	require.False(t, r.Exhausted)
	require.Equal(t, check.Violated, r.MutualExclusion)
	require.Len(t, r.Counterexample(check.MutualExclusion).Steps, 4)
	require.Equal(t, check.Unknown, r.DeadlockFreedom)
	require.Equal(t, "interrupted", r.Replay.Omitted)
}

// TestInterruptedLearning: the interpreter does not finish what it runs.
func TestInterruptedLearning(t *testing.T) {
	src := check.Testdata(t, "traps")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	time.AfterFunc(50*time.Millisecond, cancel)
	reports, err := src.Lock(ctx, "NewWeary", check.Options{N: []int{2}})
	require.ErrorIs(t, err, context.Canceled)
	for _, r := range reports {
		require.Contains(t, r.Undecided[0].Why, "interrupted")
	}
}
