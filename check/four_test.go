package check_test

import (
	"cmp"
	"flag"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"shmbench/catalog"
	"shmbench/check"
	"shmbench/shm"
)

var (
	writeFour = flag.Int("write-four", 0, "add the locks of the catalog that results/procs-4.tsv lacks: check them for four processes with up to this many `states`")
	againFour = flag.Int("again-four", 0, "check the locks that results/procs-4.tsv leaves undecided again, without edges and with up to this many `states`")
	fullFour  = flag.Int("full-four", 0, "check the locks that results/procs-4.tsv does not decide in full again, with edges and with up to this many `states`")

	onlyFour     = flag.String("only-four", "", "with -again-four and -full-four: only the locks of this comma-separated `list`")
	lockOnlyFour = flag.Bool("lock-only-four", false, "with -again-four and -full-four: only passages by Lock and Unlock")
)

// fourFile has what is decided of the locks of the catalog for four processes.
const fourFile = "../results/procs-4.tsv"

// fourColumns are the columns of fourFile.
const fourColumns = "lock\tpassages\tstates\texclusion\tdeadlock\tdecided\tsearch\tundecided"

// fourDecided is what a row of fourFile has decided, from the least to the most.
var fourDecided = []string{"-", "safety", "safety and deadlock freedom", "all but the undecided", "all"}

// How a row of fourFile was found.
const (
	withEdges    = "with edges"
	withoutEdges = "without edges"

	// These end one of those.
	upToRenaming = " up to renaming"
	partialOrder = " with partial-order reduction"
)

// allModes ends the name of a lock in a row on passages in all modes.
const allModes = " (all modes)"

// fourRow returns the row of a report.
func fourRow(r *check.Report, how string) []string {
	decided, passages := "all", "any"
	switch {
	case !r.Exhausted:
		decided = "-"
	case how == withoutEdges && r.DeadlockFreedom == check.Unknown:
		decided = "safety"
	case how == withoutEdges:
		decided = "safety and deadlock freedom"
	}
	if r.Passages > 0 {
		passages = strconv.Itoa(r.Passages)
	}
	if r.Renamings > 0 {
		how += upToRenaming
	}
	if r.PartialOrder {
		how += partialOrder
	}
	var open []string
	for _, u := range r.Undecided {
		open = append(open, u.String())
	}
	if r.Refused != "" {
		open = []string{"every property: " + r.Refused}
	}
	if decided == "all" && open != nil {
		decided = "all but the undecided"
	}
	return []string{fourName(r), passages, strconv.Itoa(r.States), string(r.MutualExclusion), string(r.DeadlockFreedom),
		decided, how, strings.Join(open, "; ")}
}

// fourName is the name of a lock in a row, with its modes.
func fourName(r *check.Report) string {
	if r.Modes != nil {
		return r.Algorithm + allModes
	}
	return r.Algorithm
}

// fourLocks are the locks of the catalog that allow four processes, in their default layout and with sequentially
// consistent stores.
func fourLocks() []shm.Algorithm {
	return slices.DeleteFunc(catalog.All(), func(a shm.Algorithm) bool { return a.VariantOf != "" || a.MinProcs > 4 || a.MaxProcs < 4 })
}

