package delegation

import (
	"slices"
	"sync/atomic"

	"shmbench/shm"
	"shmbench/shm/spin"
)

// DSMSynchMutex returns the specification of the ticket lock over DSM-Synch.
func DSMSynchMutex() shm.Algorithm {
	twice := shm.Formula{Text: "2n", At: func(n int) int { return 2 * n }}
	return shm.Algorithm{
		Name:     "delegation/dsmsynch",
		Title:    "DSM-Synch",
		Source:   Combining,
		Class:    shm.Swap | shm.CompareAndSwap,
		Explored: shm.Explored{Procs: 2},
		Claims:   inOrder("2"),
		Space: slices.Concat(shm.Space{
			{Name: "tail", Count: shm.Const(1), Values: shm.Formula{Text: "2n+1", At: func(n int) int { return 2*n + 1 }}},
			{Name: "next", Count: twice, Values: shm.Formula{Text: "2n-1", At: func(n int) int { return 2*n - 1 }}},
			{Name: "wait", Count: twice, Values: shm.Const(2)},
			{Name: "completed", Count: twice, Values: shm.Const(2)},
			{Name: "request", Count: twice, Values: shm.Const(2)},
			{Name: "result", Count: twice, Values: shm.NPlus1},
		}, TicketSpace(shm.N)),
	}.Built(shm.Padded, shm.Sequential, func(b shm.Build) shm.Mutex {
		return NewTicketMutex(b.N, NewDSMSynch(b.N, Batch*b.N))
	})
}

// DSMSynch is the combining algorithm for distributed memory: each process waits at a record
// of its own.
//
// Source: Panagiota Fatourou and Nikolaos D. Kallimanis, "Revisiting the Combining
// Synchronization Technique", PPoPP 2012, p. 257-266. Written after the authors' program
// libconcurrent/concurrent/dsmsynch.c, github.com/nkallima/sim-universal-construction,
// commit 3435e0a.
//
// Registers: tail, a record or nil, written by all; two records for each process, which it
// uses in turn. The owner of a record writes its request, and the process behind it writes
// next. The combiner writes result, completed and wait.
//
// Properties: as those of CC-Synch. A process needs two records, because the combiner reads
// next of a record after it has completed the record's request. The process comes back with
// the other record, and its request on that one is executed after the combiner has gone on.
// The ticket lock does not spin locally with distributed memory, because all processes wait
// for serving; Execute does.
//
// The doorway is lines 1 and 2.
//
//	Execute(i, f), where process i has two records:
//	1  M := the other record; M.next := nil; M.request := f; M.wait := true; M.completed := false
//	2  p := swap(tail, M)
//	3  if p is not nil then p.next := M; wait until not M.wait; if M.completed then return M.result
//	4  P := M; repeat P.result := P.request(); P.completed := true; P.wait := false;
//	       if P.next is nil, or P.next.next is nil, or this was done h times then goto 5; P := P.next
//	5  if P.next is nil then if compare-and-swap(tail, P, nil) then return M.result;
//	       wait until P.next is not nil
//	6  P.next.wait := false; return M.result
//
// completed, request and result are plain words: the accesses of tail, next and wait put the
// accesses of different processes in an order.
//
// Deviations: pointers to records are numbers, and 0 is nil. The request is a function; in
// the authors' program it is a word, for one function. h is a parameter; the authors'
// program has 10n, and reads tail before the compare-and-swap.
type DSMSynch struct {
	_      shm.NoCopy
	_      shm.Pad
	tail   atomic.Uint32 // the name of a record, or 0
	_      shm.Pad
	h      int
	record shm.Array[dsmRecord]
	toggle shm.Array[uint32] // toggle[i], 0 or 1, is used by process i only
}

type dsmRecord struct {
	next      atomic.Uint32 // the name of a record, or 0
	wait      atomic.Bool
	completed bool
	request   func() uint64
	result    uint64
}

// NewDSMSynch returns DSM-Synch for n processes. A combiner executes at most h requests, 1 or
// more.
func NewDSMSynch(n, h int) *DSMSynch {
	return &DSMSynch{h: h, record: shm.NewArray[dsmRecord](2*n, shm.Padded), toggle: shm.NewArray[uint32](n, shm.Padded)}
}

// of returns the record of a name.
func (l *DSMSynch) of(name uint32) *dsmRecord { return l.record.At(int(name - 1)) }

// Execute has f executed for process i.
func (l *DSMSynch) Execute(i int, f func() uint64) uint64 {
	toggle := l.toggle.At(i)
	*toggle = 1 - *toggle // 1
	name := uint32(2*i) + *toggle + 1
	M := l.of(name)
	M.next.Store(0)        // 1
	M.request = f          // 1
	M.wait.Store(true)     // 1
	M.completed = false    // 1
	p := l.tail.Swap(name) // 2
	if p != 0 {
		l.of(p).next.Store(name)                          // 3
		spin.Until(func() bool { return !M.wait.Load() }) // 3
		if M.completed {                                  // 3
			return M.result // 3
		}
	}
	l.handOver(l.combine(name))
	return M.result // 5, 6
}

// combine executes the requests from a record on, and returns the name of the last one.
func (l *DSMSynch) combine(P uint32) uint32 {
	for done := 1; ; done++ {
		at := l.of(P)
		at.result = at.request()                                     // 4
		at.completed = true                                          // 4
		at.wait.Store(false)                                         // 4
		next := at.next.Load()                                       // 4
		if next == 0 || l.of(next).next.Load() == 0 || done == l.h { // 4
			return P
		}
		P = next
	}
}

// handOver makes the process behind record P the combiner, if there is one.
func (l *DSMSynch) handOver(P uint32) {
	last := l.of(P)
	if last.next.Load() == 0 { // 5
		if l.tail.CompareAndSwap(P, 0) { // 5
			return
		}
		spin.Until(func() bool { return last.next.Load() != 0 }) // 5
	}
	l.of(last.next.Load()).wait.Store(false) // 6
}
