package knownbroken_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check"
	"shmbench/internal/edit"
	"shmbench/knownbroken"
	"shmbench/shm"
)

// fixes are edits that fix a known-broken lock for which the catalog has no fixed form, as its
// Fix says.
var fixes = []struct {
	lock, spec, file string
	edits            []string
}{
	{"knownbroken/musl-file", "muslFile.Algorithm", "knownbroken/musl_file.go", []string{
		"replace 2 with break",
		"replace 4 with if o&muslWaiters != 0 || l.exchangeIf(o, o|muslWaiters) == o { l.word.Wait(i, o|muslWaiters) }",
	}},
}

// TestFixes: with its edits each lock is right for two and three processes.
func TestFixes(t *testing.T) {
	t.Parallel()
	tree, err := edit.Open(t.Context())
	require.NoError(t, err)
	for _, f := range fixes {
		all := knownbroken.All()
		a := all[slices.IndexFunc(all, func(e knownbroken.Lock) bool { return e.Name == f.lock })].Algorithm
		a.Name = "mutants/fixed"
		l := edit.Lock{Name: f.lock, As: a.Name, Spec: f.spec, File: f.file}
		for _, text := range f.edits {
			e, err := edit.Parse(text)
			require.NoError(t, err)
			l.Edits = append(l.Edits, e)
		}
		program, err := tree.Program("mutants/fixed", []edit.Lock{l}, "")
		require.NoError(t, err)
		src, err := check.OpenEdited(t.Context(), program)
		require.NoError(t, err)
		reports, err := src.Algorithms(t.Context(), "All", []shm.Algorithm{a}, check.Options{N: []int{2, 3}})
		require.NoError(t, err)
		require.Len(t, reports, 2)
		for _, r := range reports {
			require.NoError(t, r.Err(), f.lock)
			require.True(t, r.Exhausted, f.lock)
		}
	}
}
