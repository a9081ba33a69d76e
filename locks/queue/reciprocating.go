package queue

import (
	"sync/atomic"

	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
)

var reciprocatingLocks = shm.Source{
	Author: "Dave Dice and Alex Kogan",
	Title:  "Reciprocating Locks",
	Venue:  "PPoPP",
	Year:   2025,
}

// Reciprocating returns the specification of the reciprocating lock for a layout of its gates
// and for its stores.
func Reciprocating(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return shm.Algorithm{
		Name:   "queue/reciprocating",
		Title:  "Reciprocating lock",
		Source: reciprocatingLocks,
		Class:  shm.Swap | shm.CompareAndSwap,
		Claims: shm.Claims{
			DeadlockFree:   true,
			StarvationFree: true,
			Bypass:         reciprocalBypass,
			Doorway:        "2",
			LocalSpin:      shm.LocalSpin{CC: true, DSM: true},
		},
		Space: shm.Space{
			{Name: "arrivals", Count: shm.Const(1), Values: shm.Formula{Text: "n+2", At: func(n int) int { return n + 2 }}},
			{Name: "gate", Count: shm.N, Values: shm.NPlus1},
		},
	}.Built(layout, stores, buildReciprocating)
}

// reciprocalBypass: each other process enters at most twice, once because it arrived before
// and once because it arrived after. Not all of them can do both.
var reciprocalBypass = shm.Formula{Text: "2n-3 for n>=2", At: func(n int) int { return max(2*n-3, 0) }}

// ReciprocatingMutex is the reciprocating lock. Arriving processes form a stack. When all
// processes of the previous stack have been served, this stack is served, the youngest process
// first.
//
// Source: Dave Dice and Alex Kogan, "Reciprocating Locks", PPoPP 2025, listing 1.
//
// Registers: arrivals, swapped by all: the youngest process that has arrived, empty if the
// lock is held and no process has arrived, or nil; gate[e], which an exit section writes for
// process e: the end of the stack that is being served, or nil.
//
// Properties: mutual exclusion, because the right to enter goes from gate to gate. No process
// starves: a process that arrives while a stack is served is served after it, so it passes a
// given process at most once. Each other process may also have arrived before, so the bypass
// is 2n-3. With three processes or more, the order is not that of arrival. A process spins on
// its own gate, and the exit section does not wait.
//
// The doorway is lines 1 and 2.
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
//
// eos is the process at which the stack that is being served ends: the process that was alone
// when the stack began, or the process that took the last stack. It is only compared.
//
// Released stores: line 1, which line 2, a swap, takes to memory; lines 5 and 8, which no
// access of the critical section can pass, and keep the next process waiting until they are
// visible.
//
// Deviations: pointers to elements are numbers.
type ReciprocatingMutex struct {
	_        shm.NoCopy
	_        shm.Pad
	arrivals atomic.Uint32 // none, empty, or i+2 for process i
	_        shm.Pad
	released bool
	gate     shm.Array[register.Uint32] // as arrivals
	private  shm.Array[reciprocal]      // private[i] is used by process i only
}

// reciprocal is the local state of a process between its entry and its exit section.
type reciprocal struct{ succ, eos uint32 }

// empty is no process, in a lock that is held.
const empty = 1

// NewReciprocating returns the lock for n processes, or a *shm.ProcsError.
func NewReciprocating(n int, layout shm.Layout, stores shm.Stores) (*ReciprocatingMutex, error) {
	return shm.New[*ReciprocatingMutex](Reciprocating(layout, stores), n)
}

func buildReciprocating(b shm.Build) shm.Mutex {
	return &ReciprocatingMutex{
		released: b.Released,
		gate:     shm.NewArray[register.Uint32](b.N, b.Layout),
		private:  shm.NewArray[reciprocal](b.N, shm.Padded),
	}
}

// Lock acquires the lock for process i.
func (l *ReciprocatingMutex) Lock(i int) {
	e, gate := uint32(i+2), l.gate.At(i)
	gate.StoreReleaseIf(l.released, none) // 1
	succ, eos := uint32(none), e
	if tail := l.arrivals.Swap(e); tail != none { // 2
		spin.Until(func() bool { eos = gate.Load(); return eos != none }) // 3
		switch tail {                                                     // 4
		case empty:
		case eos:
			eos = empty
		default:
			succ = tail
		}
	}
	*l.private.At(i) = reciprocal{succ, eos}
}

// Unlock releases the lock for process i.
func (l *ReciprocatingMutex) Unlock(i int) {
	p := *l.private.At(i)
	if p.succ != none {
		l.open(p.succ, p.eos) // 5
		return
	}
	if l.arrivals.CompareAndSwap(p.eos, none) { // 6
		return
	}
	w := l.arrivals.Swap(empty) // 7
	l.open(w, p.eos)            // 8
}

// open is lines 5 and 8.
func (l *ReciprocatingMutex) open(e, eos uint32) {
	l.gate.At(int(e-2)).StoreReleaseIf(l.released, eos) // 5, 8
}
