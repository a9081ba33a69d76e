package bench

import (
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/catalog"
	"shmbench/internal/build/gocmd"
	"shmbench/internal/build/overlay"
	"shmbench/internal/build/sources"
	"shmbench/internal/build/twin"
	"shmbench/internal/testkit/sample"
	"shmbench/shm"
)

var update = flag.Bool("update", false, "write atomics.json")

// The test compares the table of atomic operations with a count: the locks' own
// source, compiled with a counting twin of sync/atomic. A lock that is too new
// to be in the table has no atomics/op yet, and is no failure.
func TestOwnAtomicsAreWhatTheSourceDoes(t *testing.T) {
	if !sample.All() && !*update {
		t.Skip("compiles every lock anew: -all, or go generate ./bench")
	}
	program := countingProgram(t, twin.Replaced("shmbench/internal/build/twin"))
	counts := countAtomics(t, program, 1)
	counted := map[string]map[string]int{}
	for _, a := range catalog.All() {
		name := countedName(a)
		if a.Name == name {
			counted[name] = counts[name]
		}
		require.Equal(t, counted[name], counts[a.Name], a.Name)
	}
	if *update {
		writeCounts(t, "atomics.json", counted)
		writeCounts(t, "accesses.json", accessesIn(countAtomics(t, program, AccessesProcs)))
		return
	}
	for _, name := range Uncounted(catalog.All()) {
		t.Logf("atomics.json does not have %s: go generate ./bench", name)
		delete(counted, name)
	}
	require.Equal(t, counted, ownAtomics, "atomics.json is out of date: go generate ./bench")
	inSource := accessesIn(countAtomics(t, program, AccessesProcs))
	for name := range inSource {
		if _, ok := accesses[name]; !ok {
			delete(inSource, name) // too new
		}
	}
	require.Equal(t, inSource, accesses, "accesses.json is out of date: go generate ./bench")
}

// accessesIn are the accesses of the algorithms, by the name under which they are
// counted.
func accessesIn(counts map[string]map[string]int) map[string]Accesses {
	all := map[string]Accesses{}
	for _, a := range catalog.All() {
		var n Accesses
		for op, k := range counts[countedName(a)] {
			switch kind, _, _ := strings.Cut(op, "-"); kind {
			case "load":
				n.Loads += k
			case "store", "release":
				n.Stores += k
			default:
				n.RMWs += k
			}
		}
		all[countedName(a)] = n
	}
	return all
}

func writeCounts(t *testing.T, name string, counts any) {
	t.Helper()
	text, err := json.MarshalIndent(counts, "", "  ")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(name, append(text, '\n'), 0o666))
}

// TestAccesses: a process that is alone looks at everybody in the bakery, at its own
// path in a tree, and at one word in a test-and-set lock.
func TestAccesses(t *testing.T) {
	of := func(name string) Accesses {
		n, ok := AccessesOf(get(t, name))
		require.True(t, ok, name)
		return n
	}
	require.Equal(t, Accesses{Stores: 1, RMWs: 1}, of("tas/tas"))
	require.Equal(t, of("peterson/peterson"), of("peterson/peterson-padded"))
	require.Equal(t, Accesses{Loads: 1, Stores: 3}, of("peterson/peterson-released"))
	one, tree := of("peterson/peterson"), of("tournament/peterson")
	require.Equal(t, Accesses{Loads: 3 * one.Loads, Stores: 3 * one.Stores}, tree, "three levels")
	require.Greater(t, of("bakery/lamport").Loads, AccessesProcs)
	_, ok := AccessesOf(shm.Algorithm{Name: "stranger/lock"})
	require.False(t, ok)
}

// Without the twin there is nothing to count, so that the count above is the
// twin's.
func TestNothingIsCountedWithoutTheTwin(t *testing.T) {
	sample.NeedsAll(t)
	for name, ops := range countAtomics(t, countingProgram(t, nil), 1) {
		require.Empty(t, ops, name)
	}
}

func TestUncountedLocksAreNamed(t *testing.T) {
	known, stranger := get(t, "peterson/peterson-padded"), get(t, "peterson/peterson")
	stranger.Name = "stranger/lock"
	require.Equal(t, []string{"stranger/lock"}, Uncounted([]shm.Algorithm{known, stranger}))
}

// countingProgram builds the program that counts.
func countingProgram(t *testing.T, replace map[string]string) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "passage.exe")
	err := overlay.Build(t.Context(), overlay.Options{
		Place:    gocmd.In("."),
		Packages: sources.Packages(catalog.Families()),
		Replace:  replace,
		Target:   "shmbench/bench/testdata/passage",
		Output:   program,
	})
	if err == gocmd.ErrMissing {
		t.Skip(err)
	}
	require.NoError(t, err)
	return program
}

// countAtomics counts in locks for n processes.
func countAtomics(t *testing.T, program string, n int) map[string]map[string]int {
	t.Helper()
	out, err := exec.Command(program, strconv.Itoa(n)).Output()
	require.NoError(t, err)
	var counts map[string]map[string]int
	require.NoError(t, json.Unmarshal(out, &counts))
	return counts
}
