package check

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shmbench/check/internal/compiled"
	"shmbench/internal/testkit/sample"
)

// TestCompiledDelay: a compiled lock that spends more time than the check waits is not
// compared with its compiled code. The check does not say that the two disagree.
func TestCompiledDelay(t *testing.T) {
	sample.NeedsAll(t)
	defer func(was time.Duration) { compiled.TimeLimit = was }(compiled.TimeLimit)
	compiled.TimeLimit = 100 * time.Millisecond
	src := Testdata(t, "traps")
	reports, err := src.Once(t.Context(), "NewDoubles", Options{N: []int{2}, Replays: 10_000})
	require.NoError(t, err)
	r := reports[0]
	require.Regexp(t, `delay\.go:\d+: when compiled, it may pass the time for longer than 100ms`, r.Replay.Omitted)
	require.Equal(t, Holds+notReplayed, r.MutualExclusion)
	require.NotEmpty(t, r.Undecided)
}
