package check

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/catalog"
	"shmbench/check/internal/interp"
	"shmbench/check/internal/model"
)

// TestHeldAgainstCompiler holds every lock of the catalogue against the compiled
// code.
func TestHeldAgainstCompiler(t *testing.T) {
	t.Parallel()
	reports := CatalogueReports(t)
	for _, r := range reports {
		if r.Refused == "" {
			require.Empty(t, r.Replay.Omitted, r.Algorithm)
			require.Positive(t, r.Replay.Transitions, r.Algorithm)
			require.Equal(t, len(r.Counterexamples), r.Replay.Counterexamples, r.Algorithm)
			least := replays
			if r.SharedWith != "" {
				least /= 10
			}
			if r.Modes != nil { // to choose a mode is a step, and no access
				least /= 2
			}
			require.GreaterOrEqual(t, r.Replay.Accesses, least, r.Algorithm)
		}
	}
}

// TestDisagreement runs one lock's schedule on another lock's code, and wants
// the access at which they part to be named.
func TestDisagreement(t *testing.T) {
	src, err := CatalogueSource()
	require.NoError(t, err)
	a, err := catalog.Get("peterson/peterson")
	require.NoError(t, err)
	s := src.algorithm("All", a)
	code, err := src.program(s).compiled(t.Context(), nil)
	require.NoError(t, err)
	defer code.Close()
	lock, err := s.learn(t.Context(), 2, model.Options{})
	require.NoError(t, err)
	m := newMirror(t.Context(), s, lock, simulate(lock.Learner, lock.Learner.M.Names(), nil).again, code)
	schedule := []byte{0, 0, 0, 1, 1, 1, 1, 0, 1, 1}
	require.NoError(t, m.same(schedule))
	for wrong, want := range map[string]string{
		"peterson/priority": `step 1, process 0 at peterson/peterson\.go:\d+, 1  q\[0\] := 1: the interpreter and the compiled code disagree: the value after is 0`,
		"tas/tas":           "operation swap",
	} {
		s.origin.Algorithm = wrong
		err := m.same(schedule)
		require.Regexp(t, want, err)
		require.ErrorContains(t, err, "internal error")
	}
}

// TestBeyondPassages runs a lock for more passages than were explored: where it
// then first writes memory of its own, the comparison ends, and what was
// learned stays valid.
func TestBeyondPassages(t *testing.T) {
	src := Testdata(t, "traps")
	s := src.lock("NewLate")
	lock, err := s.learn(t.Context(), 1, model.Options{Passages: 2})
	require.NoError(t, err)
	m := newMirror(t.Context(), s, lock, simulate(lock.Learner, lock.Learner.M.Names(), nil).again, nil)
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
