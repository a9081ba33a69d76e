package check_test

import (
	"cmp"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/catalog"
	"shmbench/catalog/mutants"
	"shmbench/check"
	"shmbench/internal/testkit/sample"
	"shmbench/shm"
)

// TestEveryNControls: locks that exclude for few processes and fail for more are not proved for
// every number of processes.
func TestEveryNControls(t *testing.T) {
	t.Parallel()
	src := check.Testdata(t, "everyn")
	for constructor, of := range map[string]struct {
		fails int
		view  bool // a view refuses it; otherwise it has no template
	}{"NewSeesTwo": {4, false}, "NewFourthIn": {4, true}, "NewFourIDs": {5, false}} {
		reports, err := src.Lock(t.Context(), constructor, check.Options{N: []int{2, 3, 4, 5}, Safety: true})
		require.NoError(t, err)
		for _, r := range reports {
			want := check.Holds
			if r.N >= of.fails {
				want = check.Violated
			}
			require.Equal(t, want, r.MutualExclusion, "%s, n=%d", constructor, r.N)
		}
		x, err := src.LockEveryN(t.Context(), constructor)
		require.NoError(t, err)
		require.Equal(t, check.Unknown, x.MutualExclusion, constructor)
		require.Zero(t, x.Views, constructor)
		require.Equal(t, of.view, x.View != "", "%s: %s", constructor, x.Undecided)
	}
}

//go:generate go test -run TestEveryN$ -update -all

// everyNFile has the verdicts of -procs every on the catalog.
const everyNFile = "../results/every-n.tsv"

// everyNRow is the line of everyNFile for a verdict.
func everyNRow(x *check.EveryN) string {
	number := func(n int) string {
		if n == 0 {
			return "-"
		}
		return strconv.Itoa(n)
	}
	return strings.Join([]string{x.Algorithm, string(x.MutualExclusion), number(x.Processes), number(x.Views), cmp.Or(x.Undecided, "-"), cmp.Or(x.View, "-"), cmp.Or(x.Step, "-")}, "\t")
}

// TestEveryN: results/every-n.tsv has the verdict on each lock of the catalog for any number of
// processes.
func TestEveryN(t *testing.T) {
	t.Parallel()
	rows := []string{"# What check -procs every decides of the locks of the catalog that allow any number of processes. go generate ./check writes this file.",
		"lock\tmutual exclusion\tprocesses of a view\tviews\twhy undecided\tview\tstep"}
	committed := strings.Split(strings.TrimSpace(read(t, everyNFile)), "\n")
	for _, a := range catalog.All() {
		quick := strings.HasPrefix(a.Name, "tas/") || slices.Contains([]string{"burns/onebit", "baseline/mutex", "abort/tolock"}, a.Name)
		if a.VariantOf != "" || a.MaxProcs < shm.MaxProcs || !quick && !sample.All() {
			continue
		}
		x, err := check.SourceOf(t, a.Name).EveryN(t.Context(), "All", a)
		require.NoError(t, err)
		rows = append(rows, everyNRow(x))
		if !*update {
			require.Contains(t, committed, everyNRow(x))
		}
	}
	if *update && sample.All() {
		require.NoError(t, os.WriteFile(everyNFile, []byte(strings.Join(rows, "\n")+"\n"), 0o644))
		return
	}
	if sample.All() {
		require.Equal(t, rows, committed)
	}
}

// TestEveryNPage: the tables of docs/every-n.md have each lock that results/every-n.tsv has with
// a verdict or with views, and what it has of them.
func TestEveryNPage(t *testing.T) {
	t.Parallel()
	var onPage, inFile []string
	_, tables, _ := strings.Cut(read(t, "../docs/every-n.md"), "## Locks that are proved")
	tables, _, _ = strings.Cut(tables, "## Locks without a template")
	for line := range strings.Lines(tables) {
		if cells := strings.Split(strings.TrimSpace(line), " | "); strings.HasPrefix(line, "| `") {
			onPage = append(onPage, strings.Trim(strings.Join(cells[:3], " "), "|` "))
		}
	}
	for _, cells := range everyNRows(t) {
		switch {
		case cells[1] == string(check.Holds):
			inFile = append(inFile, cells[0]+"` "+cells[2]+" "+cells[3])
		case cells[2] != "-":
			inFile = append(inFile, cells[0]+"` "+cells[2]+" "+cells[4])
		}
	}
	slices.Sort(onPage)
	slices.Sort(inFile)
	require.Equal(t, inFile, onPage)
}

// everyNRows returns the cells of everyNFile.
func everyNRows(t *testing.T) (rows [][]string) {
	t.Helper()
	for _, line := range strings.Split(strings.TrimSpace(read(t, everyNFile)), "\n")[2:] {
		rows = append(rows, strings.Split(line, "\t"))
	}
	return rows
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	return string(text)
}

// TestEveryNMutants: no mutant that loses mutual exclusion in passages by Lock and Unlock is
// proved for every number of processes.
func TestEveryNMutants(t *testing.T) {
	t.Parallel()
	proved := map[string]bool{}
	for _, cells := range everyNRows(t) {
		proved[cells[0]] = cells[1] == string(check.Holds)
	}
	some := slices.DeleteFunc(mutants.All(), func(m mutants.Mutant) bool {
		return !proved[m.Of] || m.Verdict != mutants.Safety || m.Crashes != "" || !sample.Has(m.Name, 30)
	})
	require.NotEmpty(t, some)
	src, err := check.OpenMutants(some)
	require.NoError(t, err)
	for _, m := range some {
		x, err := src.EveryN(t.Context(), "All", m.Algorithm)
		require.NoError(t, err)
		if x.MutualExclusion == check.Unknown {
			continue
		}
		// Only passages by TryLock show the fault.
		reports, err := src.Algorithms(t.Context(), "All", []shm.Algorithm{m.Algorithm}, check.Options{N: []int{m.Procs}, LockOnly: true, Safety: true})
		require.NoError(t, err)
		require.Equal(t, check.Holds, reports[0].MutualExclusion, m.Name)
	}
}
