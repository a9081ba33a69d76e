package bench

import (
	"context"
	"runtime"
	"runtime/debug"
	"slices"
	"sync/atomic"
	"time"

	"shmbench/internal/machine/clock"
	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
)

// Cost is the time of one uncontended operation on this machine.
type Cost struct {
	// Op is the operation: "store-uint32", "clock", "transfer".
	Op string
	NS float64
}

// Transfer is the operation of moving a cache line between two cores.
// TransferThreads moves it between two hardware threads of one core.
const (
	Transfer        = "transfer"
	TransferThreads = "transfer-threads"
)

// operation is an operation whose cost is measured. For each element of ns, time
// does the operation n times, and stores in the element how many ns the n
// operations took. It returns false if this machine cannot do the operation, or
// cannot do it now.
type operation struct {
	name string
	time func(n int, ns []int64) bool
}

// Each cost is the median of so many trials of so many operations. The trials are
// short, so that other work on the machine disturbs few of them.
const (
	trials     = 15
	operations = 1000
)

// Machine measures the costs of the machine's own operations. These are the atomic operations
// that locks use, three of them in a row, the clock, and one pause under the waiting policy in use. The others are a
// yield to the scheduler, a microsecond of calibrated work, and the transfer of a cache line
// between two processors. The microsecond shows how well the work is calibrated. Machine leaves
// out operations that this machine does not have. It leaves out the transfer if other programs
// kept one of the two processors busy. It returns the costs that it has when ctx ends.
func Machine(ctx context.Context) []Cost { return costsOf(ctx, machine()) }

// costsOf keeps the garbage collector off: while it marks, each store of a pointer goes through
// its write barrier, and costs several times as much.
func costsOf(ctx context.Context, ops []operation) []Cost {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	runtime.GC() // ends a collection that has begun
	var costs []Cost
	for _, op := range ops {
		if ctx.Err() != nil {
			break
		}
		if ns, ok := op.cost(); ok {
			costs = append(costs, Cost{op.name, ns})
		}
	}
	return costs
}

// transferTime measures the transfer between the first two processors to which
// processes are pinned. If they are not pinned, it takes the first two processors
// of PinCores. It returns false if there is only one processor, or if other
// programs kept one of the two busy.
func transferTime(pin Pinning) (Cost, bool) {
	op, _ := transferOver(pin)
	ns, ok := op.cost()
	return Cost{op.name, ns}, ok
}

func (op operation) cost() (ns float64, ok bool) {
	all := make([]int64, trials)
	if !op.time(operations, all) {
		return 0, false
	}
	return costOf(operations, all), true
}

// costOf returns the cost of one operation: the median of the times that trials of
// n operations took, divided by n.
func costOf(n int, ns []int64) float64 {
	slices.Sort(ns)
	return float64(ns[len(ns)/2]) / float64(n)
}

// machine returns all operations that Machine measures.
func machine() []operation {
	ops := slices.Concat(atomics(), mixed(), pastimes())
	for _, pin := range []Pinning{PinCores, PinThreads} {
		op, _ := transferOver(pin)
		if !slices.ContainsFunc(ops, func(o operation) bool { return o.name == op.name }) {
			ops = append(ops, op)
		}
	}
	return ops
}

// atomics returns the atomic operations that locks use.
func atomics() []operation {
	return slices.Concat(boolOps(), int32Ops(), uint32Ops(), uint64Ops(), pointerOps())
}

// pastimes returns what a process does between atomic operations, and the clock.
func pastimes() []operation {
	steps := steps(time.Microsecond)
	return []operation{
		loop("clock", func(n int) {
			for range n {
				clock.Now()
			}
		}),
		loop("spin-pause", func(n int) {
			for range n {
				spin.Pause()
			}
		}),
		loop("gosched", func(n int) {
			for range n {
				runtime.Gosched()
			}
		}),
		loop("work-1000ns", func(n int) {
			x := uint64(n)
			for range n {
				x = work(steps, x)
			}
			keep(x)
		}),
	}
}

