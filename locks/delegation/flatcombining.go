package delegation

import (
	"slices"
	"sync/atomic"

	"shmbench/shm"
	"shmbench/shm/spin"
)

// Rounds is how many times a combiner of flat combining goes through the list, as in the
// program that the lock is written after.
const Rounds = 3

// FlatCombiningMutex returns the specification of the ticket lock over flat combining.
func FlatCombiningMutex() shm.Algorithm {
	return shm.Algorithm{
		Name:  "delegation/flatcombining",
		Title: "Flat combining",
		Source: shm.Source{
			Author: "Danny Hendler and Itai Incze and Nir Shavit and Moran Tzafrir",
			Title:  "Flat Combining and the Synchronization-Parallelism Tradeoff",
			Venue:  "ACM Symposium on Parallelism in Algorithms and Architectures",
			Year:   2010,
			Page:   "355-364",
		},
		Simplified: "the removal of records that have long been idle from the list",
		Class:      shm.CompareAndSwap,
		Explored:   shm.Explored{Procs: 2},
		Claims: shm.Claims{
			DeadlockFree:   true,
			StarvationFree: true,
			Doorway:        "1",
			LocalSpin:      shm.LocalSpin{CC: true},
		},
		Space: slices.Concat(shm.Space{
			{Name: "lock", Count: shm.Const(1), Values: shm.Const(2)},
			{Name: "head", Count: shm.Const(1), Values: shm.NPlus1},
			{Name: "next", Count: shm.N, Values: shm.N},
			{Name: "pending", Count: shm.N, Values: shm.Const(2)},
			{Name: "request", Count: shm.N, Values: shm.Const(2)},
			{Name: "result", Count: shm.N, Values: shm.NPlus1},
		}, TicketSpace(shm.N)),
	}.Built(shm.Padded, shm.Sequential, func(b shm.Build) shm.Mutex {
		return NewTicketMutex(b.N, NewFlatCombining(b.N, Rounds))
	})
}

// FlatCombining is flat combining: processes publish their requests in a list, and the one
// that gets a lock executes all that it finds there.
//
// Source: Danny Hendler, Itai Incze, Nir Shavit and Moran Tzafrir, "Flat Combining and the
// Synchronization-Parallelism Tradeoff", SPAA 2010, p. 355-364. Written after the program
// libconcurrent/concurrent/fc.c, github.com/nkallima/sim-universal-construction, commit
// 3435e0a, which is not by the authors of the paper.
//
// Registers: lock, a bit, set by compare-and-swap; head, the first record of the list,
// changed by compare-and-swap; one record for each process. The owner of a record writes its
// request, and sets pending. The combiner writes result, and clears pending.
//
// Properties: only the process that holds lock executes requests. A process that waits is in
// the list, so that each combiner that begins after this executes its request. A process puts
// its record into the list once, so that its compare-and-swap fails at most n-1 times. So no
// process starves. Requests are executed in the order of the list, and not of their arrival.
// A process that is not yet in the list can be passed any number of times.
//
// Line 1 is a doorway, but gives no order.
//
//	Execute(i, f), where I is the record of process i:
//	1  I.request := f; I.pending := true
//	2  if lock = 0 then if compare-and-swap(lock, 0, 1) then goto 5
//	3  if I is in the list, wait while lock = 1 and I.pending; if not I.pending then return I.result
//	4  if I is not in the list, put it there; goto 2
//	5  if I is not in the list, put it there
//	6  rounds times: for each record R of the list: if R.pending then
//	       R.result := R.request(); R.pending := false
//	7  lock := 0; return I.result
//	put into the list:
//	8  repeat I.next := head until compare-and-swap(head, I.next, I)
//
// request, result and next are plain words: the accesses of pending, lock and head put the
// accesses of different processes in an order.
//
// Deviations: pointers to records are numbers, and 0 is nil. The paper's combiner now and
// then removes records of processes that have long made no request. The program has code for
// this, but counts its passes from 1 each time, so that it never removes one. Here the
// code is left out, and a process knows by itself whether its record is in the list.
type FlatCombining struct {
	_      shm.NoCopy
	_      shm.Pad
	lock   atomic.Bool
	_      shm.Pad
	head   atomic.Uint32 // the name of a record, or 0
	_      shm.Pad
	rounds int
	record shm.Array[fcRecord]
	listed shm.Array[bool] // listed[i] is used by process i only
}

type fcRecord struct {
	next    uint32 // the name of a record, or 0
	pending atomic.Bool
	request func() uint64
	result  uint64
}

// NewFlatCombining returns flat combining for n processes. A combiner goes through the list
// so many rounds, 1 or more.
func NewFlatCombining(n, rounds int) *FlatCombining {
	return &FlatCombining{rounds: rounds, record: shm.NewArray[fcRecord](n, shm.Padded), listed: shm.NewArray[bool](n, shm.Padded)}
}

// Execute has f executed for process i.
func (l *FlatCombining) Execute(i int, f func() uint64) uint64 {
	I := l.record.At(i)
	I.request = f                                              // 1
	I.pending.Store(true)                                      // 1
	for l.lock.Load() || !l.lock.CompareAndSwap(false, true) { // 2
		if *l.listed.At(i) {
			spin.Until(func() bool { return !l.lock.Load() || !I.pending.Load() }) // 3
		}
		if !I.pending.Load() { // 3
			return I.result // 3
		}
		l.publish(i) // 4
	}
	l.publish(i) // 5
	for range l.rounds {
		l.combine()
	}
	l.lock.Store(false) // 7
	return I.result     // 7
}

// combine executes the requests of the list.
func (l *FlatCombining) combine() {
	for at := l.head.Load(); at != 0; { // 6
		R := l.record.At(int(at - 1))
		if R.pending.Load() { // 6
			R.result = R.request() // 6
			R.pending.Store(false) // 6
		}
		at = R.next // 6
	}
}

// publish puts the record of process i into the list, unless it is there.
func (l *FlatCombining) publish(i int) {
	listed := l.listed.At(i)
	for I := l.record.At(i); !*listed; {
		I.next = l.head.Load()                               // 8
		*listed = l.head.CompareAndSwap(I.next, uint32(i+1)) // 8
		if !*listed {
			spin.Pause()
		}
	}
}
