package bench

import "runtime"

// heapUse is what the program has allocated when the counted window opens and closes.
// The passages at its edges look, outside of the window: to look, they stop the world.
type heapUse struct{ opened, closed heap }

type heap struct{ bytes, objects uint64 }

func takeHeap() heap {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return heap{m.TotalAlloc, m.Mallocs}
}

// values are what a passage of the sample allocates, in whole objects, as package
// testing has it. A process that waits at an edge of the window may have allocated
// before it what it needs in it, and so an object a process may be missing.
func (u *heapUse) values(s *Sample) []Value {
	objects := u.closed.objects - u.opened.objects + uint64(s.Workload.Procs)
	bytes := u.closed.bytes - u.opened.bytes
	return []Value{{float64((bytes + s.Passages/2) / s.Passages), bytesPerOp}, {float64(objects / s.Passages), allocsPerOp}}
}
