package check

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/catalog"
	"shmbench/check/internal/compiled"
	"shmbench/check/internal/execution"
	"shmbench/check/internal/model"
	"shmbench/internal/testkit/sample"
)

// TestHeldAgainstCompiler holds every lock of the catalog against the compiled
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
	sample.NeedsAll(t)
	src, err := CatalogueSource()
	require.NoError(t, err)
	a, err := catalog.Get("peterson/peterson")
	require.NoError(t, err)
	s := src.pkg.Algorithm("All", a)
	code, err := src.program(s).compiled(t.Context(), nil)
	require.NoError(t, err)
	defer code.Close()
	lock, err := s.Learn(t.Context(), 2, model.Options{})
	require.NoError(t, err)
	m := compiled.NewMirror(t.Context(), s, lock, execution.Simulate(lock.Learner, lock.Learner.M.Names(), nil).Again, code)
	schedule := []byte{0, 0, 0, 1, 1, 1, 1, 0, 1, 1}
	require.NoError(t, m.Same(schedule))
	for wrong, want := range map[string]string{
		"peterson/priority": `step 1, process 0 at peterson/peterson\.go:\d+, 1  q\[0\] := 1: the interpreter and the compiled code disagree: the value after is 0`,
		"tas/tas":           "operation swap",
	} {
		s.Origin.Algorithm = wrong
		err := m.Same(schedule)
		require.Regexp(t, want, err)
		require.ErrorContains(t, err, "internal error")
	}
}
