package check_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check"
)

// TestPlain holds locks with plain data of all shapes against the compiled
// code, which stops at every access to it.
func TestPlain(t *testing.T) {
	src, err := check.Open(t.Context(), "", "shmbench/check/testdata/plain")
	require.NoError(t, err)
	for _, constructor := range []string{"NewRing", "NewStatistics", "NewNodes", "NewRecords", "NewSwaps", "NewGlobal",
		"NewLoops", "NewSlices", "NewEmbeds", "NewCell", "NewValues", "NewUnsafe", "NewWords", "NewTags",
		"NewEndless", "NewLater", "NewRecurses", "NewFails"} {
		t.Run(constructor, func(t *testing.T) {
			reports, err := src.Lock(t.Context(), constructor, check.Options{N: []int{2}, Replays: 2_000})
			require.NoError(t, err)
			r := reports[0]
			require.Empty(t, r.Refused)
			require.Empty(t, r.Replay.Omitted)
			t.Logf("%+v %s %v", *r.Replay, r.MutualExclusion, r.PanicFreedom)
		})
	}
}