// loop returns an operation that this goroutine does by itself.
func loop(name string, do func(n int)) operation {
	return operation{name, func(n int, ns []int64) bool {
		for i := range ns {
			start := clock.Now()
			do(n)
			ns[i] = clock.Now() - start
		}
		return true
	}}
}

// newRegister returns a register with cache lines of its own.
func newRegister[T any]() *T {
	r := shm.NewArray[T](1, shm.Padded)
	return r.At(0)
}

func boolOps() []operation {
	r := newRegister[register.Bool]()
	return []operation{
		loop("load-bool", func(n int) {
			for range n {
				r.Load()
			}
		}),
		loop("store-bool", func(n int) {
			for range n {
				r.Store(true)
			}
		}),
		loop("release-bool", func(n int) {
			for range n {
				r.StoreRelease(true)
			}
		}),
		loop("swap-bool", func(n int) {
			for range n {
				r.Swap(true)
			}
		}),
		loop("cas-bool", func(n int) {
			for range n {
				r.CompareAndSwap(true, true)
			}
		}),
	}
}

func int32Ops() []operation {
	r := newRegister[register.Int32]()
	return []operation{
		loop("load-int32", func(n int) {
			for range n {
				r.Load()
			}
		}),
		loop("store-int32", func(n int) {
			for range n {
				r.Store(1)
			}
		}),
		loop("release-int32", func(n int) {
			for range n {
				r.StoreRelease(1)
			}
		}),
		loop("cas-int32", func(n int) {
			for range n {
				r.CompareAndSwap(1, 1)
			}
		}),
		loop("add-int32", func(n int) {
			for range n {
				r.Add(1)
			}
		}),
	}
}

func uint32Ops() []operation {
	r := newRegister[register.Uint32]()
	return []operation{
		loop("load-uint32", func(n int) {
			for range n {
				r.Load()
			}
		}),
		loop("store-uint32", func(n int) {
			for range n {
				r.Store(1)
			}
		}),
		loop("release-uint32", func(n int) {
			for range n {
				r.StoreRelease(1)
			}
		}),
		loop("swap-uint32", func(n int) {
			for range n {
				r.Swap(1)
			}
		}),
		loop("cas-uint32", func(n int) {
			for range n {
				r.CompareAndSwap(1, 1)
			}
		}),
		loop("add-uint32", func(n int) {
			for range n {
				r.Add(1)
			}
		}),
		loop("and-uint32", func(n int) {
			for range n {
				r.And(1)
			}
		}),
		loop("or-uint32", func(n int) {
			for range n {
				r.Or(1)
			}
		}),
	}
}

func uint64Ops() []operation {
	r := newRegister[register.Uint64]()
	return []operation{
		loop("load-uint64", func(n int) {
			for range n {
				r.Load()
			}
		}),
		loop("store-uint64", func(n int) {
			for range n {
				r.Store(1)
			}
		}),
		loop("release-uint64", func(n int) {
			for range n {
				r.StoreRelease(1)
			}
		}),
		loop("swap-uint64", func(n int) {
			for range n {
				r.Swap(1)
			}
		}),
		loop("cas-uint64", func(n int) {
			for range n {
				r.CompareAndSwap(1, 1)
			}
		}),
		loop("add-uint64", func(n int) {
			for range n {
				r.Add(1)
			}
		}),
		loop("and-uint64", func(n int) {
			for range n {
				r.And(1)
			}
		}),
	}
}

func pointerOps() []operation {
	r, p := newRegister[atomic.Pointer[int]](), new(int)
	return []operation{
		loop("load-pointer", func(n int) {
			for range n {
				r.Load()
			}
		}),
		loop("store-pointer", func(n int) {
			for range n {
				r.Store(p)
			}
		}),
		loop("swap-pointer", func(n int) {
			for range n {
				r.Swap(p)
			}
		}),
		loop("cas-pointer", func(n int) {
			for range n {
				r.CompareAndSwap(p, p)
			}
		}),
	}
}
