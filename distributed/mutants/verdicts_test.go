package mutants

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/distributed/explore"
)

func TestEveryVerdictHasItsMutant(t *testing.T) {
	names := map[string]bool{}
	for _, m := range All {
		names[m.Name] = true
	}
	for name := range verdicts {
		require.True(t, names[name], name)
	}
	for name := range invariants {
		require.True(t, names[name], name)
	}
	require.Len(t, names, len(verdicts))
	require.Len(t, names, len(All))
}

// A verdict assumes exact timeouts only if the mutant has timers and the verdict is another
// one without that assumption.
func TestTicksOnlyWhereTheyMatter(t *testing.T) {
	seen := 0
	for _, m := range All {
		if !m.Ticks {
			continue
		}
		seen++
		require.True(t, m.Election != nil || m.Algorithm.Claims.Timely || m.Algorithm.Claims.Timers, "%s has no timers", m.Name)
		m.Ticks = false
		model, err := m.Model()
		require.NoError(t, err)
		r, err := explore.Explore(t.Context(), model)
		require.NoError(t, err)
		require.False(t, m.Confirms(r), "%s: the verdict needs no exact timeouts", m.Name)
	}
	require.Positive(t, seen)
}
