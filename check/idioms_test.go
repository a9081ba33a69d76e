package check_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check"
	"shmbench/internal/testkit/sample"
)

// TestIdioms has locks with what Go code has beside accesses, and beside each one
// in which the same is put to a wrong use. The compiled code does as they say.
func TestIdioms(t *testing.T) {
	sample.NeedsAll(t)
	t.Parallel()
	const excludes, breaks, deadlocks, races = "excludes", "lets two in", "deadlocks", "races"
	src := check.Testdata(t, "idioms")
	for _, c := range []struct{ constructor, want string }{
		{"NewDefers", excludes},
		{"NewDefersEarly", races},
		{"NewDefersArgument", deadlocks},
		{"NewRecovers", "(*Recovers).Unlock: defers a call that recovers from panics"},
		{"NewSleeps", excludes},
		{"NewGambles", "uses the result of math/rand/v2.IntN"},
		{"NewProcessors", "uses the result of runtime.NumCPU"},
		{"NewMaps", excludes},
		{"NewMapsMissing", breaks},
		{"NewMapsWritten", "(*MapsWritten).Unlock: writes to a map"},
		{"NewFuncs", excludes},
		{"NewFuncsWrong", deadlocks},
		{"NewRecords", excludes},
		{"NewRecordsTorn", races},
		{"NewLists", excludes},
		{"NewListsWrong", breaks},
		{"NewMoves", excludes},
		{"NewMovesShort", deadlocks},
		{"NewMovesBetween", "moves an address to where no word of its variable begins"},
	} {
		t.Run(c.constructor, func(t *testing.T) {
			reports, err := src.Once(t.Context(), c.constructor, check.Options{N: []int{2}, Replays: 1_000})
			require.NoError(t, err)
			r := reports[0]
			got := excludes
			switch {
			case r.Refused != "":
				require.Contains(t, r.Refused, c.want)
				return
			case r.MutualExclusion == check.Violated:
				got = breaks
			case r.DataRaceFreedom == check.Violated:
				got = races
			case r.DeadlockFreedom == check.Violated:
				got = deadlocks
			}
			require.Equal(t, c.want, got)
			require.Empty(t, r.Replay.Omitted)
			require.Positive(t, r.Replay.Transitions)
			if got == excludes {
				require.NoError(t, r.Err())
				require.Zero(t, r.Passages)
			}
		})
	}
}
