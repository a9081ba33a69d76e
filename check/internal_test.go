package check

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/catalog"
	"shmbench/check/internal/compiled"
	"shmbench/check/internal/interp"
	"shmbench/check/internal/replay/harness"
	"shmbench/check/internal/source"
	"shmbench/internal/build/twin"
	"shmbench/shm"
)

// TestInternalErrors: a fault of the checker's own is one line that names the lock
// and what was being done, and takes none of the reports away that there are.
func TestInternalErrors(t *testing.T) {
	t.Setenv("GOTRACEBACK", "")
	failing := func(name string, from int) *source.Lock {
		a, err := catalog.Get(name)
		require.NoError(t, err)
		s, builds := SourceOf(t, name).pkg.Algorithm("All", a), 0
		find := s.Find
		s.Find = func(m *interp.Machine) (*interp.Closure, error) {
			if builds++; builds > from {
				panic("a fault\nof two lines")
			}
			return find(m)
		}
		return s
	}
	reports, err := check(t.Context(), failing("tas/tas", 1), Options{N: []int{2, 3}})
	require.Len(t, reports, 1)
	require.Equal(t, Holds, reports[0].MutualExclusion)
	faults := InternalErrors(err)
	require.Len(t, faults, 1)
	require.EqualError(t, err, "internal error: tas/tas (all modes), n=2: while its processes are learned: a fault; please report it (with GOTRACEBACK=all there is a stack)")

	// Of several algorithms the others are checked all the same.
	var groups [][]shm.Algorithm
	for _, name := range []string{"tas/tas", "tas/ttas", "peterson/peterson"} {
		a, err := catalog.Get(name)
		require.NoError(t, err)
		groups = append(groups, []shm.Algorithm{a})
	}
	reports, err = sideBySide(t.Context(), groups, Options{N: []int{2}}, func(ctx context.Context, run *runner, a shm.Algorithm) ([]*Report, error) {
		if a.Name == "peterson/peterson" {
			return run.check(ctx, SourceOf(t, a.Name).pkg.Algorithm("All", a))
		}
		return run.check(ctx, failing(a.Name, 0))
	})
	require.Len(t, reports, 1)
	require.Equal(t, "peterson/peterson", reports[0].Algorithm)
	require.Len(t, InternalErrors(err), 2)
	require.Empty(t, InternalErrors(context.Canceled))
}

// TestUnnamedOperations: whatever the compiled code does has a name in an internal
// error.
func TestUnnamedOperations(t *testing.T) {
	for op := range 256 {
		text := compiled.Does(twin.Op(op))
		require.NotEmpty(t, text)
		require.NotContains(t, text, "PANIC")
	}
	require.Equal(t, "giveUp is called", compiled.Does(harness.Polled))
	require.Equal(t, "operation number 200", compiled.Does(200))
}
