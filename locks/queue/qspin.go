package queue

import (
	"sync/atomic"

	"shmbench/shm"
	"shmbench/shm/spin"
)

var qspinlock = shm.Source{
	Author: "Waiman Long and Peter Zijlstra",
	Title:  "kernel/locking/qspinlock.c",
	Venue:  "Linux 4.2",
	Year:   2015,
}

// QSpin returns the specification of Linux's queued spin lock for a layout of its queue nodes.
func QSpin(layout shm.Layout) shm.Algorithm {
	return shm.Algorithm{
		Name:   "queue/qspin",
		Title:  "Linux's queued spin lock",
		Source: qspinlock,
		Class:  shm.CompareAndSwap | shm.FetchAndAdd | shm.FetchAndOr,
		Claims: shm.Claims{DeadlockFree: true},
		Space: shm.Space{
			{Name: "val", Count: shm.Const(1), Values: qspinValues},
			{Name: "next", Count: shm.N, Values: shm.N},
			{Name: "locked", Count: shm.N, Values: shm.Const(2)},
		},
	}.Built(layout, shm.Sequential, buildQSpin)
}

// qspinValues: three processes are needed before one holds the lock, one is pending, and one
// is in the queue.
var qspinValues = shm.Formula{Text: "4(n+1), of which n do not occur for n<=2", At: func(n int) int {
	if n <= 2 {
		return 3*n + 4
	}
	return 4 * (n + 1)
}}

// QSpinMutex is Linux's queued spin lock. One word has a bit of the holder, a bit of one
// waiting process, and the tail of an MCS queue.
//
// Source: Waiman Long and Peter Zijlstra, kernel/locking/qspinlock.c, since Linux
// 4.2, 2015; read at commit 0200fbdd of 2018.
//
// Registers: val, a word that all change, with a bit locked, a bit pending, and the last
// process of the queue or nil; for each process a node with next and locked, as in MCS. The
// bit pending is for the process that waits next to the holder. But in a node, locked is
// set when the node reaches the front of the queue.
//
// Properties: mutual exclusion, because a process sets locked only after it has seen it clear,
// and while no other process may set it: the process that has set pending, or the front of the
// queue if neither bit is set. The lock is deadlock-free. The queue is
// first-come-first-served. But a process enters it by a compare-and-swap on a word that others
// change, so it can starve. The reason is that Go has no swap of 16 bits, by which the kernel
// puts a process into the queue. The kernel's exit section is one store of a byte.
//
// There is no doorway.
//
//	entry section of process i, whose node is I; val is written (tail, pending, locked):
//	1  if compare-and-swap(val, (nil,0,0), (nil,0,1)) succeeds then enter
//	2  v := val; if v = (nil,1,0) then v := val
//	3  if v has a tail or pending then goto 8
//	4  v := fetch-and-or(val, pending); if v has neither tail nor pending then
//	5      wait until val has locked = 0
//	6      val := val - pending + locked in one step, enter
//	7  if v has no pending then clear pending
//	8  I.locked := false
//	9  I.next := nil
//	10 if val = (nil,0,0) then if compare-and-swap(val, (nil,0,0), (nil,0,1)) succeeds then enter
//	11 old := the tail of val, which is replaced by I in one step
//	12 if old is not nil then old.next := I
//	13     wait until I.locked
//	14 wait until v := val has neither locked nor pending
//	15 if v = (I,0,0) then if compare-and-swap(val, v, (nil,0,1)) succeeds then enter
//	16 set locked in val
//	17 wait until I.next is not nil
//	18 I.next.locked := true
//	exit section:
//	19 clear locked in val
//
// There is no variant with release stores: val has no stores, and the stores of the nodes
// alone would make the state space of three processes too large.
//
// Deviations: in the kernel a processor has four nodes, for contexts that interrupt one
// another. Here a process has one. The kernel swaps the tail as 16 bits where it can, and line
// 11 does so by compare-and-swap in a loop. The kernel stores to bytes of val on lines 6, 16
// and 19. Go's compare-and-swap does not return the value that it found, so line 2 reads it.
type QSpinMutex struct {
	_    shm.NoCopy
	_    shm.Pad
	val  atomic.Uint32
	_    shm.Pad
	node shm.Array[qspinNode]
}

type qspinNode struct {
	next   atomic.Uint32 // none, or i+1 for the node of process i
	locked atomic.Bool
}

// The parts of val. Its tail is none, or i+1 for the node of process i, shifted.
const (
	qspinLocked  = 1
	qspinPending = 1 << 8
	qspinTail    = 16
)

// NewQSpin returns the lock for n processes, or a *shm.ProcsError.
func NewQSpin(n int, layout shm.Layout) (*QSpinMutex, error) {
	return shm.New[*QSpinMutex](QSpin(layout), n)
}

func buildQSpin(b shm.Build) shm.Mutex {
	return &QSpinMutex{node: shm.NewArray[qspinNode](b.N, b.Layout)}
}

// Lock acquires the lock for process i.
func (l *QSpinMutex) Lock(i int) {
	if l.val.CompareAndSwap(0, qspinLocked) { // 1
		return
	}
	v := l.val.Load()      // 2
	if v == qspinPending { // 2
		v = l.val.Load() // 2
	}
	if v&^qspinLocked == 0 { // 3
		v = l.val.Or(qspinPending) // 4
		if v&^qspinLocked == 0 {
			spin.Until(func() bool { return l.val.Load()&qspinLocked == 0 }) // 5
			l.val.Add(qspinLocked + ^uint32(qspinPending-1))                 // 6
			return
		}
		if v&qspinPending == 0 {
			l.val.And(^uint32(qspinPending)) // 7
		}
	}
	l.enqueue(i)
}

// enqueue is lines 8 to 18.
func (l *QSpinMutex) enqueue(i int) {
	I, node := uint32(i+1), l.node.At(i)
	node.locked.Store(false)                                       // 8
	node.next.Store(none)                                          // 9
	if l.val.Load() == 0 && l.val.CompareAndSwap(0, qspinLocked) { // 10
		return
	}
	if old := l.swapTail(I); old != none {
		l.node.At(int(old - 1)).next.Store(I)                 // 12
		spin.Until(func() bool { return node.locked.Load() }) // 13
	}
	var v uint32
	spin.Until(func() bool { v = l.val.Load(); return v&(qspinLocked|qspinPending) == 0 }) // 14
	if v == I<<qspinTail && l.val.CompareAndSwap(v, qspinLocked) {                         // 15
		return
	}
	l.val.Or(qspinLocked)                                       // 16
	spin.Until(func() bool { return node.next.Load() != none }) // 17
	l.node.At(int(node.next.Load() - 1)).locked.Store(true)     // 18
}

// swapTail is line 11.
func (l *QSpinMutex) swapTail(I uint32) uint32 {
	for {
		v := l.val.Load()                                             // 11
		if l.val.CompareAndSwap(v, v&(1<<qspinTail-1)|I<<qspinTail) { // 11
			return v >> qspinTail
		}
		spin.Pause()
	}
}

// Unlock releases the lock for any process.
func (l *QSpinMutex) Unlock(int) {
	l.val.And(^uint32(qspinLocked)) // 19
}
