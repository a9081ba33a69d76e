package catalog_test

import (
	"encoding/json"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"shmbench/catalog"
	"shmbench/internal/build/sources"
)

// instruments are the directories that hold one instrument each.
var instruments = []string{"locktest", "stress", "bench", "check", "predict", "report"}

// kind returns what a package is, from the first element of its path below the
// module; an instrument is a kind of its own.
func kind(dir string) string {
	switch dir {
	case "":
		return "source" // the package at the top, which embeds files and imports nothing
	case "shm":
		return "contract"
	case "catalog":
		return "list"
	case "bakery", "peterson", "tournament", "tas", "cas", "locks", "examples":
		return "family"
	case "shm/region", "catalog/mutants", "internal", "cmd":
		return dir
	}
	if slices.Contains(instruments, dir) {
		return dir
	}
	return dir
}

// reach says what kinds a package of each kind may have among its
// dependencies, at any depth, besides packages of the same directory. The
// instruments do not see one another, except for the conformance suite.
func reach(kind string) []string {
	switch kind {
	case "contract":
		return []string{"contract"}
	case "family":
		return []string{"contract", "family"}
	case "list":
		return []string{"contract", "family", "list"}
	case "catalog/mutants":
		// A list whose locks are made from the source of those of the catalog.
		return []string{"contract", "family", "list", "internal"}
	case "shm/region":
		// It moves any lock that follows the contract, and knows none.
		return []string{"contract"}
	case "internal":
		return []string{"contract", "shm/region", "locktest"}
	case "check":
		// The model checker reads the sources of locks, so a test of a user's lock loads
		// none of these.
		return []string{"contract", "internal"}
	case "report":
		// Not a lock but the one that bench measures itself by, as the test below has it. The
		// report reads the documents of these instruments into the types that wrote them.
		return []string{"contract", "family", "internal", "bench", "shm/region", "check", "stress", "locktest"}
	case "cmd":
		return append([]string{"contract", "family", "list", "catalog/mutants", "internal", "shm/region"}, instruments...)
	}
	return []string{"contract", "family", "list", "catalog/mutants", "internal", "locktest", "shm/region"}
}

// pure is what a lock may import of the standard library: nothing with a
// clock, a goroutine or a lock of its own in it.
var pure = []string{"sync/atomic", "math", "math/bits", "cmp", "errors", "fmt", "iter", "slices", "strconv"}

type goPackage struct {
	ImportPath    string
	Imports, Deps []string
}

// dir returns the first element of a path below the module, or "".
func dir(importPath string) string {
	rest, ours := strings.CutPrefix(importPath, "shmbench/")
	if !ours {
		return ""
	}
	for _, below := range []string{"shm/region", "catalog/mutants"} {
		if rest == below || strings.HasPrefix(rest, below+"/") {
			return below
		}
	}
	first, _, _ := strings.Cut(rest, "/")
	return first
}

func packages(t *testing.T) []goPackage {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports,Deps", "shmbench/...").Output()
	require.NoError(t, err)
	var all []goPackage
	for decoder := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p goPackage
		err := decoder.Decode(&p)
		if err == io.EOF {
			require.Greater(t, len(all), 10)
			return all
		}
		require.NoError(t, err)
		all = append(all, p)
	}
}

// Imports run one way: command, instruments, catalog, locks, contract,
// standard library.
func TestImportsRunOneWay(t *testing.T) {
	for _, p := range packages(t) {
		from := dir(p.ImportPath)
		for _, imported := range p.Deps {
			if to := dir(imported); to != "" && to != from {
				assert.Containsf(t, reach(kind(from)), kind(to),
					"%s, of the kind %q, reaches %s, of the kind %q (a new instrument belongs into the list in this test)",
					p.ImportPath, kind(from), imported, kind(to))
			}
		}
	}
}

// The report, with its comparisons and its rankings, reads results, specifications and
// verdicts from files, and no lock: of all families it reaches only the null
// lock, by which bench knows its own cost. A region knows no lock.
func TestTheReportReachesNoLock(t *testing.T) {
	found := false
	for _, p := range packages(t) {
		if dir(p.ImportPath) != "report" {
			continue
		}
		found = true
		for _, imported := range p.Deps {
			if k := kind(dir(imported)); k == "family" || k == "list" || k == "catalog/mutants" {
				assert.Equal(t, "shmbench/locks/baseline", imported)
			}
		}
	}
	require.True(t, found)
}

// A lock knows nothing of the instruments, nor of any library. The baselines
// are what a Go program would use instead, and are made of that.
func TestLocksImportTheContractOnly(t *testing.T) {
	for _, p := range packages(t) {
		if from := dir(p.ImportPath); kind(from) != "family" || p.ImportPath == "shmbench/locks/baseline" {
			continue
		}
		for _, imported := range p.Imports {
			if dir(imported) == "" {
				assert.Containsf(t, pure, imported, "%s may not import %s", p.ImportPath, imported)
			}
		}
	}
}

// A family is named as its package: the specifications and the imports agree.
func TestFamiliesAreThePackagesThatTheCatalogueImports(t *testing.T) {
	for _, p := range packages(t) {
		if p.ImportPath != "shmbench/catalog" {
			continue
		}
		imported := slices.DeleteFunc(p.Imports, func(path string) bool { return kind(dir(path)) != "family" })
		require.ElementsMatch(t, append(imported, "shmbench/shm/futex"), sources.Packages(catalog.Families()))
	}
}

// Every family of locks is in a list: a lock that is in none is not tested.
func TestEveryFamilyIsListed(t *testing.T) {
	var families, listed []string
	for _, p := range packages(t) {
		switch kind(dir(p.ImportPath)) {
		case "family":
			families = append(families, p.ImportPath)
		case "list", "catalog/mutants":
			listed = append(listed, p.Imports...)
		}
	}
	for _, family := range families {
		require.Containsf(t, listed, family, "%s is imported neither by catalog nor by mutants", family)
	}
}
