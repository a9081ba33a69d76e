package byhand

import (
	"sync/atomic"

	"shmbench/queue"
	"shmbench/shm"
	"shmbench/spin"
)

var reciprocatingLock = queue.Reciprocating(shm.Packed, shm.Sequential)

var reciprocatings = []Mutant{
	mutate(reciprocatingLock, "reciprocating-no-end", "no process takes notice that it is the last of its stack", Deadlock, 2,
		func(n int) shm.Mutex { return &reciprocatingNoEnd{newReciprocating(n)} }),
	mutate(reciprocatingLock, "reciprocating-arrivals-nil", "who takes the arrivals leaves nil there, as if the lock were free", Safety, 2,
		func(n int) shm.Mutex { return &reciprocatingArrivalsNil{newReciprocating(n)} }),
}

// reciprocatingBase is the reciprocating lock in pieces:
//
//	entry section of process i, whose name is e:
//	1  gate[e] := nil
//	2  succ, eos := nil, e; tail := swap(arrivals, e); if tail = nil then enter
//	3  wait until gate[e] is not nil; eos := gate[e]
//	4  succ := tail, or nil if tail is empty or eos; in the latter case eos := empty
//	exit section of process i:
//	5  if succ is not nil then gate[succ] := eos, return
//	6  if compare-and-swap(arrivals, eos, nil) succeeds then return
//	7  w := swap(arrivals, empty)
//	8  gate[w] := eos
type reciprocatingBase struct {
	arrivals atomic.Uint32   // none, empty, or i+2 for process i
	gate     []atomic.Uint32 // as arrivals
	private  []reciprocal    // private[i] is used by process i only
}

type reciprocal struct{ succ, eos uint32 }

// empty is the name of nobody, in a lock that is held.
const empty = 1

func newReciprocating(n int) *reciprocatingBase {
	return &reciprocatingBase{gate: make([]atomic.Uint32, n), private: make([]reciprocal, n)}
}

// await is lines 1 to 3.
func (l *reciprocatingBase) await(i int) (tail, eos uint32) {
	e, gate := uint32(i+2), &l.gate[i]
	gate.Store(none)                             // 1
	if tail = l.arrivals.Swap(e); tail == none { // 2
		return none, e
	}
	spin.Until(func() bool { return gate.Load() != none }) // 3
	return tail, gate.Load()
}

func (l *reciprocatingBase) Lock(i int) {
	tail, eos := l.await(i)
	switch tail { // 4
	case empty:
		tail = none
	case eos:
		tail, eos = none, empty
	}
	l.private[i] = reciprocal{tail, eos}
}

// pass is lines 5 and 6; it reports whether there is nothing left to do.
func (l *reciprocatingBase) pass(p reciprocal) bool {
	if p.succ != none {
		l.gate[p.succ-2].Store(p.eos) // 5
		return true
	}
	return l.arrivals.CompareAndSwap(p.eos, none) // 6
}

func (l *reciprocatingBase) Unlock(i int) {
	p := l.private[i]
	if !l.pass(p) {
		w := l.arrivals.Swap(empty) // 7
		l.gate[w-2].Store(p.eos)    // 8
	}
}

type reciprocatingNoEnd struct{ *reciprocatingBase }

func (l *reciprocatingNoEnd) Lock(i int) {
	tail, eos := l.await(i)
	if tail == empty { // 4
		tail = none
	}
	l.private[i] = reciprocal{tail, eos}
}

type reciprocatingArrivalsNil struct{ *reciprocatingBase }

func (l *reciprocatingArrivalsNil) Unlock(i int) {
	p := l.private[i]
	if !l.pass(p) {
		if w := l.arrivals.Swap(none); w != none { // 7
			l.gate[w-2].Store(p.eos) // 8
		}
	}
}
