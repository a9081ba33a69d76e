package check

import (
	"context"
	"go/types"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/tools/go/ssa"

	"shmbench/catalog"
	"shmbench/catalog/mutants"
	"shmbench/check/internal/automaton"
	"shmbench/check/internal/explore"
	"shmbench/check/internal/interp"
	"shmbench/check/internal/source"
	"shmbench/check/internal/symmetry"
	"shmbench/shm"
)

// What several tests need is read, checked and compiled once.

// TestMain lets the heap grow further between collections, which take a third of
// the tests' time otherwise, and removes the programs that the tests have built.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	status := m.Run()
	programs.Range(func(_, of any) bool {
		of.(*team).close()
		return true
	})
	os.Exit(status)
}

// CatalogueSource is the source of the families of the catalog that the tests look at, and of no
// others: each family is compiled.
var CatalogueSource = sync.OnceValues(func() (*Source, error) {
	some := slices.DeleteFunc(catalog.All(), func(a shm.Algorithm) bool { return !opened(a) })
	return OpenFor(context.Background(), catalog.Path, some)
})

// wholeCatalog is the source of all locks of the catalog.
var wholeCatalog = sync.OnceValues(func() (*Source, error) { return Open(context.Background(), "", catalog.Path) })

// parts has the parts of the catalog that SourceOf has read, by the family.
var parts sync.Map

// SourceOf returns the source of the family of a lock of the catalog, as a check of that
// lock reads it. To list the locks of the whole catalog, for each check again, takes most
// of the time of a small check.
func SourceOf(t testing.TB, lock string) *Source {
	t.Helper()
	open, _ := parts.LoadOrStore(familyOf(lock), sync.OnceValues(func() (*Source, error) {
		src, err := OpenFor(context.Background(), catalog.Path, []shm.Algorithm{{Name: lock}})
		if err == nil && src.pkg.Path == catalog.Path {
			return wholeCatalog()
		}
		return src, err
	}))
	src, err := open.(func() (*Source, error))()
	if err != nil {
		t.Fatal(err)
	}
	return src
}

// testdata has the packages that Testdata has read, by their names.
var testdata sync.Map

// Testdata returns the source of a package of testdata, such as "locks".
func Testdata(t testing.TB, name string) *Source {
	t.Helper()
	open, _ := testdata.LoadOrStore(name, sync.OnceValues(func() (*Source, error) {
		return Open(context.Background(), "", "shmbench/check/testdata/"+name)
	}))
	src, err := open.(func() (*Source, error))()
	if err != nil {
		t.Fatal(err)
	}
	return src
}

// programs has, for each source, a team with the program that has all its locks.
var programs sync.Map

// Once checks the lock of a constructor as Lock does. All calls for one source run
// the same compiled program, which has all locks of the package in it.
func (src *Source) Once(ctx context.Context, constructor string, o Options) ([]*Report, error) {
	return src.once(ctx, src.pkg.Lock(constructor), o)
}

// AlgorithmOnce checks an algorithm of the list All in the same way.
func (src *Source) AlgorithmOnce(ctx context.Context, a shm.Algorithm, o Options) ([]*Report, error) {
	return src.once(ctx, src.pkg.Algorithm("All", a), o)
}

func (src *Source) once(ctx context.Context, s *source.Lock, o Options) ([]*Report, error) {
	run := &runner{o: o}
	if o.Replays > 0 {
		run.team = src.program(s)
	}
	defer run.close()
	return run.check(ctx, s)
}

// program returns the team of the program that has all locks of the source of s,
// and builds the program unless it is there.
func (src *Source) program(s *source.Lock) *team {
	of, _ := programs.LoadOrStore(src, &team{size: 1})
	t := of.(*team)
	if s.Origin.List == "" {
		s.Target.Constructors = src.pkg.Constructors(src.allConstructors())
	}
	t.compile.Do(func() { t.code, t.without = s.Compiled(context.Background()) })
	return t
}

// allConstructors returns the names of the functions that build a lock.
func (src *Source) allConstructors() (names []string) {
	pid := types.NewTuple(types.NewParam(0, nil, "pid", types.Typ[types.Int]))
	method := func(name string) *types.Func {
		return types.NewFunc(0, nil, name, types.NewSignatureType(nil, nil, nil, pid, nil, false))
	}
	locker := types.NewInterfaceType([]*types.Func{method("Lock"), method("Unlock")}, nil).Complete()
	for name, member := range src.pkg.Prog.Main.Members {
		fn, ok := member.(*ssa.Function)
		if !ok || !strings.HasPrefix(strings.ToLower(name), "new") || fn.Signature.TypeParams().Len() > 0 {
			continue
		}
		results := fn.Signature.Results()
		if _, ok := interp.Further(fn.Signature); !ok || results.Len() == 0 || !types.Implements(results.At(0).Type(), locker) {
			continue
		}
		if results.Len() == 1 || results.Len() == 2 && types.Identical(results.At(1).Type(), types.Universe.Lookup("error").Type()) {
			names = append(names, name)
		}
	}
	return names
}

