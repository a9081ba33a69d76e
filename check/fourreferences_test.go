package check_test

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"shmbench/check"
	"shmbench/internal/testkit/sample"
	"shmbench/shm"
)

// TestReferencesOfFour: the formulas of the catalog for remote memory references hold for four processes too. It checks, with
// edges, the locks of fourFile whose states are few, and finds what their rows say.
func TestReferencesOfFour(t *testing.T) {
	sample.NeedsAll(t)
	const few = 30_000
	rows := fourRows(t)
	var locks []shm.Algorithm
	for _, a := range fourLocks() {
		row := rows[a.Name]
		if row == nil || row[6] != withEdges || a.Claims.References.WriteBack == nil {
			continue
		}
		if states, err := strconv.Atoi(row[2]); assert.NoError(t, err, a.Name) && states <= few {
			locks = append(locks, a)
		}
	}
	for _, r := range reportsOf(t, check.Options{N: []int{4}, LockOnly: true, MaxStates: few}, locks...) {
		assert.Equal(t, rows[r.Algorithm], fourRow(r, withEdges), "%s is out of date", fourFile)
		require.NotNil(t, r.RMR, r.Algorithm)
		require.Empty(t, r.Disagreements, r.Algorithm)
	}
	require.Greater(t, len(locks), 20)
}
