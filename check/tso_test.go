package check_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/catalog"
	"shmbench/check"
	"shmbench/internal/testkit/sample"
)

// TestTSO: without fences the read/write locks break and the others do not, and
// the fences that are needed are those that are known to be.
func TestTSO(t *testing.T) {
	t.Parallel()
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
		if !check.Affordable(c.name) {
			continue
		}
		a, err := catalog.Get(c.name)
		require.NoError(t, err)
		r := reportsOf(t, check.Options{N: []int{2}, TSO: true}, a)[0]
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

// TestBufferedStores: a lock is passed only as far as its buffers went, and
// they go as far as is needed.
func TestBufferedStores(t *testing.T) {
	t.Parallel()
	src := check.Testdata(t, "locks")
	for constructor, want := range map[string]check.Verdict{
		"NewFive": check.Violated, "NewNine": check.Violated, "NewNineDrained": check.Violated,
		"NewAlternates": check.Holds, "NewTAS": check.Holds, "NewAlternatesWriting": "holds up to 32 buffered stores",
	} {
		if want.Bounded() && !sample.All() {
			continue // it takes three seconds until no buffer is large enough
		}
		reports, err := src.Lock(t.Context(), constructor, check.Options{N: []int{2}, TSO: true})
		require.NoError(t, err)
		r := reports[0]
		require.Equal(t, want, r.MutualExclusion, constructor)
		require.Equal(t, want.Bounded(), r.BufferedStores > 0 && want.Holds(), constructor)
		if want.Bounded() {
			require.Contains(t, r.Undecided[0].Properties, check.MutualExclusion, constructor)
		}
		require.NotNil(t, r.Fences, constructor)
	}
}
