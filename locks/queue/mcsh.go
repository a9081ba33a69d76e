package queue

import (
	"sync/atomic"

	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
)

var hesselinkBuhr = shm.Source{
	Author: "Wim H. Hesselink and Peter A. Buhr",
	Title:  "MCSH, a Lock with the Standard Interface",
	Venue:  "ACM Transactions on Parallel Computing 10(2)",
	Year:   2023,
	Page:   "11:1-11:23",
}

// MCSH returns the specification of MCSH for a layout of its queue nodes and for its stores.
func MCSH(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return shm.Algorithm{
		Name:   "queue/mcsh",
		Title:  "MCSH, with the standard interface",
		Source: hesselinkBuhr,
		Class:  shm.Swap | shm.CompareAndSwap,
		Claims: shm.Claims{
			DeadlockFree:   true,
			StarvationFree: true,
			Bypass:         shm.NMinus1,
			FCFS:           true,
			Doorway:        "3",
			LocalSpin:      shm.LocalSpin{CC: true},
		},
		Space: shm.Space{
			{Name: "tail", Count: shm.Const(1), Values: shm.NPlus1},
			{Name: "msg", Count: shm.Const(1), Values: shm.NPlus1},
			{Name: "flag", Count: shm.Const(1), Values: shm.Const(2)},
			{Name: "next", Count: shm.N, Values: shm.N},
			{Name: "locked", Count: shm.N, Values: shm.Const(2)},
		},
	}.Built(layout, stores, buildMCSH)
}

// MCSHMutex is the MCS lock in which a process removes its node from the list before it
// enters. The process leaves the name of its successor for its exit section.
//
// Source: Wim H. Hesselink and Peter A. Buhr, "MCSH, a Lock with the Standard
// Interface", ACM Transactions on Parallel Computing 10(2), 2023, p. 11:1-11:23.
//
// Registers: tail, the last node of the list or nil, swapped by all; msg, a node or nil, and
// flag, a bit that is set while no process is in its critical section, both written by the
// holder; for each process a node with next and locked, as in MCS.
//
// Properties: mutual exclusion, because the first process of a list waits for flag, and the
// others for their predecessors. First-come-first-served in the order of line 3, so the bypass
// is n-1 and no process starves. A process spins on its own node, except the first process of
// a list, which spins on flag. The exit section does not wait. The entry section may wait on
// line 10, when the process already has the lock, for a successor that is between lines 3 and
// 5.
//
// The doorway is lines 1 to 3.
//
//	entry section of process i, whose node is I:
//	1  I.next := nil
//	2  I.locked := true
//	3  prev := swap(tail, I)
//	4  if prev = nil then wait until flag
//	5  else prev.next := I
//	6      wait until not I.locked
//	7  flag := false
//	8  succ := I.next
//	9  if succ = nil then if compare-and-swap(tail, I, nil) fails then
//	10     wait until I.next is not nil; succ := I.next
//	11 msg := succ
//	exit section:
//	12 succ := msg
//	13 flag := true
//	14 if succ is not nil then succ.locked := false
//
// Released stores: all. Line 3 takes lines 1 and 2 to memory. Line 5 keeps the predecessor on
// line 10 until it is visible. Line 7 is visible before line 9 lets any process find the list
// empty and read flag. Line 11 is read by the holder alone until line 13 or 14, which come
// later, is visible. Lines 13 and 14 leave the critical section, and a late store only means a
// late exit.
//
// Deviations: the node of a process is in the lock and not on the process's stack, and
// pointers to nodes are numbers. MCSH.c (github.com/pabuhr/concurrent-locking) also has a form
// of Ting-Ching Li, which is not here: line 7 follows line 4 only, and line 13 is executed only
// if succ is nil.
type MCSHMutex struct {
	_        shm.NoCopy
	_        shm.Pad
	tail     atomic.Uint32 // none, or i+1 for the node of process i
	_        shm.Pad
	msg      register.Uint32 // as tail
	flag     register.Bool
	_        shm.Pad
	released bool
	node     shm.Array[mcsNode]
}

// NewMCSH returns the lock for n processes, or a *shm.ProcsError.
func NewMCSH(n int, layout shm.Layout, stores shm.Stores) (*MCSHMutex, error) {
	return shm.New[*MCSHMutex](MCSH(layout, stores), n)
}

func buildMCSH(b shm.Build) shm.Mutex {
	l := &MCSHMutex{released: b.Released, node: shm.NewArray[mcsNode](b.N, b.Layout)}
	l.flag.Store(true)
	return l
}

// Lock acquires the lock for process i.
func (l *MCSHMutex) Lock(i int) {
	I, node := uint32(i+1), l.node.At(i)
	node.next.StoreReleaseIf(l.released, none)   // 1
	node.locked.StoreReleaseIf(l.released, true) // 2
	prev := l.tail.Swap(I)                       // 3
	if prev == none {
		spin.Until(func() bool { return l.flag.Load() }) // 4
	} else {
		l.node.At(int(prev-1)).next.StoreReleaseIf(l.released, I) // 5
		spin.Until(func() bool { return !node.locked.Load() })    // 6
	}
	l.flag.StoreReleaseIf(l.released, false)             // 7
	succ := node.next.Load()                             // 8
	if succ == none && !l.tail.CompareAndSwap(I, none) { // 9
		spin.Until(func() bool { succ = node.next.Load(); return succ != none }) // 10
	}
	l.msg.StoreReleaseIf(l.released, succ) // 11
}

// Unlock releases the lock for any process.
func (l *MCSHMutex) Unlock(int) {
	succ := l.msg.Load()                    // 12
	l.flag.StoreReleaseIf(l.released, true) // 13
	if succ != none {
		l.node.At(int(succ-1)).locked.StoreReleaseIf(l.released, false) // 14
	}
}
