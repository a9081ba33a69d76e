package queue

import (
	"shmbench/register"
	"shmbench/shm"
	"shmbench/spin"
)

var fissileLocks = shm.Source{
	Author: "Dave Dice and Alex Kogan",
	Title:  "FissileTicket.c",
	Venue:  "github.com/pabuhr/concurrent-locking, 37da508",
	Year:   2025,
}

// Fissile returns the specification of the fissile ticket lock, with its registers laid out and
// its stores made as told.
func Fissile(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return shm.Algorithm{
		Name:   "queue/fissile",
		Title:  "Fissile ticket lock",
		Source: fissileLocks,
		Class:  shm.Swap | shm.CompareAndSwap | shm.FetchAndAdd,
		Claims: shm.Claims{
			DeadlockFree:   true,
			StarvationFree: true,
			Doorway:        "1",
			LocalSpin:      shm.LocalSpin{CC: true},
		},
		Space: shm.Space{
			{Name: "ticket", Count: shm.Const(1)},
			{Name: "grant", Count: shm.Const(1)},
			{Name: "arrivals", Count: shm.Const(1), Values: shm.Formula{Text: "n+2", At: func(n int) int { return n + 2 }}},
			{Name: "gate", Count: shm.N, Values: shm.NPlus1},
		},
	}.Built(layout, stores, buildFissile)
}

// FissileMutex is the fissile ticket lock: who finds the lock free takes the next
// ticket at once; the others queue up in a lane, from which one at a time draws one.
//
// Source: FissileTicket.c of github.com/pabuhr/concurrent-locking, added in June 2025,
// whose header names Dave Dice and Alex Kogan. The program follows the idea of their paper
// "Fissile Locks", NETYS 2020. The paper's lock is another one: a test-and-set word
// before a CNA lock, with bounded bypass (package numa, Fissile).
//
// Registers: ticket, an integer incremented by all; grant, an integer written by the
// process that leaves; those of the lane, a reciprocating lock.
//
// Properties: mutual exclusion, because of those that hold different tickets one is
// served. Starvation-free: in the lane no process starves, and the one at its front draws a
// ticket, which no process passes, while the others must find the lock free. But until it
// has drawn, they can pass it any number of times: waiting is not bounded, and there is
// no order.
//
// Line 1 is a doorway that orders nothing.
//
//	entry section of process i:
//	1  g := grant
//	2  if compare-and-swap(ticket, g, g + 1) succeeds then enter
//	3  enter the lane
//	4  t := fetch-and-increment(ticket)
//	5  wait until grant = t
//	exit section:
//	6  grant := grant + 1
//	7  leave the lane, if i is in it
//
// Line 2 must not succeed with a ticket of long ago: the words have 64 bits.
//
// Released stores: line 6, which leaves the critical section before it where it is; the
// register is read by the holder, which has seen the last value, by the processes that wait,
// which wait longer while they cannot see it, and on line 1, where an older value
// makes line 2 fail. The lane's are those of the reciprocating lock.
//
// Deviations: the program has two lanes, and takes the second with probability 10/256,
// by a hash of grant.
type FissileMutex struct {
	_        shm.NoCopy
	released bool
	ticket   *register.Uint64
	grant    *register.Uint64
	lane     *ReciprocatingMutex
	inLane   shm.Array[bool] // inLane[i] is private to process i
}

// NewFissile returns the lock for n processes, or a *shm.ProcsError.
func NewFissile(n int, layout shm.Layout, stores shm.Stores) (*FissileMutex, error) {
	return shm.New[*FissileMutex](Fissile(layout, stores), n)
}

func buildFissile(b shm.Build) shm.Mutex {
	r := shm.NewArray[register.Uint64](2, b.Layout)
	return &FissileMutex{
		released: b.Released,
		ticket:   r.At(0),
		grant:    r.At(1),
		lane:     buildReciprocating(b).(*ReciprocatingMutex),
		inLane:   shm.NewArray[bool](b.N, shm.Padded),
	}
}

// Lock is the entry section of process i.
func (l *FissileMutex) Lock(i int) {
	g := l.grant.Load()                     // 1
	fast := l.ticket.CompareAndSwap(g, g+1) // 2
	*l.inLane.At(i) = !fast
	if fast {
		return
	}
	l.lane.Lock(i)                                         // 3
	t := l.ticket.Add(1) - 1                               // 4
	spin.Until(func() bool { return l.grant.Load() == t }) // 5
}

// Unlock is the exit section of process i.
func (l *FissileMutex) Unlock(i int) {
	l.grant.StoreReleaseIf(l.released, l.grant.Load()+1) // 6
	if *l.inLane.At(i) {
		l.lane.Unlock(i) // 7
	}
}
