package check_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check"
	"shmbench/mutants"
	"shmbench/shm"
)

// TestMutants gives every broken lock its verdict, and replays it and what it
// does wrong on the compiled code.
func TestMutants(t *testing.T) {
	t.Parallel()
	checked, err := check.MutantReports()
	require.NoError(t, err)
	require.NotEmpty(t, checked)
	for _, x := range checked {
		t.Logf("%s, n=%d: %v, %d states, %.1f s", x.Name, x.Procs, x.Found, x.Report.States, x.Report.Seconds)
		require.Empty(t, x.Wrong, x.Name)
	}
}

// TestWrongEntries: an entry that says something else than what is found is wrong, and the
// text says so.
func TestWrongEntries(t *testing.T) {
	t.Parallel()
	entry := func(name string, change func(*mutants.Mutant)) mutants.Mutant {
		all := mutants.All()
		m := all[slices.IndexFunc(all, func(m mutants.Mutant) bool { return m.Name == name })]
		change(&m)
		return m
	}
	wrong := map[string]mutants.Mutant{
		"its entry says safety, and the verdict is deadlock":                      entry("mutants/mcs-tail-kept", func(m *mutants.Mutant) { m.Verdict = mutants.Safety }),
		"its entry says starvation, and the verdict is equivalent":                entry("mutants/peterson-turn-read-first", func(m *mutants.Mutant) { m.Verdict = mutants.Starvation }),
		"its entry says that it needs n = 3, and the verdict for n = 2 is safety": entry("mutants/mcs-never-locked", func(m *mutants.Mutant) { m.Procs = 3 }),
		"the class is compare-and-swap, its entry or its lock says fetch-and-add": entry("mutants/mcs-split-swap", func(m *mutants.Mutant) { m.Class = shm.FetchAndAdd }),
		"the card does not list the register q":                                   entry("mutants/peterson-flags-only", func(m *mutants.Mutant) { m.Space = nil }),
	}
	for says, m := range wrong {
		var all check.CheckedMutants
		err := check.Mutants(t.Context(), []mutants.Mutant{m}, check.Options{}, func(x *check.CheckedMutant) { all = append(all, x) })
		require.NoError(t, err)
		require.Contains(t, all[0].Wrong, says)
		require.ErrorContains(t, all.Err(), m.Name+": ")
		var text strings.Builder
		require.NoError(t, all.WriteText(&text))
		require.Contains(t, text.String(), "DISAGREES: "+says)
	}
}
