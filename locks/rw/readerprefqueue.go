package rw

import (
	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
)

// ReaderPrefQueue returns the specification of the reader-preference queue lock, with the
// given layout and stores.
func ReaderPrefQueue(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return shm.Algorithm{
		Name:   "rw/readerprefqueue",
		Title:  "Reader-preference queue lock",
		Source: scalable,
		Class:  shm.Swap | shm.CompareAndSwap | shm.FetchAndAdd | shm.FetchAndOr,
		Claims: shm.Claims{
			DeadlockFree:   true,
			StarvationFree: true,
			Bypass:         shm.NMinus1,
			FCFS:           true,
			Doorway:        "8",
			LocalSpin:      shm.LocalSpin{CC: true, DSM: true},
			Mixed: shm.Mixed{
				DeadlockFree: true,
				Writers:      shm.Patient{Bypass: shm.NMinus1, Doorway: "8"},
				Readers:      shm.Patient{StarvationFree: true, Bypass: shm.Const(1), Doorway: "1"},
			},
		},
		Space: shm.Space{
			{Name: "flags", Count: shm.Const(1), Values: shm.Formula{Text: "3n+1", At: func(n int) int { return 3*n + 1 }}},
			{Name: "readers", Count: shm.Const(1), Values: shm.NPlus1},
			{Name: "tail", Count: shm.Const(1), Values: shm.NPlus1},
			{Name: "head", Count: shm.Const(1), Values: shm.NPlus1},
			{Name: "next", Count: shm.N, Values: shm.N, Own: true},
			{Name: "blocked", Count: shm.N, Values: shm.Const(2), Own: true},
		},
	}.Built(layout, stores, buildReaderPrefQueue)
}

// ReaderPrefQueueMutex is the reader-preference queue lock: writers queue up in an MCS list,
// and readers that find a writer in its critical section put themselves on a stack. Each
// process waits for a word of its own.
//
// Source: John M. Mellor-Crummey and Michael L. Scott, "Scalable Reader-Writer
// Synchronization for Shared-Memory Multiprocessors", PPoPP 1991, p. 106-113. Written after
// rwlock.hpp of github.com/jmzkChain/jmzk at commit 1974d941, which follows the pseudo-code
// that the authors keep on the web.
//
// Registers: flags, changed by all: the number of readers that are there, a bit for a
// writer that is active, and a bit for a writer that is interested; readers, the top of the
// stack of readers; tail and head, the last and the first writer of the queue; for each
// process a node with next, written by the writer behind it, and blocked. The owner sets
// blocked, and the process that lets the owner in clears it.
//
// Properties: mutual exclusion, because a writer becomes active when flags has no reader,
// and a reader that finds an active writer on line 1 waits. The writer that leaves, or the
// last reader, lets in the first writer of the queue. Each reader that is let in lets in the
// reader below it on the stack. A reader waits for the active writer only, so no reader
// starves, and at most one writer enters after its doorway: the one that is active but has
// not yet seen that. Writers enter in the order of line 8. Readers that keep coming can
// starve them. A reader on the stack waits for the reader above it, also when there are only
// readers.
//
// A reader's doorway is line 1, a writer's is lines 7 and 8.
//
//	entry section of reader i:
//	1  if flags + reader (fetch-and-add) has not active then enter
//	2  blocked[i] := true
//	3  x := swap(readers, i)
//	4  if flags has not active then h := swap(readers, nil); if h is not nil then blocked[h] := false
//	5  wait until not blocked[i]; if x is not nil then blocked[x] := false
//	reader's exit section:
//	6  if flags - reader (fetch-and-add) is interested then activate
//	entry section of writer i:
//	7  blocked[i] := true; next[i] := nil
//	8  p := swap(tail, i)
//	9  if p = nil then
//	10     head := i
//	11     if fetch-and-or(flags, interested) = 0 then if compare-and-swap(flags, interested, active) succeeds then enter
//	12 else next[p] := i
//	13 wait until not blocked[i]
//	exit section of writer i:
//	14 head := nil
//	15 if fetch-and-and(flags, not active) is not active then
//	16     h := swap(readers, nil); if h is not nil then blocked[h] := false
//	17 if next[i] = nil then if compare-and-swap(tail, i, nil) succeeds then return
//	18 wait until next[i] is not nil; head := next[i]
//	19 if fetch-and-or(flags, interested) = 0 then activate
//	activate:
//	20 if compare-and-swap(flags, interested, active) succeeds then blocked[head] := false
//
// Released stores: lines 2 and 7, which lines 3 and 8 take to memory before another process
// can find the node; lines 10, 14 and 18, which lines 11, 15 and 19 take to memory before
// another process reads head; line 12, which keeps the predecessor on line 18; and the stores
// that clear blocked, which keep the other process waiting while they are not yet visible.
//
// Deviations: the paper's line 15 tests whether the old value is not 0. This is always so,
// because it has active, and so line 16 is always executed there. The node is the process's
// own, and a number stands for its pointer. A reader keeps x in a private variable.
type ReaderPrefQueueMutex struct {
	_        shm.NoCopy
	released bool
	flags    *register.Uint32
	readers  *register.Uint32 // none, or i+1 for the node of process i
	tail     *register.Uint32 // as readers
	head     *register.Uint32 // as readers
	node     shm.Array[readerPrefNode]
}

