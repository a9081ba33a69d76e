package futex_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check"
	"shmbench/internal/sample"
)

// TestToken: no wake-up of a token is lost, neither where the sleep has all of its steps nor
// where it has none. A token that is prepared too late loses one.
func TestToken(t *testing.T) {
	if testing.Short() {
		t.Skip("checks locks")
	}
	for constructor, want := range map[string]check.Verdict{"New": check.Holds, "NewPolling": check.Holds, "NewUnprepared": check.Violated} {
		reports, err := check.Package(t.Context(), "./testdata/tokens", constructor, check.Options{N: []int{2}})
		require.NoError(t, err)
		require.Len(t, reports, 1)
		require.Equal(t, check.Holds, reports[0].MutualExclusion, constructor)
		require.Equal(t, want, reports[0].DeadlockFreedom, constructor)
	}
}

// TestWordLock: two processes of parking_lot's word lock exclude each other and lose no
// wake-up. With three, a process can stay in its exit section forever.
func TestWordLock(t *testing.T) {
	if testing.Short() {
		t.Skip("checks a lock")
	}
	procs := []int{2}
	if sample.All() {
		procs = append(procs, 3) // 3,894,352 states
	}
	reports, err := check.Package(t.Context(), "./testdata/wordlock", "New", check.Options{N: procs, Replays: 100})
	require.NoError(t, err)
	require.Len(t, reports, len(procs))
	for _, r := range reports {
		require.True(t, r.Exhausted)
		require.Equal(t, check.Holds, r.MutualExclusion)
		require.Equal(t, check.Holds, r.DeadlockFreedom)
		require.Equal(t, r.N < 3, r.ExitProgress == check.Holds)
	}
}
