package catalog_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/internal/testkit/sample"
	"shmbench/internal/testkit/treetest"
)

const zebra = `// Package zebra is a family that a contributor adds.
package zebra

import (
	"sync/atomic"

	"shmbench/shm"
	"shmbench/shm/spin"
)

var Zebra = shm.Algorithm{
	Name:     "zebra/zebra",
	Title:    "A lock by test-and-set",
	Source:   shm.Source{Author: "A Contributor", Title: "A lock", Venue: "a copy of the tree", Year: 2026},
	Class:    shm.TestAndSet,
	MinProcs: 1,
	MaxProcs: shm.MaxProcs,
	Claims:   shm.Claims{DeadlockFree: true},
	Space:    shm.Space{{Name: "busy", Count: shm.Const(1), Values: shm.Const(2)}},
	New: func(n int) (shm.Mutex, error) {
		if err := shm.CheckProcs("zebra/zebra", n, 1, shm.MaxProcs); err != nil {
			return nil, err
		}
		return new(Mutex), nil
	},
}

// Mutex is the lock.
type Mutex struct{ busy atomic.Bool }

func (l *Mutex) Lock(int) {
	for l.busy.Swap(true) {
		spin.Pause()
	}
}

func (l *Mutex) Unlock(int) { l.busy.Store(false) }
`

// What CONTRIBUTING promises: a file and a line of the catalog, with its
// import, add a lock and a family. In a copy of the tree that has such a one,
// the tests hold and the lists that CI reads have it; and what a lock must not
// do is noticed in it without its having been named anywhere.
func TestAFamilyIsAFolderAndALine(t *testing.T) {
	sample.NeedsAll(t)
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip(err)
	}
	copied := t.TempDir()
	treetest.Copy(t, "..", copied, "docs")
	write := func(name, text string) {
		t.Helper()
		name = filepath.Join(copied, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o777))
		require.NoError(t, os.WriteFile(name, []byte(text), 0o666))
	}
	list, err := os.ReadFile("catalog.go")
	require.NoError(t, err)
	listed := strings.Replace(string(list), "import (", "import (\n\t\"shmbench/locks/zebra\"", 1)
	listed = strings.Replace(listed, "slices.Concat(", "slices.Concat(\n\t\talone(zebra.Zebra),", 1)
	write("locks/zebra/zebra.go", zebra)

	inCopy := func(command ...string) (string, error) {
		cmd := exec.CommandContext(t.Context(), command[0], command[1:]...)
		cmd.Dir = copied
		cmd.Env = append(os.Environ(), "GOFLAGS="+os.Getenv("GOFLAGS")+" -trimpath") // lets the build cache serve the next copy
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	holds := func(command ...string) string {
		t.Helper()
		out, err := inCopy(command...)
		require.NoError(t, err, out)
		return out
	}
	structure := []string{"go", "test", "./catalog", "-run", "Import|Famil|Specification|Claim|Refuse|Conformance/^zebra"}

	out, err := inCopy(structure...)
	require.Error(t, err)
	require.Contains(t, out, "shmbench/locks/zebra is imported neither by catalog nor by mutants")
	write("catalog/catalog.go", listed)
	holds(structure...)
	require.Contains(t, holds("bash", ".ci/list", "race"), "shmbench/locks/zebra\n")
	own := []string{"go", "test", "./bench", "-run", "OwnAtomics", "-v", "-all"}
	require.Contains(t, holds(own...), "atomics.json does not have zebra/zebra: go generate ./bench")
	holds("go", "generate", "./bench")
	require.NotContains(t, holds(own...), "does not have")
	counted, err := os.ReadFile(filepath.Join(copied, "bench", "atomics.json"))
	require.NoError(t, err)
	require.Contains(t, string(counted), "\"zebra/zebra\": {\n    \"store-bool\": 1,\n    \"swap-bool\": 1\n  }")

	write("locks/zebra/zebra.go", strings.Replace(zebra, "import (", `import (
	_ "shmbench/bench"
	_ "shmbench/internal/cli/tty"
	_ "time"`, 1))
	out, err = inCopy(structure...)
	require.Error(t, err)
	for _, says := range []string{
		`shmbench/locks/zebra, of the kind "family", reaches shmbench/bench, of the kind "bench"`,
		`shmbench/locks/zebra, of the kind "family", reaches shmbench/internal/cli/tty, of the kind "internal"`,
		"shmbench/locks/zebra may not import time",
	} {
		require.Contains(t, out, says)
	}
	write("locks/zebra/zebra.go", zebra)
	write("fuzzed/fuzzed_test.go", "package fuzzed\n\nfunc FuzzStripes(f *testing.F) {}\n")
	if runtime.GOOS != "windows" {
		require.Contains(t, holds("bash", ".ci/list", "fuzz"), "./fuzzed FuzzStripes\n")
	}
}
