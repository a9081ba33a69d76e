package check_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check"
	"shmbench/internal/testkit/sample"
)

// TestLearningIsBounded: what is learned has its bounds too, and what is left open
// by them is said with the line, the function and how far it came.
func TestLearningIsBounded(t *testing.T) {
	sample.NeedsAll(t)
	src := check.Testdata(t, "traps")
	for _, c := range []struct {
		constructor, want string
		mem               int64
	}{
		{"NewLucky", `delay\.go:\d+: \(\*\w+\)\.\w+: process 0 has more than 32768 local states`, 0},
		{"NewLucky", `delay\.go:\d+: \(\*\w+\)\.\w+: the \d+ local states that were learned of all processes take more than 256 KB`, 1 << 20},
		{"NewTables", `counters\.go:\d+: NewTables: allocates more than 3125 words`, 400_000},
	} {
		reports, err := src.Lock(t.Context(), c.constructor, check.Options{N: []int{2}, MaxBytes: c.mem})
		require.NoError(t, err, c.constructor)
		r := reports[0]
		require.Empty(t, r.Refused, "a bound is no refusal")
		require.False(t, r.Exhausted)
		require.NotEmpty(t, r.Undecided, c.constructor)
		require.Regexp(t, c.want, r.Undecided[0].Why)
		require.ErrorContains(t, r.Err(), "not decided")
	}
}