// TestWriteFour writes the rows of fourFile. It is for -write-four, -again-four and -full-four alone.
func TestWriteFour(t *testing.T) {
	if *writeFour == 0 && *againFour == 0 && *fullFour == 0 {
		t.Skip("only with -write-four, -again-four or -full-four")
	}
	rows := fourRows(t)
	run := func(algorithms []shm.Algorithm, o check.Options, how string) {
		var mu sync.Mutex
		o.N, o.MaxBytes = []int{4}, 12<<30
		o.Each = func(r *check.Report) {
			mu.Lock()
			defer mu.Unlock()
			row := fourRow(r, how)
			t.Logf("%.0f s: %s", r.Seconds.Learning+r.Seconds.Exploring+r.Seconds.Analysing, strings.Join(row, " "))
			if old := rows[fourName(r)]; old == nil || saysMore(t, row, old) {
				rows[fourName(r)] = row
				writeRows(t, rows) // as far as it has come
			}
		}
		src, err := check.OpenFor(t.Context(), catalog.Path, algorithms)
		require.NoError(t, err)
		_, err = src.Algorithms(t.Context(), "All", algorithms, o)
		require.NoError(t, err)
	}
	if *writeFour > 0 {
		run(slices.DeleteFunc(fourLocks(), func(a shm.Algorithm) bool { return rows[a.Name] != nil }), check.Options{MaxStates: *writeFour}, withEdges)
	}
	// open returns the locks that have a row with a cell as it says.
	open := func(undecided func(row []string) bool) []shm.Algorithm {
		return slices.DeleteFunc(fourLocks(), func(a shm.Algorithm) bool {
			if *onlyFour != "" && !slices.Contains(strings.Split(*onlyFour, ","), a.Name) {
				return true
			}
			own, modes := rows[a.Name], rows[a.Name+allModes]
			return (own == nil || !undecided(own)) && (modes == nil || *lockOnlyFour || !undecided(modes))
		})
	}
	if *againFour > 0 {
		enough := slices.Index(fourDecided, "safety and deadlock freedom")
		run(open(func(row []string) bool { return slices.Index(fourDecided, row[5]) < enough }), check.Options{MaxStates: *againFour, Safety: true, LockOnly: *lockOnlyFour}, withoutEdges)
	}
	if *fullFour > 0 {
		run(open(func(row []string) bool { return row[5] != "all" }), check.Options{MaxStates: *fullFour, LockOnly: *lockOnlyFour}, withEdges)
	}
}

// saysMore reports whether a row decides more than an older one, or as little after more states.
func saysMore(t *testing.T, row, old []string) bool {
	states := func(row []string) int {
		n, err := strconv.Atoi(row[2])
		require.NoError(t, err)
		return n
	}
	return cmp.Or(cmp.Compare(slices.Index(fourDecided, row[5]), slices.Index(fourDecided, old[5])), cmp.Compare(states(row), states(old))) > 0
}

// writeRows writes rows behind the comment of fourFile.
func writeRows(t *testing.T, rows map[string][]string) {
	var text strings.Builder
	file, err := os.ReadFile(fourFile)
	if !os.IsNotExist(err) {
		require.NoError(t, err)
	}
	for line := range strings.Lines(string(file)) {
		if strings.HasPrefix(line, "#") {
			text.WriteString(line)
		}
	}
	text.WriteString(fourColumns + "\n")
	for _, a := range catalog.All() {
		for _, name := range []string{a.Name, a.Name + allModes} {
			if row, ok := rows[name]; ok {
				text.WriteString(strings.Join(row, "\t") + "\n")
			}
		}
	}
	require.NoError(t, os.WriteFile(fourFile, []byte(text.String()), 0o666))
}

// fourRows returns the rows of fourFile by their locks.
func fourRows(t *testing.T) map[string][]string {
	file, err := os.ReadFile(fourFile)
	require.NoError(t, err)
	rows := map[string][]string{}
	for line := range strings.Lines(string(file)) {
		if cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t"); line[0] != '#' && line != fourColumns+"\n" {
			require.Len(t, cells, 8, line)
			rows[cells[0]] = cells
		}
	}
	return rows
}

// TestFour compares fourFile with a check without edges, for the locks with up to as many states as -four says.
func TestFour(t *testing.T) {
	if *four == 0 {
		t.Skip("only with -four")
	}
	rows := fourRows(t)
	// A lock is left out if one of its rows has too many states.
	large := map[string]bool{}
	for name, row := range rows {
		states, err := strconv.Atoi(row[2])
		require.NoError(t, err, name)
		lock, _, _ := strings.Cut(name, " ")
		large[lock] = large[lock] || states == 0 || states > *four
	}
	var locks []shm.Algorithm
	for _, a := range fourLocks() {
		if rows[a.Name] != nil && !large[a.Name] {
			locks = append(locks, a)
		}
	}
	seen := 0
	for _, r := range reportsOf(t, check.Options{N: []int{4}, Safety: true, MaxStates: *four}, locks...) {
		seen++
		want := rows[fourName(r)]
		require.NotNil(t, want, fourName(r))
		got := fourRow(r, withoutEdges)
		if r.Renamings > 0 && want[6] == withEdges {
			got[2] = want[2] // other states are counted there
		}
		assert.Equal(t, want[:5], got[:5], "%s: %s is out of date", r.Algorithm, fourFile)
	}
	require.Greater(t, seen, 20)
}
