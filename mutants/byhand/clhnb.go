package byhand

import (
	"sync/atomic"

	"shmbench/abort"
	"shmbench/shm"
	"shmbench/spin"
)

var clhNB = abort.CLHNB(shm.Packed, shm.Sequential)

var clhNBs = []Mutant{
	mutate(clhNB, "clhnb-no-way-back", "a process with no record left waits, also if its own is the last in the queue", Deadlock, 2,
		func(n int) shm.Mutex { return &clhNBNoWayBack{newCLHNB(n)} }).
		outOfReach("the other process must then stay away for ever, and in a run all come again"),
	mutate(clhNB, "clhnb-not-given-back", "who goes past a record of a process that has given up does not give it back", Deadlock, 2,
		func(n int) shm.Mutex { return &clhNBNotGivenBack{newCLHNB(n)} }),
	mutate(clhNB, "clhnb-tail-kept", "who gives up as the last one stays the tail, and takes its record with it", Deadlock, 2,
		func(n int) shm.Mutex { return &clhNBTailKept{newCLHNB(n)} }),
	mutate(clhNB, "clhnb-empties", "who gives up as the last one leaves no tail, where it should be its predecessor", Safety, 2,
		func(n int) shm.Mutex { return &clhNBEmpties{newCLHNB(n)} }),
	mutate(clhNB, "clhnb-always-left", "who leaves does not look whether it is the last one, and leaves its record to the next", Equivalent, 2,
		func(n int) shm.Mutex { return &clhNBAlwaysLeft{newCLHNB(n)} }),
}

// clhNBBase is CLH-NB in pieces:
//
//	timed entry section of process i:
//	1  if a record I of i is not allocated then I.allocated := true, goto 3
//	2  if tail is a record I of i then if compare-and-swap(tail, I, I.prev, or nil if that is available)
//	   succeeds then goto 3; goto 1, or fail if time is out
//	3  I.prev := nil
//	4  pred := swap(tail, I)
//	5  if pred = nil then enter
//	6  until time is out, wait until p := pred.prev is not nil
//	7  if p = available then p := nil
//	8  pred.allocated := false; pred := p; goto 5
//	out of time:
//	9  if compare-and-swap(tail, I, pred) succeeds then I.allocated := false, else I.prev := pred; fail
//	exit section:
//	10 if compare-and-swap(tail, I, nil) succeeds then I.allocated := false, and return
//	11 I.prev := available
type clhNBBase struct {
	tail   atomic.Uint32 // none, or the name of a record
	record []clhNBRecord
	I      []uint32 // by process: its record while it is inside
}

type clhNBRecord struct {
	prev      atomic.Uint32
	allocated atomic.Bool
}

const clhNBLeft = 1 // available; the names of records are 2, 3, and so on, two of each process

func newCLHNB(n int) *clhNBBase {
	return &clhNBBase{record: make([]clhNBRecord, 2*n), I: make([]uint32, n)}
}

func never() bool { return false }

func (l *clhNBBase) of(I uint32) *clhNBRecord { return &l.record[I-2] }

func (l *clhNBBase) Lock(i int) { l.LockUntil(i, never) }

func (l *clhNBBase) LockUntil(i int, giveUp func() bool) bool {
	I := l.allocate(i, giveUp)
	return I != none && l.enter(i, I, giveUp)
}

// allocate is lines 1 and 2. It returns none if it fails.
func (l *clhNBBase) allocate(i int, giveUp func() bool) uint32 {
	for {
		if I := l.idle(i); I != none {
			return I
		}
		if I := l.tail.Load(); I/2 == uint32(i+1) { // 2
			pred := l.of(I).prev.Load() // 2
			if pred == clhNBLeft {
				pred = none // 2
			}
			if l.tail.CompareAndSwap(I, pred) { // 2
				return I
			}
		}
		if giveUp() {
			return none
		}
		spin.Pause()
	}
}

