package bench

import "runtime"

// heapUse is what the program has allocated when the counted window opens and closes.
// The passages at its edges read the heap outside of the window, because reading it
// stops the world.
type heapUse struct{ opened, closed heap }

type heap struct{ bytes, objects uint64 }

func takeHeap() heap {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return heap{m.TotalAlloc, m.Mallocs}
}

// values returns the allocations of a passage of the sample, in whole objects, as
// package testing does. A process that waits at the edge of the window may already
// have allocated what it needs in the window. So one object a process may be
// missing.
func (u *heapUse) values(s *Sample) []Value {
	objects := u.closed.objects - u.opened.objects + uint64(s.Workload.Procs)
	bytes := u.closed.bytes - u.opened.bytes
	return []Value{{float64((bytes + s.Passages/2) / s.Passages), bytesPerOp}, {float64(objects / s.Passages), allocsPerOp}}
}
