package queue

import (
	"sync/atomic"

	"shmbench/shm"
	"shmbench/shm/spin"
)

// malthusianPeriod is the number of passages after which the eldest passive process is let in.
const malthusianPeriod = 2

// MalthusianMutex is an MCS lock with a passive set. The exit section moves waiting processes
// from the queue to the passive set, so that few processes circulate. It moves them back when
// no other process waits, and one at regular intervals.
//
// Source: Dave Dice, "Malthusian Locks", EuroSys 2017, p. 314-327, which calls this lock MCSCR,
// MCS with concurrency restriction.
//
// Registers: tail, next and locked, as in MCS; turn, a counter; and the passive processes, of
// which passive[first] is the eldest and count is the number. Only the exit section uses turn
// and the passive set.
//
// Properties: mutual exclusion, as in MCS, because one process at a time has the right to
// enter, and hands it over. No process starves, because every other exit lets the eldest
// passive process in. Without line 8 a process can stay passive forever, if there are three
// processes or more. The order is not that of arrival. The bound of the specification is
// checked for n up to 4.
//
// The doorway is lines 1 and 2.
//
//	entry section of process i, whose node is I:
//	1  I.next := nil
//	2  pred := swap(tail, I)
//	3  if pred is not nil then
//	4      I.locked := true
//	5      pred.next := I
//	6      wait until not I.locked
//	exit section:
//	7  turn := (turn + 1) mod period
//	8  if turn = 0 and a process is passive then graft(the eldest), return
//	9  succ := I.next; if succ = nil then
//	10     if a process is passive then graft(the youngest), return
//	11     if compare-and-swap(tail, I, nil) succeeds then return
//	12     wait until I.next is not nil; succ := I.next
//	13 else if succ is not tail then
//	14     wait until succ.next is not nil
//	15     make succ passive; succ := succ.next
//	16 succ.locked := false
//	graft(e), where e is passive no longer:
//	17 e.next := nil
//	18 if compare-and-swap(tail, I, e) fails then
//	19     wait until I.next is not nil; e.next := I.next
//	20 e.locked := false
//
// Line 13 reads tail while others swap it. An outdated value makes one process more or less
// passive, and has no other effect.
//
// Released stores: in the entry section those of MCS, for the same reasons; lines 17 and 19,
// which reach memory before line 20 lets any process read them; lines 16 and 20, which no
// access of the critical section can pass, and which keep the next process waiting until they
// are visible.
//
// Deviations: the paper promotes the eldest process with a small probability, one in a
// thousand, so that no process starves with probability one. Here every second exit does so.
// The passive processes are in a ring, and in the paper in a linked list.
type MalthusianMutex struct {
	_        shm.NoCopy
	_        shm.Pad
	tail     atomic.Uint32 // none, or i+1 for the node of process i
	_        shm.Pad
	turn     uint32 // this and what follows is the holder's
	first    int    // the slot of the eldest passive process
	count    int    // how many are passive
	passive  shm.Array[uint32]
	_        shm.Pad
	released bool
	node     shm.Array[mcsNode]
}

// NewMalthusian returns the lock for n processes, or a *shm.ProcsError.
func NewMalthusian(n int, layout shm.Layout, stores shm.Stores) (*MalthusianMutex, error) {
	return shm.New[*MalthusianMutex](Malthusian(layout, stores), n)
}

func buildMalthusian(b shm.Build) shm.Mutex {
	return &MalthusianMutex{
		released: b.Released,
		passive:  shm.NewArray[uint32](max(b.N-2, 1), shm.Packed),
		node:     shm.NewArray[mcsNode](b.N, b.Layout),
	}
}

// Lock acquires the lock for process i.
func (l *MalthusianMutex) Lock(i int) {
	I, node := uint32(i+1), l.node.At(i)
	node.next.StoreReleaseIf(l.released, none) // 1
	pred := l.tail.Swap(I)                     // 2
	if pred != none {                          // 3
		node.locked.StoreReleaseIf(l.released, true)           // 4
		l.of(pred).next.StoreReleaseIf(l.released, I)          // 5
		spin.Until(func() bool { return !node.locked.Load() }) // 6
	}
}

// Unlock releases the lock for process i.
func (l *MalthusianMutex) Unlock(i int) {
	I, node := uint32(i+1), l.node.At(i)
	l.turn = (l.turn + 1) % malthusianPeriod // 7
	if l.turn == 0 && l.count > 0 {          // 8
		l.graft(I, l.takeEldest()) // 8
		return
	}
	succ := node.next.Load() // 9
	if succ == none {
		if l.count > 0 { // 10
			l.graft(I, l.takeYoungest()) // 10
			return
		}
		if l.tail.CompareAndSwap(I, none) { // 11
			return
		}
		spin.Until(func() bool { succ = node.next.Load(); return succ != none }) // 12
	} else if succ != l.tail.Load() { // 13
		after := &l.of(succ).next
		spin.Until(func() bool { return after.Load() != none }) // 14
		l.retire(succ)                                          // 15
		succ = after.Load()                                     // 15
	}
	l.of(succ).locked.StoreReleaseIf(l.released, false) // 16
}

// graft puts e, which is no longer passive, into the queue behind I, and lets it in.
func (l *MalthusianMutex) graft(I, e uint32) {
	node := l.of(e)
	node.next.StoreReleaseIf(l.released, none) // 17
	if !l.tail.CompareAndSwap(I, e) {          // 18
		next := &l.of(I).next
		spin.Until(func() bool { return next.Load() != none }) // 19
		node.next.StoreReleaseIf(l.released, next.Load())      // 19
	}
	node.locked.StoreReleaseIf(l.released, false) // 20
}

// retire makes e the youngest passive process.
func (l *MalthusianMutex) retire(e uint32) {
	*l.passive.At(l.slot(l.count)) = e
	l.count++
}

// takeYoungest removes the youngest process from the passive set, which is not empty.
func (l *MalthusianMutex) takeYoungest() uint32 {
	l.count--
	return *l.passive.At(l.slot(l.count))
}

// takeEldest removes the eldest process from the passive set, which is not empty.
func (l *MalthusianMutex) takeEldest() uint32 {
	e := *l.passive.At(l.slot(0))
	l.first = l.slot(1)
	l.count--
	return e
}

// slot is the place of the k-th passive process, counted from the eldest.
func (l *MalthusianMutex) slot(k int) int { return (l.first + k) % l.passive.Len() }

// of returns the node with a number other than none.
func (l *MalthusianMutex) of(I uint32) *mcsNode { return l.node.At(int(I - 1)) }
