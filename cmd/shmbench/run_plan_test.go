package main

import (
	"flag"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shmbench/bench"
	"shmbench/catalog"
	"shmbench/internal/machine/affinity"
	"shmbench/internal/machine/topo"
)

// A run without flags on 64 processors of two nodes measures the locks for several nodes,
// too, and its windows take less than five minutes. A plan with three times the samples, or
// of every name of the catalog, takes longer.
func TestTheDefaultRunOn64Processors(t *testing.T) {
	two, err := topo.Places("sockets=2,cores=32", affinity.ByCore)
	require.NoError(t, err)
	one, err := topo.Places("cores=64", affinity.ByCore)
	require.NoError(t, err)
	require.True(t, severalNodes(two, 64))
	require.False(t, severalNodes(two, 32), "all of them are on the first socket")
	require.False(t, severalNodes(one, 64))

	locks, err := selection{}.locksOrShort()
	require.NoError(t, err)
	numa := catalog.ShortNUMA()
	require.Len(t, numa, 5)
	plan := bench.Suite{Algorithms: slices.Concat(locks, numa), Procs: bench.Procs(64), Count: defaultCount}
	require.Equal(t, []int{1, 2, 64, 128, 256}, plan.Procs)
	t.Logf("%v for %d locks", plan.Windows(), len(plan.Algorithms))
	require.Less(t, plan.Windows(), 4*time.Minute, "a minute is left for what is beside the windows")

	readers := plan
	readers.Algorithms = append(slices.Clone(plan.Algorithms), catalog.ReaderWriter()...)
	require.Less(t, readers.Windows(), 4*time.Minute, "with -readers")

	long := plan
	long.Count *= 3
	require.Greater(t, long.Windows(), 4*time.Minute)
	long = plan
	long.Algorithms = catalog.All()
	require.Greater(t, long.Windows(), 4*time.Minute)
}

// Where some passages only read, a run without -alg measures the locks that are made for it.
// Locks that are named stay the only ones.
func TestReadersMeetReaderWriterLocks(t *testing.T) {
	for args, want := range map[string][]string{
		"-readers 0.9":                {"queue/mcs", "rw/phasefair", "baseline/rwmutex"},
		"-readers 0":                  {"queue/mcs"},
		"":                            {"queue/mcs"},
		"-readers 0.9 -alg queue/mcs": {"queue/mcs"},
	} {
		f := &runFlags{fs: flag.NewFlagSet("run", flag.ContinueOnError)}
		f.declare()
		require.NoError(t, f.fs.Parse(strings.Fields(args)))
		suite, err := f.experiment(io.Discard)
		require.NoError(t, err)
		names := namesOf(suite.Algorithms)
		require.Equal(t, want, slices.DeleteFunc([]string{"queue/mcs", "rw/phasefair", "baseline/rwmutex"}, func(name string) bool { return !slices.Contains(names, name) }), args)
		require.Equal(t, len(slices.Compact(slices.Sorted(slices.Values(names)))), len(names), "none twice")
	}
}

// A ranking of every lock takes more samples than one of twenty, for a difference to be
// significant at all. A number that is given stays.
func TestTheDefaultCountIsEnoughForTheRanking(t *testing.T) {
	for count, args := range map[int][]string{defaultCount: {"-alg", "queue"}, 10: {"-alg", "."}, 3: {"-alg", ".", "-count", "3"}} {
		f := &runFlags{fs: flag.NewFlagSet("run", flag.ContinueOnError)}
		f.declare()
		require.NoError(t, f.fs.Parse(args))
		suite, err := f.experiment(io.Discard)
		require.NoError(t, err)
		require.Equal(t, count, suite.Count, args)
	}
}
