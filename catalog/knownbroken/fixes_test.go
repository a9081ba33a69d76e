package knownbroken_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/catalog/knownbroken"
	"shmbench/check"
	"shmbench/internal/build/edit"
	"shmbench/internal/testkit/sample"
	"shmbench/shm"
)

// fixes are edits that fix a known-broken lock for which the catalog has no fixed form, as its
// Fix says.
var fixes = []struct {
	lock, spec, file string
	edits            []string
	procs            []int
	only             string // the property that is restored; empty if the lock is right
}{
	{"knownbroken/musl-file", "muslFile.Algorithm", "catalog/knownbroken/musl_file.go", []string{
		"replace 2 with break",
		"replace 4 with if o&muslWaiters != 0 || l.exchangeIf(o, o|muslWaiters) == o { l.word.Wait(i, o|muslWaiters) }",
	}, []int{2, 3}, ""},
	{"knownbroken/hclh-book", "hclhBook.Algorithm", "catalog/knownbroken/hclh_book.go", []string{
		"in hclhBook: newHCLHBook(0) => newHCLHBook(hclhBookWait)",
	}, []int{2}, check.MutualExclusion},
	{"knownbroken/mcs-fair", "mcsFair.Algorithm", "catalog/knownbroken/mcs_fair.go", []string{
		"in mcsFair: newMCSFair(1) => newMCSFair(mcsFairWriterPassages)",
	}, []int{4}, check.MutualExclusion},
}

// TestFixes: with its edits each lock is right, or has the property that it lacked, in every
// state. Locks for more than three processes have millions of states, and need -all.
func TestFixes(t *testing.T) {
	t.Parallel()
	tree, err := edit.Open(t.Context())
	require.NoError(t, err)
	for _, f := range fixes {
		if f.procs[0] > 3 && !sample.All() {
			continue
		}
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
		reports, err := src.Algorithms(t.Context(), "All", []shm.Algorithm{a}, check.Options{N: f.procs})
		require.NoError(t, err)
		require.GreaterOrEqual(t, len(reports), len(f.procs))
		for _, r := range reports {
			require.True(t, r.Exhausted, f.lock)
			if f.only == "" {
				require.NoError(t, r.Err(), f.lock)
			}
			require.Nil(t, r.Counterexample(f.only), f.lock)
		}
	}
}
