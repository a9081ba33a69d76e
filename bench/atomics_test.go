package bench

import (
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/catalog"
	"shmbench/internal/overlay"
	"shmbench/internal/twin"
	"shmbench/shm"
)

var update = flag.Bool("update", false, "write atomics.json")

// The table of atomic operations is held against a count: the locks' own
// source, compiled with a counting twin of sync/atomic. A lock that is too new
// to be in the table has no atomics/op yet, and is no failure.
func TestOwnAtomicsAreWhatTheSourceDoes(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	counts := countAtomics(t, twin.Replaced("shmbench/internal/twin"))
	counted := map[string]map[string]int{}
	for _, a := range catalog.All() {
		name := countedName(a)
		if a.Name == name {
			counted[name] = counts[name]
		}
		require.Equal(t, counted[name], counts[a.Name], a.Name)
	}
	for _, absent := range catalog.Absent() {
		counted[absent.Name] = ownAtomics[absent.Name]
	}
	if *update {
		text, err := json.MarshalIndent(counted, "", "  ")
		require.NoError(t, err)
		require.NoError(t, os.WriteFile("atomics.json", append(text, '\n'), 0o666))
		return
	}
	for _, name := range Uncounted(catalog.All()) {
		t.Logf("atomics.json does not have %s: go generate ./bench", name)
		delete(counted, name)
	}
	require.Equal(t, counted, ownAtomics, "atomics.json is out of date: go generate ./bench")
}

// Without the twin there is nothing to count, so that the count above is the
// twin's.
func TestNothingIsCountedWithoutTheTwin(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	for name, ops := range countAtomics(t, nil) {
		require.Empty(t, ops, name)
	}
}

func TestUncountedLocksAreNamed(t *testing.T) {
	known, stranger := get(t, "peterson/peterson-padded"), get(t, "peterson/peterson")
	stranger.Name = "stranger/lock"
	require.Equal(t, []string{"stranger/lock"}, Uncounted([]shm.Algorithm{known, stranger}))
}

func countAtomics(t *testing.T, replace map[string]string) map[string]map[string]int {
	t.Helper()
	program := filepath.Join(t.TempDir(), "passage.exe")
	err := overlay.Build(t.Context(), overlay.Options{
		Dir:      ".",
		Packages: catalog.Families(),
		Replace:  replace,
		Target:   "shmbench/internal/twin/counting/passage",
		Output:   program,
	})
	if err == overlay.ErrNoGo {
		t.Skip(err)
	}
	require.NoError(t, err)
	out, err := exec.Command(program).Output()
	require.NoError(t, err)
	var counts map[string]map[string]int
	require.NoError(t, json.Unmarshal(out, &counts))
	return counts
}
