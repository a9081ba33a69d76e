package check_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/catalog"
	"shmbench/check"
)

// TestTSO: without fences the read/write locks break and the others do not, and
// the fences that are needed are those that are known to be.
func TestTSO(t *testing.T) {
	for _, c := range []struct {
		name      string
		exclusion check.Verdict
		needed    []string // labels of the stores that need their fence
		removable int
	}{
		{"peterson/peterson", check.Violated, []string{"2"}, 2},
		{"peterson/asymmetric", check.Violated, []string{"3", "3"}, 2},
		{"bakery/lamport", check.Violated, []string{"1"}, 2},
		{"tas/tas", check.Holds, nil, 1},
		{"queue/mcs", check.Holds, nil, 4},
		{"queue/clh", check.Holds, nil, 2},
	} {
		a, err := catalog.Get(c.name)
		require.NoError(t, err)
		r := cards(t, check.Options{N: []int{2}, TSO: true}, a)[0]
		require.Equal(t, "tso", r.Memory)
		require.Equal(t, c.exclusion, r.MutualExclusion, c.name)
		require.NotNil(t, r.Fences, c.name)
		var needed []string
		for _, s := range r.Fences.Stores {
			if s.Needed {
				require.NotEmpty(t, s.Loses)
				needed = append(needed, s.Label)
			}
		}
		require.Equal(t, c.needed, needed, c.name)
		require.Len(t, r.Fences.Removable, c.removable, c.name)
		require.Empty(t, r.Disagreements)
		if c.exclusion == check.Violated {
			require.Equal(t, "tso", r.Counterexample(check.MutualExclusion).Memory)
		}
	}
}
