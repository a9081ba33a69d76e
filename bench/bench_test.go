package bench_test

import (
	"flag"
	"os"
	"slices"
	"testing"

	"shmbench/baseline"
	"shmbench/bench"
	"shmbench/catalog"
	"shmbench/internal/benchfile"
	"shmbench/internal/topo"
	"shmbench/spin"
)

// TestMain puts before benchmarks what "go test" does not say: the rest of the
// configuration, and which direction is better.
func TestMain(m *testing.M) {
	flag.Parse()
	if flag.Lookup("test.bench").Value.String() != "" {
		config := slices.DeleteFunc(topo.Describe(), func(p topo.Pair) bool {
			return p.Key == "goos" || p.Key == "goarch" || p.Key == "cpu"
		})
		config = append(config, topo.Pair{Key: "wait", Value: spin.InUse().String()})
		if err := benchfile.WriteHeader(os.Stdout, config); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}

// BenchmarkPassage measures the whole catalogue: with one process, which is
// the lock alone, with one for each of two cores, and with more than cores.
func BenchmarkPassage(b *testing.B) {
	for _, procs := range []int{1, 2, 4, 8} {
		for _, a := range catalog.All() {
			if procs >= a.MinProcs && procs <= a.MaxProcs {
				bench.Run(b, a, bench.Workload{Procs: procs})
			}
		}
	}
}

// BenchmarkNull measures what a passage costs without a lock: the harness.
func BenchmarkNull(b *testing.B) {
	bench.Run(b, baseline.Null, bench.Workload{Procs: 1})
}
