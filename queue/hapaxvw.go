package queue

import (
	"sync/atomic"

	"shmbench/shm"
	"shmbench/spin"
)

// HapaxVW returns the specification of the hapax lock with visible waiters, with its
// registers laid out and its stores made as told.
func HapaxVW(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	a := Hapax(layout, stores)
	a.Name, a.Title = "queue/hapaxvw", "Hapax lock with visible waiters"
	a.Class |= shm.CompareAndSwap
	a.Space = append(a.Space, shm.Registers{Name: "slot", Count: shm.Formula{Text: "2^(ceil(log2 n)-1), at least 1", At: twaSlots}})
	return a.Built(layout, stores, buildHapaxVW)
}

// HapaxVWMutex is the hapax lock in which a process that waits shows the value it waits
// for in a slot of its own, as long as no other process is there, and waits for the slot to be
// cleared.
//
// Source: Dave Dice and Alex Kogan, "Hapax Locks: Scalable Value-Based Mutual
// Exclusion", PPoPP 2026, p. 13-25; arXiv:2511.14608. This is made from secondary
// sources.
//
// Registers: those of the hapax lock, and for each hash of a value a slot, nil or a value,
// changed by compare-and-swap by the process that waits for the value and the one that has it.
//
// Properties: those of the hapax lock. Only the process behind h waits for h, so that
// to clear the slot of h on line 10 is to let that one in, and depart need not be written.
// A process that shows its value looks at depart once more, and a leaving process looks at the
// slot once more after it has written depart: one of the two sees the other.
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
// Released stores: line 11, which line 12 takes to memory before it looks at the slot.
//
// Deviations: the allocator is that of HapaxMutex. The authors have 4,096 slots for all
// locks of a program; here each lock has its own, about half as many as there are
// processes. The published hash takes the block of the value (h / 2^16) and the lock's
// address, so that the values of one thread share a slot; here it takes the value's last
// bits.
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

// Lock is the entry section of process i.
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

// Unlock is the exit section of process i.
func (l *HapaxVWMutex) Unlock(i int) {
	h := *l.drawn.At(i) // 9
	slot := l.s(h)
	if slot.CompareAndSwap(h, 0) { // 10
		return
	}
	l.depart.StoreReleaseIf(l.released, h) // 11
	slot.CompareAndSwap(h, 0)              // 12
}
