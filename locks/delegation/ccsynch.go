package delegation

import (
	"slices"
	"sync/atomic"

	"shmbench/shm"
	"shmbench/shm/spin"
)

// Combining is the paper of CC-Synch, DSM-Synch and H-Synch.
var Combining = shm.Source{
	Author: "Panagiota Fatourou and Nikolaos D. Kallimanis",
	Title:  "Revisiting the Combining Synchronization Technique",
	Venue:  "ACM SIGPLAN Symposium on Principles and Practice of Parallel Programming",
	Year:   2012,
	Page:   "257-266",
}

// Batch is how many requests a combiner executes at most, for each process, in the delegates
// of the catalog. The authors' library has 10. A checker explores each number of requests of a
// batch.
const Batch = 2

// CCSynchMutex returns the specification of the ticket lock over CC-Synch.
func CCSynchMutex() shm.Algorithm {
	return shm.Algorithm{
		Name:     "delegation/ccsynch",
		Title:    "CC-Synch",
		Source:   Combining,
		Class:    shm.Swap,
		Explored: shm.Explored{Procs: 2},
		Claims:   inOrder("2"),
		Space: slices.Concat(shm.Space{
			{Name: "tail", Count: shm.Const(1), Values: shm.NPlus1},
			{Name: "next", Count: shm.NPlus1, Values: shm.NPlus1},
			{Name: "wait", Count: shm.NPlus1, Values: shm.Const(2)},
			{Name: "completed", Count: shm.NPlus1, Values: shm.Const(2)},
			{Name: "request", Count: shm.NPlus1, Values: shm.NPlus1},
			{Name: "result", Count: shm.NPlus1, Values: results},
		}, TicketSpace(shm.N)),
	}.Built(shm.Padded, shm.Sequential, func(b shm.Build) shm.Mutex {
		return NewTicketMutex(b.N, NewCCSynch(b.N, Batch*b.N))
	})
}

// CCSynch is the combining algorithm for coherent caches: processes queue up with a swap,
// and the first process executes the requests of those behind it.
//
// Source: Panagiota Fatourou and Nikolaos D. Kallimanis, "Revisiting the Combining
// Synchronization Technique", PPoPP 2012, p. 257-266. Written after the authors' program
// libconcurrent/concurrent/ccsynch.c, github.com/nkallima/sim-universal-construction,
// commit 3435e0a.
//
// Registers: tail, a record, swapped by all; n+1 records. The owner of a record writes its
// request and next. The combiner writes result, completed and wait. A process owns one spare
// record, puts it at the end of the queue, and gets the one that was there before.
//
// Properties: one process at a time finds wait false and completed false in its record. This
// is because only the last combiner makes them so, for the one record where it stops.
// Requests are executed in the order of line 2. So no process starves if h is bounded; h
// bounds how many requests a combiner executes. A batch of t requests takes O(h + t) remote
// references.
//
// The doorway is lines 1 and 2.
//
//	Execute(i, f), where process i has the record spare:
//	1  N := spare; N.next := nil; N.wait := true; N.completed := false
//	2  C := swap(tail, N)
//	3  C.request := f; C.next := N; spare := C
//	4  wait until not C.wait
//	5  if C.completed then return C.result
//	6  P := C; at most h times, while P.next is not nil:
//	       T := P.next; P.result := P.request(); P.completed := true; P.wait := false; P := T
//	7  P.wait := false; return C.result
//
// At the start tail is a record with wait = completed = false.
//
// completed, request and result are plain words: the stores and loads of next and wait put
// the accesses of different processes in an order.
//
// Deviations: pointers to records are numbers, and 0 is nil. The request is a function; in
// the authors' program it is a word, for one function. h is a parameter; the authors'
// program has 10n.
type CCSynch struct {
	_      shm.NoCopy
	_      shm.Pad
	tail   atomic.Uint32 // the name of a record
	_      shm.Pad
	h      int
	record shm.Array[ccRecord]
	spare  shm.Array[uint32] // spare[i] is used by process i only
}

type ccRecord struct {
	next      atomic.Uint32 // the name of a record, or 0
	wait      atomic.Bool
	completed bool
	request   func() uint64
	result    uint64
}

// NewCCSynch returns CC-Synch for n processes. A combiner executes at most h requests, 1 or
// more.
func NewCCSynch(n, h int) *CCSynch {
	l := &CCSynch{h: h, record: shm.NewArray[ccRecord](n+1, shm.Padded), spare: shm.NewArray[uint32](n, shm.Padded)}
	for i := range n {
		*l.spare.At(i) = uint32(i + 1)
	}
	l.tail.Store(uint32(n + 1))
	return l
}

// of returns the record of a name.
func (l *CCSynch) of(name uint32) *ccRecord { return l.record.At(int(name - 1)) }

// Execute has f executed for process i.
func (l *CCSynch) Execute(i int, f func() uint64) uint64 {
	spare := l.spare.At(i)
	name := *spare
	N := l.of(name)
	N.next.Store(0)            // 1
	N.wait.Store(true)         // 1
	N.completed = false        // 1
	*spare = l.tail.Swap(name) // 2
	C := l.of(*spare)
	C.request = f                                     // 3
	C.next.Store(name)                                // 3
	spin.Until(func() bool { return !C.wait.Load() }) // 4
	if !C.completed {                                 // 5
		l.combine(C)
	}
	return C.result // 5, 7
}

// combine executes the requests from record P on.
func (l *CCSynch) combine(P *ccRecord) {
	for range l.h {
		T := P.next.Load() // 6
		if T == 0 {
			break
		}
		P.result = P.request() // 6
		P.completed = true     // 6
		P.wait.Store(false)    // 6
		P = l.of(T)
	}
	P.wait.Store(false) // 7
}
