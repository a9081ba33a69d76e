package check_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/catalog/mutants"
	"shmbench/check"
	"shmbench/cmd/shmbench/mutantcheck"
	"shmbench/shm"
)

// TestEquivalentOnAtomicRegisters: a line that a lock has for the sake of weaker
// registers is missed on those, and on no stronger ones.
func TestEquivalentOnAtomicRegisters(t *testing.T) {
	t.Parallel()
	src, err := check.OpenMutants(slices.DeleteFunc(mutants.All(), func(m mutants.Mutant) bool { return !strings.HasPrefix(m.Name, "mutants/rwsafe-") }))
	require.NoError(t, err)
	for _, c := range []struct {
		mutant  string
		keeps   shm.RegisterModel // the weakest on which it is equivalent
		without mutants.Verdict   // what it is on weaker ones
	}{
		{"mutants/rwsafe-one-way-out", shm.Atomic, mutants.Deadlock},
		{"mutants/rwsafe-last-rewritten", shm.Regular, mutants.Starvation},
	} {
		for _, model := range shm.RegisterModels() {
			want := c.without
			if c.keeps.Covers(model) {
				want = mutants.Equivalent
			}
			reports, err := src.Algorithms(t.Context(), "All", []shm.Algorithm{mutant(t, c.mutant).Algorithm}, check.Options{N: []int{2}, Registers: model})
			require.NoError(t, err)
			require.Equal(t, want, mutantcheck.Broken(reports[0]), "%s, %s registers", c.mutant, model)
		}
	}
}
