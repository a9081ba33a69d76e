package bench

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"shmbench/baseline"
	"shmbench/shm"
)

// In a benchmark the counted window is as long as b.N wants it. The others:
const (
	benchWarmUp = 5 * time.Millisecond
	leastDetail = time.Millisecond
	mostDetail  = 50 * time.Millisecond
	nullWindow  = 5 * time.Millisecond
)

// Run measures a lock as a sub-benchmark of b, named as Workload.Name says: b.N
// passages by all processes together. It reports the values of a Sample, and
// fails b where Measure returns an error.
func Run(b *testing.B, a shm.Algorithm, w Workload) {
	b.Helper()
	b.Run(w.subname(a.Name), func(b *testing.B) {
		b.ReportAllocs()
		null, err := Measure(b.Context(), baseline.Null, w.alone(), Options{Duration: nullWindow})
		if err != nil {
			b.Fatal(err)
		}
		costs := atomicCosts()
		if w.Procs > 1 {
			if transfer, ok := TransferTime(NotPinned); ok {
				costs = append(slices.Clone(costs), transfer)
			}
		}
		sample, err := measure(b.Context(), a, w, Options{}, window{
			warmUp: benchWarmUp,
			quota:  uint64(b.N),
			detail: func(counted time.Duration) time.Duration {
				return min(max(counted/detailPart, leastDetail), mostDetail)
			},
			opened: b.ResetTimer,
			closed: b.StopTimer,
		})
		if err != nil {
			b.Fatal(err)
		}
		sample.derive(a, costs, &null)
		for _, v := range sample.Values {
			b.ReportMetric(v.Value, v.Unit)
		}
	})
}

// atomicCosts are the machine's costs, measured once: unlike the transfer of a
// cache line they do not depend on where the processors are.
var atomicCosts = sync.OnceValue(func() []Cost { return Machine(context.Background()) })
