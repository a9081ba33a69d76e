package compiled

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check/internal/execution"
	"shmbench/check/internal/interp"
	"shmbench/check/internal/model"
	"shmbench/check/internal/source"
)

// TestBeyondPassages runs a lock for more passages than were explored: where it
// then first writes memory of its own, the comparison ends, and what was
// learned stays valid.
func TestBeyondPassages(t *testing.T) {
	src, err := source.Open(t.Context(), "", "shmbench/check/testdata/traps")
	require.NoError(t, err)
	lock := src.Lock("NewLate")
	learned, err := lock.Learn(t.Context(), 1, model.Options{Passages: 2})
	require.NoError(t, err)
	m := NewMirror(t.Context(), lock, learned, execution.Simulate(learned.Learner, learned.Learner.M.Names(), nil).Again, nil)
	for range 2 {
		f, err := m.forecast(make([]byte, 300))
		require.NoError(t, err)
		entered := 0
		for _, e := range f.events {
			if e.access != nil && e.access.Op == interp.Add {
				entered++
			}
		}
		require.Equal(t, 69, entered)
	}
}
