package queue

import (
	"sync/atomic"

	"shmbench/shm"
	"shmbench/shm/spin"
)

// HapaxVW returns the specification of the hapax lock with visible waiters, for a layout of
// its registers and for its stores.
func HapaxVW(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	a := Hapax(layout, stores)
	a.Name, a.Title = "queue/hapaxvw", "Hapax lock with visible waiters"
	a.Class |= shm.CompareAndSwap
	a.Space = append(a.Space, shm.Registers{Name: "slot", Count: shm.Formula{Text: "2^(ceil(log2 n)-1), at least 1", At: twaSlots}})
	return a.Built(layout, stores, buildHapaxVW)
}

// HapaxVWMutex is the hapax lock with visible waiters. A waiting process writes the value that
// it waits for to a slot, if that slot is empty, and waits until the slot is cleared.
//
// Source: Dave Dice and Alex Kogan, "Hapax Locks: Scalable Value-Based Mutual Exclusion",
// PPoPP 2026, p. 13-25; arXiv:2511.14608. This lock is reconstructed from secondary sources.
//
// Registers: those of the hapax lock, and a slot for each hash of a value, which holds nil or
// a value. The process that waits for the value, and the process that has it, change the slot
// by compare-and-swap.
//
// Properties: those of the hapax lock. Only the process behind h waits for h. So clearing the
// slot of h on line 10 lets that process in, and depart need not be written. A process that
// has filled a slot reads depart once more, and an exit section that has written depart reads
// the slot once more: one of the two sees the other.
//
// The doorway is lines 1 and 2.
//
//	entry section of process i, where s(v) is the slot of v:
//	1  h := fetch-and-increment(allocator) + 1
//	2  pred := swap(arrive, h)
//	3  if depart = pred then enter
//	4  if compare-and-swap(s(pred), nil, pred) fails then
//	5      wait until depart = pred, and enter
//	6  if depart = pred then
//	7      compare-and-swap(s(pred), pred, nil), and enter
//	8  wait until s(pred) is not pred
//	exit section of process i:
//	9  h is the value of line 1
//	10 if compare-and-swap(s(h), h, nil) succeeds then return
//	11 depart := h
//	12 compare-and-swap(s(h), h, nil)
//
// Released stores: line 11, which line 12 takes to memory before it reads the slot.
//
// Deviations: the allocator is that of HapaxMutex. The authors have 4,096 slots for all
// locks of a program. Here each lock has its own slots, about half as many as processes.
// The published hash takes the block of the value (h / 2^16) and the lock's address. So the
// values of one thread share a slot. Here the hash takes the last bits of the value.
type HapaxVWMutex struct {
	*HapaxMutex
	slot shm.Array[atomic.Uint64]
}

// NewHapaxVW returns a hapax lock with visible waiters for n processes, or a
// *shm.ProcsError.
func NewHapaxVW(n int, layout shm.Layout, stores shm.Stores) (*HapaxVWMutex, error) {
	return shm.New[*HapaxVWMutex](HapaxVW(layout, stores), n)
}

func buildHapaxVW(b shm.Build) shm.Mutex {
	return &HapaxVWMutex{buildHapax(b).(*HapaxMutex), shm.NewArray[atomic.Uint64](twaSlots(b.N), b.Layout)}
}

// s returns the slot of a value.
func (l *HapaxVWMutex) s(v uint64) *atomic.Uint64 {
	return l.slot.At(int(v & uint64(l.slot.Len()-1)))
}

// Lock acquires the lock for process i.
func (l *HapaxVWMutex) Lock(i int) {
	pred := l.enqueue(i)         // 1, 2
	if l.depart.Load() == pred { // 3
		return
	}
	slot := l.s(pred)
	if !slot.CompareAndSwap(0, pred) { // 4
		spin.Until(func() bool { return l.depart.Load() == pred }) // 5
		return
	}
	if l.depart.Load() == pred { // 6
		slot.CompareAndSwap(pred, 0) // 7
		return
	}
	spin.Until(func() bool { return slot.Load() != pred }) // 8
}

// Unlock releases the lock for process i.
func (l *HapaxVWMutex) Unlock(i int) {
	h := *l.drawn.At(i) // 9
	slot := l.s(h)
	if slot.CompareAndSwap(h, 0) { // 10
		return
	}
	l.depart.StoreReleaseIf(l.released, h) // 11
	slot.CompareAndSwap(h, 0)              // 12
}
