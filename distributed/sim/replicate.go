package sim

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// Each calls do(0) … do(n-1) on all processors, each number once, and returns
// when all calls have. It starts no further call once ctx is canceled or a
// call has failed, and then returns the cause.
func Each(ctx context.Context, n int, do func(i int) error) error {
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) {
		wg.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				if err := do(i); err != nil {
					fail(err)
				}
			}
		})
	}
	wg.Wait()
	return context.Cause(ctx)
}

// Replication returns the options of the k-th of several independent runs of o: only the
// seed differs. Runs of different algorithms from one seed and k see the same arrivals as
// long as the arrivals do not stop.
func (o Options) Replication(k int) Options {
	o.Seed = mix(o.Seed, uint64(k))
	return o
}

// Replicate makes n independent runs of o on all processors and returns their
// results in order.
func Replicate(ctx context.Context, o Options, n int) ([]Result, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	results := make([]Result, n)
	err := Each(ctx, n, func(k int) (err error) {
		results[k], err = Run(ctx, o.Replication(k))
		return err
	})
	return results, err
}

// Across returns the mean of a measure over independent runs with its
// interval; runs in which it is not a number are left out.
func Across(results []Result, of func(r *Result) float64) Interval {
	var values []float64
	for i := range results {
		if v := of(&results[i]); v == v {
			values = append(values, v)
		}
	}
	return MeanOf(values)
}
