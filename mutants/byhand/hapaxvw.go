package byhand

import (
	"sync/atomic"

	"shmbench/queue"
	"shmbench/shm"
	"shmbench/spin"
)

var hapaxVW = queue.HapaxVW(shm.Packed, shm.Sequential)

var hapaxVWs = []Mutant{
	mutate(hapaxVW, "hapaxvw-no-second-look", "a process that has shown what it waits for does not look whether that has left meanwhile", Deadlock, 2,
		func(n int) shm.Mutex { return &hapaxVWNoSecondLook{newHapaxVW(n)} }).with(hapaxVWSpace()),
	mutate(hapaxVW, "hapaxvw-not-cleared", "who has found the slot empty does not look again after it has written depart", Deadlock, 2,
		func(n int) shm.Mutex { return &hapaxVWNotCleared{newHapaxVW(n)} }).with(hapaxVWSpace()),
	mutate(hapaxVW, "hapaxvw-two-values", "a process uses two values in turn, which depart may have kept from the last time", Safety, 2,
		func(n int) shm.Mutex { return &hapaxVWTwoValues{newHapaxVW(n)} }).using(shm.Swap | shm.CompareAndSwap).with(hapaxVWSpace()[1:]),
	mutate(hapaxVW, "hapaxvw-always-departs", "who leaves writes depart before it looks at the slot at all", Equivalent, 2,
		func(n int) shm.Mutex { return &hapaxVWAlwaysDeparts{newHapaxVW(n)} }).with(hapaxVWSpace()),
}

// hapaxVWSpace is that of the lock with one slot.
func hapaxVWSpace() shm.Space {
	s := append(shm.Space(nil), hapaxVW.Space...)
	s[len(s)-1].Count = shm.Const(1)
	return s
}

// hapaxVWBase is the hapax lock with visible waiters, all values of which have one slot:
//
//	entry section of process i:
//	1  h := fetch-and-increment(allocator) + 1
//	2  pred := swap(arrive, h)
//	3  if depart = pred then enter
//	4  if compare-and-swap(slot, nil, pred) fails then
//	5      wait until depart = pred, and enter
//	6  if depart = pred then
//	7      compare-and-swap(slot, pred, nil), and enter
//	8  wait until slot is not pred
//	exit section of process i:
//	9  h is the value of line 1
//	10 if compare-and-swap(slot, h, nil) succeeds then return
//	11 depart := h
//	12 compare-and-swap(slot, h, nil)
type hapaxVWBase struct {
	allocator, arrive, depart, slot atomic.Uint64
	drawn                           []uint64 // drawn[i], the value h of process i, is private to it
}

func newHapaxVW(n int) *hapaxVWBase { return &hapaxVWBase{drawn: make([]uint64, n)} }

func (l *hapaxVWBase) Lock(i int) {
	l.drawn[i] = l.allocator.Add(1)    // 1
	l.await(l.arrive.Swap(l.drawn[i])) // 2
}

// await is lines 3 to 8.
func (l *hapaxVWBase) await(pred uint64) {
	if !l.shown(pred) {
		return
	}
	if l.depart.Load() == pred { // 6
		l.slot.CompareAndSwap(pred, 0) // 7
		return
	}
	spin.Until(func() bool { return l.slot.Load() != pred }) // 8
}

// shown is lines 3 to 5. It reports whether the process is yet to enter.
func (l *hapaxVWBase) shown(pred uint64) bool {
	if l.depart.Load() == pred { // 3
		return false
	}
	if l.slot.CompareAndSwap(0, pred) { // 4
		return true
	}
	spin.Until(func() bool { return l.depart.Load() == pred }) // 5
	return false
}

func (l *hapaxVWBase) Unlock(i int) {
	if l.slot.CompareAndSwap(l.drawn[i], 0) { // 10
		return
	}
	l.depart.Store(l.drawn[i])           // 11
	l.slot.CompareAndSwap(l.drawn[i], 0) // 12
}

type hapaxVWNoSecondLook struct{ *hapaxVWBase }

func (l *hapaxVWNoSecondLook) Lock(i int) {
	l.drawn[i] = l.allocator.Add(1)   // 1
	pred := l.arrive.Swap(l.drawn[i]) // 2
	if l.shown(pred) {
		spin.Until(func() bool { return l.slot.Load() != pred }) // 8
	}
}

type hapaxVWNotCleared struct{ *hapaxVWBase }

func (l *hapaxVWNotCleared) Unlock(i int) {
	if !l.slot.CompareAndSwap(l.drawn[i], 0) { // 10
		l.depart.Store(l.drawn[i]) // 11
	}
}

type hapaxVWTwoValues struct{ *hapaxVWBase }

func (l *hapaxVWTwoValues) Lock(i int) {
	l.drawn[i] = 2*uint64(i) + 1 + l.drawn[i]%2 // 1
	l.await(l.arrive.Swap(l.drawn[i]))          // 2
}

type hapaxVWAlwaysDeparts struct{ *hapaxVWBase }

func (l *hapaxVWAlwaysDeparts) Unlock(i int) {
	l.depart.Store(l.drawn[i])           // 11
	l.slot.CompareAndSwap(l.drawn[i], 0) // 12
}
