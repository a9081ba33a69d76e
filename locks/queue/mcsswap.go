package queue

import (
	"shmbench/shm"
	"shmbench/shm/spin"
)

// MCSSwap returns the specification of the MCS lock without compare-and-swap, for a layout of
// its queue nodes and for its stores.
func MCSSwap(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	a := MCS(layout, stores)
	a.Name = "queue/mcsswap"
	a.Title = "MCS list lock without compare-and-swap"
	a.Class = shm.Swap
	a.Claims = shm.Claims{DeadlockFree: true, Bypass: shm.TwoProcs, Doorway: "2", LocalSpin: a.Claims.LocalSpin}
	a.Invariants = nil
	return a.Built(layout, stores, buildMCSSwap)
}

// MCSSwapMutex is the MCS lock for machines that have swap and no compare-and-swap. The exit
// section empties the list without knowing whether a process waits there, and repairs the list
// if one does.
//
// Source: John M. Mellor-Crummey and Michael L. Scott, "Algorithms for
// Scalable Synchronization on Shared-Memory Multiprocessors", ACM TOCS 9(1),
// 1991, p. 21-65, figure 7 (p. 32).
//
// Registers: those of MCS. An exit section also writes next, to link the processes that waited
// before to the last one that arrived meanwhile.
//
// Properties: mutual exclusion and deadlock freedom. Between lines 8 and 9 the list looks
// empty, so a process that arrives then enters before the waiting ones. With three processes,
// two of them can do this in turns forever. So there is no order, the bypass is unbounded,
// and a process can starve. With two processes none can be passed, and the lock is
// first-come-first-served.
//
// The doorway is lines 1 and 2.
//
//	entry section of process i, whose node is I:
//	1  I.next := nil
//	2  pred := swap(l, I)
//	3  if pred is not nil then
//	4      I.locked := true
//	5      pred.next := I
//	6      wait until not I.locked
//	exit section:
//	7  succ := I.next; if succ = nil then
//	8      old := swap(l, nil); if old = I then return
//	9      usurper := swap(l, old)
//	10     wait until I.next is not nil; succ := I.next
//	11     if usurper is not nil then usurper.next := succ, return
//	12 succ.locked := false
//
// Released stores: in the entry section those of MCS, for the same reasons; line 11, which
// keeps the usurper on line 10 until it is visible; line 12, which no access of the critical
// section can pass, and which keeps the successor waiting until it is visible.
//
// Deviations: those of MCS.
type MCSSwapMutex struct {
	mcs MCSMutex // its TryLock takes a compare-and-swap
}

// NewMCSSwap returns the lock for n processes, or a *shm.ProcsError.
func NewMCSSwap(n int, layout shm.Layout, stores shm.Stores) (*MCSSwapMutex, error) {
	return shm.New[*MCSSwapMutex](MCSSwap(layout, stores), n)
}

func buildMCSSwap(b shm.Build) shm.Mutex {
	return &MCSSwapMutex{mcs: MCSMutex{released: b.Released, node: shm.NewArray[mcsNode](b.N, b.Layout)}}
}

// Lock acquires the lock for process i.
func (s *MCSSwapMutex) Lock(i int) { s.mcs.Lock(i) }

// Unlock releases the lock for process i.
func (s *MCSSwapMutex) Unlock(i int) {
	l := &s.mcs
	I, node := uint32(i+1), l.node.At(i)
	succ := node.next.Load() // 7
	if succ == none {
		old := l.l.Swap(none) // 8
		if old == I {
			return
		}
		usurper := l.l.Swap(old)                                                 // 9
		spin.Until(func() bool { succ = node.next.Load(); return succ != none }) // 10
		if usurper != none {
			l.node.At(int(usurper-1)).next.StoreReleaseIf(l.released, succ) // 11
			return
		}
	}
	l.node.At(int(succ-1)).locked.StoreReleaseIf(l.released, false) // 12
}
