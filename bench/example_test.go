package bench_test

import (
	"context"
	"fmt"
	"sync"
	"time"

	"shmbench/bench"
	"shmbench/shm"
)

// myLock is a lock of one's own: anything with the two methods, and a specification.
type myLock struct{ mu sync.Mutex }

func (l *myLock) Lock(int)   { l.mu.Lock() }
func (l *myLock) Unlock(int) { l.mu.Unlock() }

var mySpec = shm.Algorithm{
	Name:     "mine/lock",
	MinProcs: 1,
	MaxProcs: shm.MaxProcs,
	New:      func(int) (shm.Mutex, error) { return new(myLock), nil },
}

// A lock of one's own is measured outside of benchmarks by Measure; in a
// benchmark, bench.Run(b, mySpec, bench.Workload{Procs: 2}) does the same.
func ExampleMeasure() {
	sample, err := bench.Measure(context.Background(), mySpec,
		bench.Workload{Procs: 2, CS: 100 * time.Nanosecond},
		bench.Options{Duration: 50 * time.Millisecond})
	if err != nil {
		fmt.Println(err)
		return
	}
	ns, _ := sample.Get("ns/op")
	fmt.Println(sample.Line().Name, ns > 0)
	// Output: Passage/alg=mine-lock/procs=2/cs=100/ncs=0 true
}