type readerPrefNode struct {
	next    register.Uint32 // as readers
	blocked register.Bool
}

// none is the number of no node.
const none = 0

// The parts of flags.
const (
	rpInterested = 1
	rpActive     = 2
	rpReader     = 4
)

// NewReaderPrefQueue returns the lock for n processes, or a *shm.ProcsError.
func NewReaderPrefQueue(n int, layout shm.Layout, stores shm.Stores) (*ReaderPrefQueueMutex, error) {
	return shm.New[*ReaderPrefQueueMutex](ReaderPrefQueue(layout, stores), n)
}

func buildReaderPrefQueue(b shm.Build) shm.Mutex {
	r := shm.NewArray[register.Uint32](4, b.Layout)
	return &ReaderPrefQueueMutex{
		released: b.Released,
		flags:    r.At(0),
		readers:  r.At(1),
		tail:     r.At(2),
		head:     r.At(3),
		node:     shm.NewArray[readerPrefNode](b.N, b.Layout),
	}
}

// unblock lets in the process of a node.
func (l *ReaderPrefQueueMutex) unblock(node uint32) {
	l.node.At(int(node-1)).blocked.StoreReleaseIf(l.released, false) // 4, 5, 16, 20
}

// unblockReaders lets in the reader on top of the stack, and empties the stack.
func (l *ReaderPrefQueueMutex) unblockReaders() {
	if h := l.readers.Swap(none); h != none { // 4, 16
		l.unblock(h)
	}
}

// activate lets in the first writer of the queue, unless a reader has come.
func (l *ReaderPrefQueueMutex) activate() {
	if l.flags.CompareAndSwap(rpInterested, rpActive) { // 20
		l.unblock(l.head.Load()) // 20
	}
}

// RLock acquires the lock for process i as a reader.
func (l *ReaderPrefQueueMutex) RLock(i int) {
	if (l.flags.Add(rpReader)-rpReader)&rpActive == 0 { // 1
		return
	}
	blocked := &l.node.At(i).blocked
	blocked.StoreReleaseIf(l.released, true) // 2
	x := l.readers.Swap(uint32(i + 1))       // 3
	if l.flags.Load()&rpActive == 0 {        // 4
		l.unblockReaders()
	}
	spin.Until(func() bool { return !blocked.Load() }) // 5
	if x != none {
		l.unblock(x)
	}
}

// RUnlock releases the lock for a reader.
func (l *ReaderPrefQueueMutex) RUnlock(int) {
	if l.flags.Add(^uint32(rpReader-1)) == rpInterested { // 6
		l.activate()
	}
}

// Lock acquires the lock for process i as a writer.
func (l *ReaderPrefQueueMutex) Lock(i int) {
	I, node := uint32(i+1), l.node.At(i)
	node.blocked.StoreReleaseIf(l.released, true) // 7
	node.next.StoreReleaseIf(l.released, none)    // 7
	p := l.tail.Swap(I)                           // 8
	if p == none {                                // 9
		l.head.StoreReleaseIf(l.released, I)                                                 // 10
		if l.flags.Or(rpInterested) == 0 && l.flags.CompareAndSwap(rpInterested, rpActive) { // 11
			return
		}
	} else {
		l.node.At(int(p-1)).next.StoreReleaseIf(l.released, I) // 12
	}
	spin.Until(func() bool { return !node.blocked.Load() }) // 13
}

// Unlock releases the lock for writer i.
func (l *ReaderPrefQueueMutex) Unlock(i int) {
	node := l.node.At(i)
	l.head.StoreReleaseIf(l.released, none)         // 14
	if l.flags.And(^uint32(rpActive)) != rpActive { // 15
		l.unblockReaders() // 16
	}
	if node.next.Load() == none && l.tail.CompareAndSwap(uint32(i+1), none) { // 17
		return
	}
	spin.Until(func() bool { return node.next.Load() != none }) // 18
	l.head.StoreReleaseIf(l.released, node.next.Load())         // 18
	if l.flags.Or(rpInterested) == 0 {                          // 19
		l.activate()
	}
}
