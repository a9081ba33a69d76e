package check_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check"
)

// TestMutants gives every broken lock its verdict, and replays it and what it
// does wrong on the compiled code.
func TestMutants(t *testing.T) {
	t.Parallel()
	checked, err := check.MutantReports()
	require.NoError(t, err)
	require.NotEmpty(t, checked)
	for _, x := range checked {
		t.Logf("%s, n=%d: %v, %d states, %.1f s", x.Name, x.Procs, x.Found, x.Report.States, x.Report.Seconds)
		require.Empty(t, x.Wrong, x.Name)
	}
}
