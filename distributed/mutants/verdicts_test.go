package mutants

import (
	"testing"

	"github.com/stretchr/testify/require"
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
