package check_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check"
	"shmbench/internal/testkit/sample"
	"shmbench/shm"
)

var update = flag.Bool("update", false, "write results/undecided.tsv")

//go:generate go test -run TestAllocating$ -update

// undecidedFile lists what is undecided of locks that allocate.
const undecidedFile = "../results/undecided.tsv"

// owed is how many properties each lock must have.
const owed = 5

// An undecided lock is one that is not decided on some memory.
type undecided struct{ lock, memory, what, why string }

// undecidedOn returns the locks that are not decided on memory, by their constructors.
func undecidedOn(t *testing.T, constructors []string, memory string, o check.Options) (all []undecided) {
	src := check.Testdata(t, "nodes")
	o.N, o.AcceptUnreplayed = []int{2}, true
	reports, err := src.Locks(t.Context(), constructors, o)
	require.NoError(t, err)
	for i, r := range reports {
		u := undecided{lock: strings.TrimPrefix(constructors[i], "New"), memory: memory}
		if r.Refused != "" {
			_, u.why, _ = strings.Cut(r.Refused, "Lock: ")
			u.what = "every property"
			all = append(all, u)
		}
		for _, open := range r.Undecided {
			u.what, u.why = strings.Join(open.Properties, ", "), open.Why
			if len(open.Properties) == owed {
				u.what = "every property"
			}
			all = append(all, u)
		}
	}
	return all
}

// TestAllocating compares the list of undecided locks in results/undecided.tsv with the
// checker.
func TestAllocating(t *testing.T) {
	sample.NeedsAll(t)
	t.Parallel()
	files, err := filepath.Glob("testdata/nodes/*.go")
	require.NoError(t, err)
	var constructors []string
	for _, name := range files {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		for _, m := range regexp.MustCompile(`(?m)^func (New\w+)\(`).FindAllSubmatch(text, -1) {
			constructors = append(constructors, string(m[1]))
		}
	}
	slices.Sort(constructors)
	looked := slices.Clone(constructors)
	on := func(memory string, o check.Options) []undecided { return undecidedOn(t, constructors, memory, o) }
	all := slices.DeleteFunc(on("regular and safe registers", check.Options{Registers: shm.Safe, MaxStates: 1 << 12}), func(u undecided) bool {
		return strings.HasPrefix(u.why, "stopped") // it is explored, as it allocates nothing
	})
	constructors = nil
	for _, u := range all {
		constructors = append(constructors, "New"+u.lock)
	}
	for i, u := range on("regular and safe registers", check.Options{Registers: shm.Regular}) {
		require.Equal(t, all[i], u)
	}
	all = append(all, on("total store order", check.Options{TSO: true, MaxStates: 1 << 18})...)
	slices.SortStableFunc(all, func(a, b undecided) int { return strings.Compare(a.lock, b.lock) })
	var list strings.Builder
	fmt.Fprintf(&list, "lock\tmemory\tundecided\treason\n")
	for _, u := range all {
		fmt.Fprintf(&list, "%s\t%s\t%s\t%s\n", u.lock, u.memory, u.what, u.why)
	}
	file, err := os.ReadFile(undecidedFile)
	require.NoError(t, err)
	head, _, found := strings.Cut(string(file), "lock\t")
	require.True(t, found)
	if *update {
		require.NoError(t, os.WriteFile(undecidedFile, []byte(head+list.String()), 0o666))
		return
	}
	var want strings.Builder
	for line := range strings.Lines(string(file)[len(head):]) {
		lock := regexp.MustCompile(`^(\w+)\t`).FindStringSubmatch(line)
		if lock[1] == "lock" || slices.Contains(looked, "New"+lock[1]) {
			want.WriteString(line)
		}
	}
	require.Equal(t, want.String(), list.String(), "go generate ./check writes it")
}
