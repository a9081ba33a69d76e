package byhand

import (
	"sync/atomic"

	"shmbench/abort"
	"shmbench/shm"
	"shmbench/spin"
)

var clhTry = abort.CLHTry(shm.Packed)

// clhTries have LockUntil only if what is broken is there. What the lock itself lacks while
// processes give up is no verdict on them.
var clhTries = []Mutant{
	mutate(clhTry, "clhtry-waiting-late", "a node says that its process waits only when it is in the queue", Safety, 2,
		func(n int) shm.Mutex { return &clhTryWaitingLate{newCLHTry(n)} }).using(shm.Swap).with(clhTryPlain),
	mutate(clhTry, "clhtry-leaves-free", "who gives up leaves its node as if it had been inside", Safety, 2,
		func(n int) shm.Mutex { return &clhTryLeavesFree{newCLHTry(n)} }).using(shm.Swap).with(clhTryPlain),
	mutate(clhTry, "clhtry-gives-back-free", "who gives up has held its predecessor meanwhile, and gives it back as one that has left", Safety, 2,
		func(n int) shm.Mutex { return &clhTryGivesBackFree{newCLHTry(n)} }).using(shm.Swap).with(clhTryPlain),
}

// clhTryPlain is what the lock has without LockUntil, but for prev.
var clhTryPlain = shm.Space{clhTry.Space[0], {Name: "status", Count: shm.NPlus1, Values: shm.Const(2)}}

// clhTryBase is CLH-try without LockUntil, which it needs prev for, and more values of status:
//
//	entry section of process i, whose node is I:
//	1  I.status := waiting
//	2  pred := swap(tail, I)
//	3  wait until pred.status = available
//	exit section:
//	14 I.status := available
//	15 I := pred
type clhTryBase struct {
	tail    atomic.Uint32 // a node
	status  []atomic.Uint32
	private []clhPrivate // private[i] is used by process i only
}

// What status can be.
const (
	clhAvailable = iota
	clhWaiting
	clhTransient
)

func newCLHTry(n int) *clhTryBase {
	l := &clhTryBase{status: make([]atomic.Uint32, n+1), private: make([]clhPrivate, n)}
	for i := range n {
		l.private[i].I = uint32(i)
	}
	l.tail.Store(uint32(n))
	return l
}

func (l *clhTryBase) Lock(i int) {
	pred := l.enqueue(i)
	spin.Until(func() bool { return pred.Load() == clhAvailable }) // 3
}

// enqueue is lines 1 and 2; it returns the predecessor's status.
func (l *clhTryBase) enqueue(i int) *atomic.Uint32 {
	p := &l.private[i]
	l.status[p.I].Store(clhWaiting) // 1
	p.pred = l.tail.Swap(p.I)       // 2
	return &l.status[p.pred]
}

func (l *clhTryBase) Unlock(i int) {
	p := &l.private[i]
	l.status[p.I].Store(clhAvailable) // 14
	p.I = p.pred                      // 15
}

type clhTryWaitingLate struct{ *clhTryBase }

func (l *clhTryWaitingLate) Lock(i int) {
	p := &l.private[i]
	p.pred = l.tail.Swap(p.I)                                                  // 2
	l.status[p.I].Store(clhWaiting)                                            // 1
	spin.Until(func() bool { return l.status[p.pred].Load() == clhAvailable }) // 3
}

type clhTryLeavesFree struct{ *clhTryBase }

func (l *clhTryLeavesFree) LockUntil(i int, giveUp func() bool) bool {
	pred := l.enqueue(i)
	for pred.Load() != clhAvailable { // 3
		if giveUp() {
			l.Unlock(i)
			return false
		}
		spin.Pause()
	}
	return true
}

type clhTryGivesBackFree struct{ *clhTryBase }

func (l *clhTryGivesBackFree) LockUntil(i int, giveUp func() bool) bool {
	pred := l.enqueue(i)
	for pred.Load() != clhAvailable { // 3
		if giveUp() {
			return l.leave(&l.private[i], pred)
		}
		spin.Pause()
	}
	return true
}

// leave reports whether the process has entered after all.
func (l *clhTryGivesBackFree) leave(p *clhPrivate, pred *atomic.Uint32) bool {
	if pred.Swap(clhTransient) == clhAvailable { // 5
		return true // 6
	}
	if l.tail.CompareAndSwap(p.I, p.pred) { // 10
		pred.Store(clhAvailable) // 10
		return false
	}
	pred.Store(clhWaiting)
	spin.Until(func() bool { return pred.Load() == clhAvailable })
	return true
}
