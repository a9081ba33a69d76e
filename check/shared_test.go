package check

import (
	"context"
	"flag"
	"os"
	"regexp"
	"runtime/debug"
	"slices"
	"sync"
	"testing"

	"shmbench/catalog"
	"shmbench/mutants"
	"shmbench/shm"
)

// TestMain lets the heap grow further between collections, which take a third of
// the tests' time otherwise.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	os.Exit(m.Run())
}

// What several tests look at is checked once.

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

// shareWith are the locks of which the other layout is looked at too: it has the same
// automata, and their verdicts.
var shareWith = map[string]bool{"bakery/lamport": true, "peterson/filter": true, "tournament/priority": true, "queue/mcs": true, "queue/ticket": true}

// CatalogueReports checks the catalogue, as far as it is small, and replays
// every lock on the compiled code.
var CatalogueReports = sync.OnceValues(func() (found []*Report, err error) {
	src, err := Open(context.Background(), "", "shmbench/catalog")
	if err != nil {
		return nil, err
	}
	run := &runner{o: Options{MaxStates: SmallStates, Replays: replays}}
	defer run.close()
	for i, a := range catalog.All() {
		if a.Stores == shm.Released && !One(i, 8) || a.VariantOf != "" && a.Stores == shm.Sequential && !shareWith[a.VariantOf] {
			continue
		}
		states := 0 // with two
		for _, n := range []int{2, 3} {
			if n == 3 && (a.Stores == shm.Released || states > fewStates || !One(i, 6)) {
				continue // .ci/run checks it
			}
			run.o.N = []int{n}
			reports, err := run.check(context.Background(), src.algorithm("All", a))
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
})

// replays is how many accesses are replayed of each, beside every transition.
const replays = 2_000

var all = flag.Bool("all", false, "check every lock, every released form, every mutant, construct and trap, and not some of each")

// One reports whether the i-th of a list is looked at: one in some is, unless all are
// asked for.
func One(i, inSome int) bool { return *all || i%inSome == 0 }

var mutantsFlag = flag.String("mutants", "", "of the mutants, check all whose name this regular expression matches, and no others")

// Broken are the mutants of these tests.
func Broken() (some []mutants.Mutant) {
	for i, m := range mutants.All() {
		if *mutantsFlag != "" {
			if regexp.MustCompile(*mutantsFlag).MatchString(m.Name) {
				some = append(some, m)
			}
			continue
		}
		if One(i, 15) || m.Stores == shm.Released && One(i, 3) {
			some = append(some, m)
		}
	}
	return some
}

// OpenMutants reads the source of mutants.
func OpenMutants(some []mutants.Mutant) (*Source, error) {
	program, err := mutants.Source(context.Background(), some)
	if err != nil {
		return nil, err
	}
	return OpenEdited(context.Background(), program)
}

// mutantsSource is the source of the broken locks of these tests.
var mutantsSource = sync.OnceValues(func() (*Source, error) { return OpenMutants(Broken()) })

// MutantReports checks the broken locks of these tests, and replays each and what it does
// wrong on the compiled code.
var MutantReports = sync.OnceValues(func() (all CheckedMutants, err error) {
	err = Mutants(context.Background(), Broken(), Options{Replays: 1_000}, func(x *CheckedMutant) { all = append(all, x) })
	return all, err
})

// Alone checks locks by Lock and Unlock only.
func (src *Source) Alone(ctx context.Context, algorithms []shm.Algorithm, o Options) (all []*Report, err error) {
	o.LockOnly = true
	run := &runner{o: o}
	defer run.close()
	for _, a := range algorithms {
		reports, err := run.check(ctx, src.algorithm("All", a))
		if err != nil {
			return nil, err
		}
		all = append(all, reports...)
	}
	return all, nil
}
