package mutants_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/catalog"
	"shmbench/locktest"
	"shmbench/mutants"
)

// TestCards: every mutant has a name of its own, says what is broken, shows it
// for an n that its card allows, and builds for just that range.
func TestCards(t *testing.T) {
	seen := make(map[string]bool)
	for _, m := range mutants.All() {
		require.True(t, strings.HasPrefix(m.Name, "mutants/"), m.Name)
		require.False(t, seen[m.Name], m.Name)
		seen[m.Name] = true
		require.NotEmpty(t, m.Broken, m.Name)
		require.GreaterOrEqual(t, m.Procs, m.MinProcs, m.Name)
		require.LessOrEqual(t, m.Procs, m.MaxProcs, m.Name)
		require.NoError(t, locktest.Verify(t.Context(), m.Algorithm, locktest.Options{
			Rules: []string{"card agrees with itself", "New refuses a wrong n"},
		}))
		_, err := catalog.Get(m.Name)
		require.Error(t, err, "a broken lock must not be in the catalogue")
	}
	require.GreaterOrEqual(t, len(seen), 30)
}

// TestFamilies: every family has a mutant of each verdict that it can have.
func TestFamilies(t *testing.T) {
	have := make(map[string]map[mutants.Verdict]bool)
	for _, m := range mutants.All() {
		family, _, _ := strings.Cut(strings.TrimPrefix(m.Name, "mutants/"), "-")
		if have[family] == nil {
			have[family] = make(map[mutants.Verdict]bool)
		}
		have[family][m.Verdict] = true
	}
	for _, family := range []string{"bakery", "dekker", "peterson", "asymmetric", "priority", "filter", "tournament", "tas", "ticket", "anderson", "mcs", "clh"} {
		require.True(t, have[family][mutants.Safety], family)
		require.True(t, have[family][mutants.Deadlock], family)
	}
}

// TestBelowProcs: with fewer processes than the fault needs, the lock works.
// A mutant that fails here fails by more than its card says.
func TestBelowProcs(t *testing.T) {
	for _, m := range mutants.All() {
		if m.Procs == m.MinProcs {
			continue
		}
		// With one process less, all can come as often as they like.
		require.NoError(t, locktest.Verify(t.Context(), m.Algorithm, locktest.Options{
			Rules: []string{"sequential reuse", "exclusion"}, Procs: []int{m.Procs - 1},
		}))
	}
}

// TestEquivalent: an equivalent mutant passes all that the correct lock does.
func TestEquivalent(t *testing.T) {
	for _, m := range mutants.All() {
		if m.Verdict == mutants.Equivalent {
			t.Run(m.Name, func(t *testing.T) {
				require.NoError(t, locktest.Verify(t.Context(), m.Algorithm, locktest.Options{Passages: 200, Trials: 5}))
			})
		}
	}
}
