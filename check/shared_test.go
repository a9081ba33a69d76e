package check

import (
	"context"
	"os"
	"runtime/debug"
	"sync"
	"testing"

	"shmbench/catalog"
	"shmbench/mutants"
)

// TestMain lets the heap grow further between collections, which take a third of
// the tests' time otherwise.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	os.Exit(m.Run())
}

// What several tests look at is checked once.

// CatalogueReports checks the whole catalogue and replays every lock on the
// compiled code, 20,000 accesses for each n; a variant in layout is the same
// code, and gets fewer.
var CatalogueReports = sync.OnceValues(func() (all []*Report, err error) {
	src, err := Open(context.Background(), "", "shmbench/catalog")
	if err != nil {
		return nil, err
	}
	run := &runner{}
	defer run.close()
	for _, a := range catalog.All() {
		run.o.Replays = replays(a.VariantOf != "")
		reports, err := run.check(context.Background(), src.algorithm("All", a))
		if err != nil {
			return nil, err
		}
		all = append(all, reports...)
	}
	return all, nil
})

func replays(variant bool) int {
	switch {
	case variant:
		return 2_000
	case testing.Short():
		return 5_000
	}
	return 20_000
}

// MutantReports checks every broken lock for its number of processes, and
// replays it and what it does wrong on the compiled code.
var MutantReports = sync.OnceValues(func() (all []*Report, err error) {
	src, err := Open(context.Background(), "", "shmbench/mutants")
	if err != nil {
		return nil, err
	}
	run := &runner{o: Options{Replays: 1_000}}
	defer run.close()
	for _, m := range mutants.All() {
		run.o.N = []int{m.Procs}
		reports, err := run.check(context.Background(), src.algorithm("All", m.Algorithm))
		if err != nil {
			return nil, err
		}
		all = append(all, reports...)
	}
	return all, nil
})