// idle is line 1. It returns none if both records are allocated.
func (l *clhNBBase) idle(i int) uint32 {
	for I := uint32(2*i + 2); I < uint32(2*i+4); I++ {
		if r := l.of(I); !r.allocated.Load() { // 1
			r.allocated.Store(true) // 1
			return I
		}
	}
	return none
}

// enter is lines 3 to 9. It reports whether the process has entered.
func (l *clhNBBase) enter(i int, I uint32, giveUp func() bool) bool {
	pred, in := l.await(i, I, giveUp)
	if !in {
		l.leave(I, pred, pred)
	}
	return in
}

// leave is line 9, after which tail is the record last.
func (l *clhNBBase) leave(I, pred, last uint32) {
	if l.tail.CompareAndSwap(I, last) { // 9
		l.of(I).allocated.Store(false) // 9
	} else {
		l.of(I).prev.Store(pred) // 9
	}
}

// await is lines 3 to 8.
func (l *clhNBBase) await(i int, I uint32, giveUp func() bool) (pred uint32, in bool) {
	l.of(I).prev.Store(none) // 3
	pred = l.tail.Swap(I)    // 4
	for pred != none {       // 5
		p := l.of(pred).prev.Load() // 6
		if p == none {
			if giveUp() {
				return pred, false
			}
			spin.Pause()
			continue
		}
		if p == clhNBLeft {
			p = none // 7
		}
		l.of(pred).allocated.Store(false) // 8
		pred = p
	}
	l.I[i] = I
	return pred, true
}

func (l *clhNBBase) Unlock(i int) {
	r := l.of(l.I[i])
	if l.tail.CompareAndSwap(l.I[i], none) { // 10
		r.allocated.Store(false) // 10
	} else {
		r.prev.Store(clhNBLeft) // 11
	}
}

type clhNBNoWayBack struct{ *clhNBBase }

func (l *clhNBNoWayBack) Lock(i int) { l.LockUntil(i, never) }

func (l *clhNBNoWayBack) LockUntil(i int, giveUp func() bool) bool {
	I := l.idle(i)
	for I == none {
		if giveUp() {
			return false
		}
		spin.Pause()
		I = l.idle(i)
	}
	return l.enter(i, I, giveUp)
}

type clhNBNotGivenBack struct{ *clhNBBase }

func (l *clhNBNotGivenBack) Lock(i int) { l.LockUntil(i, never) }

func (l *clhNBNotGivenBack) LockUntil(i int, giveUp func() bool) bool {
	I := l.allocate(i, giveUp)
	if I == none {
		return false
	}
	l.of(I).prev.Store(none) // 3
	pred := l.tail.Swap(I)   // 4
	for pred != none {       // 5
		p := l.of(pred).prev.Load() // 6
		switch {
		case p == clhNBLeft:
			l.of(pred).allocated.Store(false) // 8
			pred = none                       // 7
		case p != none:
			pred = p // 8
		case giveUp():
			l.leave(I, pred, pred)
			return false
		default:
			spin.Pause()
		}
	}
	l.I[i] = I
	return true
}

type clhNBTailKept struct{ *clhNBBase }

func (l *clhNBTailKept) LockUntil(i int, giveUp func() bool) bool {
	I := l.allocate(i, giveUp)
	if I == none {
		return false
	}
	_, in := l.await(i, I, giveUp)
	if !in {
		l.of(I).allocated.Store(false) // 9
	}
	return in
}

type clhNBEmpties struct{ *clhNBBase }

func (l *clhNBEmpties) LockUntil(i int, giveUp func() bool) bool {
	I := l.allocate(i, giveUp)
	if I == none {
		return false
	}
	pred, in := l.await(i, I, giveUp)
	if !in {
		l.leave(I, pred, none)
	}
	return in
}

type clhNBAlwaysLeft struct{ *clhNBBase }

func (l *clhNBAlwaysLeft) Unlock(i int) {
	l.of(l.I[i]).prev.Store(clhNBLeft) // 11
}
