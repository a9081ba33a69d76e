package byhand

import (
	"sync/atomic"

	"shmbench/queue"
	"shmbench/shm"
	"shmbench/spin"
)

var hemlock = queue.Hemlock(shm.Packed, shm.Sequential)

var hemlocks = []Mutant{
	mutate(hemlock, "hemlock-not-acknowledged", "who leaves does not wait until its successor has seen the grant", Safety, 3,
		func(n int) shm.Mutex { return &hemlockNotAcknowledged{newHemlock(n)} }),
	mutate(hemlock, "hemlock-grant-left", "the grant is set before it is known that somebody follows, and stays if nobody does", Safety, 2,
		func(n int) shm.Mutex { return &hemlockGrantLeft{newHemlock(n)} }),
	mutate(hemlock, "hemlock-aggressive", "the grant is set before it is known that somebody follows, and taken back if nobody does", Equivalent, 1,
		func(n int) shm.Mutex { return &hemlockAggressive{newHemlock(n)} }),
}

// hemlockBase is Hemlock in pieces:
//
//	entry section of process i:
//	1  pred := swap(tail, i); if pred = nil then enter
//	2  wait until grant[pred]
//	3  grant[pred] := false
//	exit section of process i:
//	4  if compare-and-swap(tail, i, nil) succeeds then return
//	5  grant[i] := true
//	6  wait until not grant[i]
type hemlockBase struct {
	tail  atomic.Uint32 // none, or i+1 for process i
	grant []atomic.Bool
}

func newHemlock(n int) *hemlockBase { return &hemlockBase{grant: make([]atomic.Bool, n)} }

func (l *hemlockBase) Lock(i int) {
	pred := l.tail.Swap(uint32(i + 1)) // 1
	if pred == none {
		return
	}
	grant := &l.grant[pred-1]
	spin.Until(func() bool { return grant.Load() }) // 2
	grant.Store(false)                              // 3
}

// alone is line 4.
func (l *hemlockBase) alone(i int) bool { return l.tail.CompareAndSwap(uint32(i+1), none) }

// await is line 6.
func (l *hemlockBase) await(i int) {
	spin.Until(func() bool { return !l.grant[i].Load() })
}

type hemlockNotAcknowledged struct{ *hemlockBase }

func (l *hemlockNotAcknowledged) Unlock(i int) {
	if !l.alone(i) { // 4
		l.grant[i].Store(true) // 5
	}
}

type hemlockGrantLeft struct{ *hemlockBase }

func (l *hemlockGrantLeft) Unlock(i int) {
	l.grant[i].Store(true) // 5
	if !l.alone(i) {       // 4
		l.await(i) // 6
	}
}

type hemlockAggressive struct{ *hemlockBase }

func (l *hemlockAggressive) Unlock(i int) {
	l.grant[i].Store(true) // 5
	if l.alone(i) {        // 4
		l.grant[i].Store(false)
		return
	}
	l.await(i) // 6
}
