package mutantcheck_test

import (
	"context"
	"flag"
	"os"
	"regexp"
	"runtime/debug"
	"strings"
	"sync"
	"testing"

	"shmbench/catalog/mutants"
	"shmbench/check"
	"shmbench/cmd/shmbench/mutantcheck"
	"shmbench/internal/testkit/sample"
)

// Which mutants these tests look at. With -all it is every one of them.

var mutantsFlag = flag.String("mutants", "", "of the mutants, check all whose name this regular expression matches, and no others")

// alwaysMutants are mutants that the tests look at without -all too: one for each
// verdict, and some with one release store too many.
var alwaysMutants = map[string]bool{
	"mutants/mcs-never-locked":           true, // safety
	"mutants/mcs-tail-kept":              true, // deadlock
	"mutants/priority-never-handed-over": true, // starvation
	"mutants/peterson-turn-read-first":   true, // equivalent
	"mutants/rtas-free":                  true, // under crashes

	"mutants/peterson-turn-released": true, "mutants/burnslynch-flag-released": true, "mutants/dekker-flag-released": true,
}

// looksAtMutant reports whether the tests check a mutant.
func looksAtMutant(m mutants.Mutant) bool {
	return sample.All() || alwaysMutants[m.Name]
}

var checkedOnce = sync.OnceValues(func() (all mutantcheck.All, err error) {
	var some []mutants.Mutant
	for _, m := range mutants.All() {
		if *mutantsFlag != "" && regexp.MustCompile(*mutantsFlag).MatchString(m.Name) || *mutantsFlag == "" && looksAtMutant(m) {
			some = append(some, m)
		}
	}
	err = mutantcheck.Run(context.Background(), some, check.Options{Replays: 1_000, NoCosts: true}, func(x *mutantcheck.Checked) { all = append(all, x) })
	return all, err
})

// checked returns the mutants of these tests, checked once, each replayed on the
// compiled code with what it does wrong. It logs which they are.
func checked(t *testing.T) mutantcheck.All {
	t.Helper()
	all, err := checkedOnce()
	if err != nil {
		t.Fatal(err)
	}
	var said []string
	for _, x := range all {
		said = append(said, x.Name)
	}
	if len(said) == 0 {
		t.Fatal("no mutant was checked")
	}
	t.Logf("%d of %d mutants checked, all with -all: %s", len(all), len(mutants.All()), strings.Join(said, ", "))
	return all
}

// TestMain lets the heap grow further between collections: with -all, the sources of all
// mutants are there all the time, and to collect garbage took a third of the time.
func TestMain(m *testing.M) {
	debug.SetGCPercent(300)
	os.Exit(m.Run())
}
