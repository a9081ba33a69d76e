package bench_test

import (
	"flag"
	"fmt"
	"os"
	"testing"

	"shmbench/baseline"
	"shmbench/bench"
	"shmbench/catalog"
	"shmbench/internal/topo"
	"shmbench/spin"
)

// TestMain puts before benchmarks what "go test" does not say: the rest of the
// configuration, and which direction is better.
func TestMain(m *testing.M) {
	flag.Parse()
	if flag.Lookup("test.bench").Value.String() != "" {
		for _, u := range bench.Units {
			fmt.Printf("Unit %s better=%s\n", u.Name, u.Better)
		}
		said := map[string]bool{"goos": true, "goarch": true, "cpu": true}
		for _, p := range topo.Describe() {
			if !said[p.Key] {
				fmt.Printf("%s: %s\n", p.Key, p.Value)
			}
		}
		fmt.Printf("wait: %v\n", spin.InUse())
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
