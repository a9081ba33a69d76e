package knownbroken_test

import (
	"encoding/csv"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"shmbench/catalog"
	"shmbench/catalog/knownbroken"
	"shmbench/check"
	"shmbench/cmd/shmbench/brokencheck"
	"shmbench/internal/testkit/sample"
	"shmbench/locktest"
)

var update = flag.Bool("update", false, "write testdata/states.tsv, for the locks that are tested")

// statesFile has the number of states of each known-broken lock, for as many processes and on
// the memory of its specification.
const statesFile = "testdata/states.tsv"

// few is the greatest number of states of a lock that is tested without -all, too.
const few = 300

// TestKnownBroken: a known-broken lock does what its specification says, and so does its fix. Its
// number of states is that of statesFile, because a wrong copy of a published lock may have the same
// verdict. The test looks at the locks with few states and at a few others, and compiles none of them;
// with -all it checks all, and replays each.
func TestKnownBroken(t *testing.T) {
	t.Parallel()
	states := statesInFile(t)
	some := slices.DeleteFunc(knownbroken.All(), func(e knownbroken.Lock) bool {
		return states[e.Name] > few && !sample.Has(e.Name, 50)
	})
	shown, o := 0, check.Options{}
	if sample.All() {
		o.Replays = check.DefaultReplays // as in shmbench check -known-broken
	}
	require.NoError(t, brokencheck.Check(t.Context(), some, o, func(x *brokencheck.Result) {
		shown++
		for _, wrong := range x.Wrong {
			t.Errorf("%s: %s\n%v", x.Name, wrong, x.Trace())
		}
		if x.Report == nil {
			return
		}
		if *update {
			states[x.Name] = x.Report.States
		}
		assert.Equal(t, states[x.Name], x.Report.States, "%s: number of states; -update writes it to %s", x.Name, statesFile)
	}))
	require.Len(t, some, shown)
	if *update {
		text := "lock\tstates\n"
		for _, e := range knownbroken.All() {
			text += fmt.Sprintf("%s\t%d\n", e.Name, states[e.Name])
		}
		require.NoError(t, os.WriteFile(statesFile, []byte(text), 0o666))
	}
}

// statesInFile returns the numbers of statesFile, by the name of the lock.
func statesInFile(t *testing.T) map[string]int {
	file, err := os.Open(statesFile)
	require.NoError(t, err)
	defer file.Close()
	table := csv.NewReader(file)
	table.Comma = '\t'
	rows, err := table.ReadAll()
	require.NoError(t, err)
	states := map[string]int{}
	for _, row := range rows[1:] {
		states[row[0]], err = strconv.Atoi(row[1])
		require.NoError(t, err)
	}
	return states
}

// TestGoMutexExit: of three processes one can stay in the exit section of Go's sync.Mutex
// forever, and of two not. So it is no lock of the catalog either.
func TestGoMutexExit(t *testing.T) {
	sample.NeedsAll(t)
	t.Parallel()
	all := knownbroken.All()
	e := all[slices.IndexFunc(all, func(e knownbroken.Lock) bool { return e.Name == "knownbroken/go-mutex" })]
	e.Property, e.Procs, e.Steps = check.ExitProgress, 3, 36
	require.NoError(t, brokencheck.Check(t.Context(), []knownbroken.Lock{e}, check.Options{}, func(x *brokencheck.Result) {
		require.NoError(t, x.Err())
	}))
}

// TestSpecifications: each known-broken lock says what it is, and is in no catalog.
func TestSpecifications(t *testing.T) {
	seen := map[string]bool{}
	year := 0
	for _, e := range knownbroken.All() {
		require.True(t, strings.HasPrefix(e.Name, "knownbroken/"), e.Name)
		require.False(t, seen[e.Name], e.Name)
		seen[e.Name] = true
		for _, said := range []string{e.Title, e.Source.Author, e.Source.Title, e.Read, e.Claimed, e.Verdict, e.Fix} {
			require.NotEmpty(t, said, e.Name)
		}
		require.GreaterOrEqual(t, e.Source.Year, year, "%s: known-broken locks are in the order of publication", e.Name)
		year = e.Source.Year
		require.True(t, strings.HasSuffix(e.Verdict, "."), "%s: the verdict is a sentence", e.Name)
		require.NotZero(t, year, e.Name)
		require.NoError(t, locktest.Verify(t.Context(), e.Algorithm, locktest.Options{
			Rules: []string{"specification agrees with itself", "New refuses a wrong n"},
		}))
		_, err := catalog.Get(e.Name)
		require.Error(t, err, "a known-broken lock must not be in the catalog")
	}
}

// TestNothingToLockWith: the package exports no lock, and no function that builds
// one: a known-broken lock can be had from its specification alone.
func TestNothingToLockWith(t *testing.T) {
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	var exported []string
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil && d.Name.IsExported() {
					exported = append(exported, d.Name.Name)
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					switch s := s.(type) {
					case *ast.TypeSpec:
						if s.Name.IsExported() {
							exported = append(exported, s.Name.Name)
						}
					case *ast.ValueSpec:
						if d.Tok == token.VAR {
							for _, name := range s.Names {
								if name.IsExported() {
									exported = append(exported, name.Name)
								}
							}
						}
					}
				}
			}
		}
	}
	require.ElementsMatch(t, []string{"All", "Lock", "Memory"}, exported)
}
