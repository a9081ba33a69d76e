package bench_test

import (
	"testing"

	"shmbench/baseline"
	"shmbench/bench"
	"shmbench/catalog"
)

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
