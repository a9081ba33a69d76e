package byhand

import (
	"sync/atomic"

	"shmbench/queue"
	"shmbench/shm"
	"shmbench/spin"
)

var qspin = queue.QSpin(shm.Packed)

var qspins = []Mutant{
	mutate(qspin, "qspin-overtakes-pending", "the front of the queue waits for the holder only, and not for who is pending", Safety, 2,
		func(n int) shm.Mutex { return &qspinOvertakesPending{newQSpin(n)} }),
	mutate(qspin, "qspin-tail-dropped", "the front of the queue empties it though somebody is behind", Deadlock, 2,
		func(n int) shm.Mutex { return &qspinTailDropped{newQSpin(n)} }),
	mutate(qspin, "qspin-pending-kept", "who is pending takes the lock and stays pending", Deadlock, 2,
		func(n int) shm.Mutex { return &qspinPendingKept{newQSpin(n)} }),
}

// qspinBase is Linux's queued spin lock without the second look on its line 2, and
// without line 10, which only save time:
//
//	entry section of process i, whose node is I; val is written (tail, pending, locked):
//	1  if compare-and-swap(val, (nil,0,0), (nil,0,1)) succeeds then enter
//	2  v := val
//	3  if v has a tail or pending then goto 8
//	4  v := fetch-and-or(val, pending); if v has neither tail nor pending then
//	5      wait until val has locked = 0
//	6      val := val - pending + locked in one step, enter
//	7  if v has no pending then clear pending
//	8  I.locked := false
//	9  I.next := nil
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
type qspinBase struct {
	val  atomic.Uint32
	node []mcsNode
}

const (
	locked    = 1
	pending   = 1 << 8
	tailShift = 16
)

func newQSpin(n int) *qspinBase { return &qspinBase{node: make([]mcsNode, n)} }

// fast is lines 1 to 7, with taken as line 6; it reports whether the process enters.
func (l *qspinBase) fast(taken func()) bool {
	if l.val.CompareAndSwap(0, locked) { // 1
		return true
	}
	if l.val.Load()&^locked != 0 { // 2, 3
		return false
	}
	v := l.val.Or(pending) // 4
	if v&^locked == 0 {
		spin.Until(func() bool { return l.val.Load()&locked == 0 }) // 5
		taken()                                                     // 6
		return true
	}
	if v&pending == 0 {
		l.val.And(^uint32(pending)) // 7
	}
	return false
}

// taken is line 6.
func (l *qspinBase) taken() { l.val.Add(locked + ^uint32(pending-1)) }

// enqueue is lines 8 to 13.
func (l *qspinBase) enqueue(i int) (I uint32) {
	I, node := uint32(i+1), &l.node[i]
	node.locked.Store(false) // 8
	node.next.Store(none)    // 9
	for ; ; spin.Pause() {
		v := l.val.Load()                                              // 11
		if !l.val.CompareAndSwap(v, v&(1<<tailShift-1)|I<<tailShift) { // 11
			continue
		}
		if old := v >> tailShift; old != none {
			l.node[old-1].next.Store(I)                           // 12
			spin.Until(func() bool { return node.locked.Load() }) // 13
		}
		return I
	}
}

// await is line 14, for who waits until the bits are clear.
func (l *qspinBase) await(bits uint32) (v uint32) {
	spin.Until(func() bool { v = l.val.Load(); return v&bits == 0 })
	return v
}

// front is lines 15 to 18.
func (l *qspinBase) front(v, I uint32) {
	if v == I<<tailShift && l.val.CompareAndSwap(v, locked) { // 15
		return
	}
	l.val.Or(locked) // 16
	next := &l.node[I-1].next
	spin.Until(func() bool { return next.Load() != none }) // 17
	l.node[next.Load()-1].locked.Store(true)               // 18
}

func (l *qspinBase) Lock(i int) {
	if !l.fast(l.taken) {
		I := l.enqueue(i)
		l.front(l.await(locked|pending), I)
	}
}

func (l *qspinBase) Unlock(int) {
	l.val.And(^uint32(locked)) // 19
}

type qspinOvertakesPending struct{ *qspinBase }

func (l *qspinOvertakesPending) Lock(i int) {
	if !l.fast(l.taken) {
		I := l.enqueue(i)
		l.front(l.await(locked), I)
	}
}

type qspinTailDropped struct{ *qspinBase }

func (l *qspinTailDropped) Lock(i int) {
	if l.fast(l.taken) {
		return
	}
	I := l.enqueue(i)
	for ; ; spin.Pause() {
		if v := l.await(locked | pending); l.val.CompareAndSwap(v, locked) { // 14, 15
			break
		}
	}
	if next := l.node[I-1].next.Load(); next != none {
		l.node[next-1].locked.Store(true) // 18
	}
}

type qspinPendingKept struct{ *qspinBase }

func (l *qspinPendingKept) Lock(i int) {
	if !l.fast(func() { l.val.Or(locked) }) {
		I := l.enqueue(i)
		l.front(l.await(locked|pending), I)
	}
}