// InTime returns a context that ends shortly before the deadline of the tests, so
// that a check without an answer fails its test and says which lock it was.
func InTime(t testing.TB) context.Context {
	tt, _ := t.(*testing.T)
	deadline, ok := time.Time{}, false
	if tt != nil {
		deadline, ok = tt.Deadline()
	}
	if !ok {
		return t.Context()
	}
	ctx, cancel := context.WithDeadline(t.Context(), deadline.Add(-time.Until(deadline)/20))
	t.Cleanup(cancel)
	return ctx
}

// AlgorithmName returns the name of an algorithm, by which samples are chosen.
func AlgorithmName(a shm.Algorithm) string { return a.Name }

// SmallStates is how many states a lock for three processes may have in these
// tests; what has more is left to .ci/run, which checks everything.
const SmallStates = 10_000

// fewStates is how many states a lock for two processes may have that is looked at
// with three here: to learn one that turns out to be too large takes long too.
const fewStates = 200

// Small returns the reports without those of more than two processes, or of all
// modes, that came to the limit of SmallStates.
func Small(reports []*Report) []*Report {
	return slices.DeleteFunc(reports, func(r *Report) bool { return (r.N > 2 || r.Modes != nil) && r.Refused == "" && !r.Exhausted })
}

// replays is how many accesses are replayed of each, beside every transition.
const replays = 2_000

var catalogueReports = sync.OnceValues(checkCatalogue)

// CatalogReports returns the reports of the locks of the catalog that these
// tests look at, as far as they are small, each replayed on the compiled code. It
// logs which locks these are.
func CatalogueReports(t testing.TB) []*Report {
	t.Helper()
	reports, err := catalogueReports()
	if err != nil {
		t.Fatal(err)
	}
	var said []string
	for _, r := range reports {
		said = append(said, r.Algorithm)
	}
	t.Logf("%d locks checked, more with -all: %s", len(slices.Compact(said)), strings.Join(slices.Compact(said), ", "))
	return reports
}

func checkCatalogue() (found []*Report, err error) {
	src, err := CatalogueSource()
	if err != nil {
		return nil, err
	}
	run := &runner{o: Options{MaxStates: SmallStates, Replays: replays}}
	defer run.close()
	for _, a := range catalog.All() {
		if !looksAt(a, 2) || a.Explored.Procs > 0 {
			continue // a lock with so many states is left to .ci/run, too
		}
		run.team = src.program(src.pkg.Algorithm("All", a))
		states := 0 // with two
		for _, n := range []int{2, 3} {
			if n == 3 && (a.Stores == shm.Released || states > fewStates || !looksAt(a, n)) {
				continue // .ci/run checks it
			}
			run.o.N = []int{n}
			reports, err := run.check(context.Background(), src.pkg.Algorithm("All", a))
			if err != nil {
				return nil, err
			}
			if len(reports) > 0 { // by Lock and Unlock alone
				states = reports[0].States
			}
			found = append(found, reports...)
		}
	}
	return Small(found), nil
}

// OpenMutants reads the source of mutants.
func OpenMutants(some []mutants.Mutant) (*Source, error) {
	program, err := mutants.Source(context.Background(), some)
	if err != nil {
		return nil, err
	}
	return OpenEdited(context.Background(), program)
}

// UpTo returns options with which Safety counts states up to the symmetries that find finds, and makes every step, or uses
// persistent sets.
func UpTo(o Options, find func(m *automaton.Model) []symmetry.Renaming, persistent bool) Options {
	o.Safety, o.symmetries, o.steps = true, find, explore.AllSteps
	if persistent {
		o.steps = explore.ForDeadlocks
	}
	return o
}

// Alone checks locks by Lock and Unlock only.
func (src *Source) Alone(ctx context.Context, algorithms []shm.Algorithm, o Options) (all []*Report, err error) {
	o.LockOnly = true
	run := &runner{o: o}
	defer run.close()
	for _, a := range algorithms {
		reports, err := run.check(ctx, src.pkg.Algorithm("All", a))
		if err != nil {
			return nil, err
		}
		all = append(all, reports...)
	}
	return all, nil
}
