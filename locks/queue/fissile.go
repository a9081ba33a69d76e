package queue

import (
	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
)

var fissileLocks = shm.Source{
	Author: "Dave Dice and Alex Kogan",
	Title:  "FissileTicket.c",
	Venue:  "github.com/pabuhr/concurrent-locking, 37da508",
	Year:   2025,
}

// Fissile returns the specification of the fissile ticket lock for a layout of its registers
// and for its stores.
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

// FissileMutex is the fissile ticket lock. A process that finds the lock free takes the next
// ticket at once. The others wait in a queue, the lane, and only the process at its front
// takes a ticket.
//
// Source: FissileTicket.c of github.com/pabuhr/concurrent-locking, added in June 2025,
// whose header names Dave Dice and Alex Kogan. The program follows the idea of their paper
// "Fissile Locks", NETYS 2020. The paper's lock is another one: a test-and-set word
// before a CNA lock, with bounded bypass (package numa, Fissile).
//
// Registers: ticket, an integer incremented by all; grant, an integer written by the
// process that leaves; those of the lane, a reciprocating lock.
//
// Properties: mutual exclusion, because only one ticket is served at a time. Starvation-free:
// no process starves in the lane. No process passes the ticket of the process at its front,
// since the others must find the lock free. Before that process has a ticket, the others can
// pass it any number of times. So the bypass is unbounded, and there is no order.
//
// Line 1 is a doorway, but gives no order.
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
// Line 2 must not succeed with an outdated ticket: the registers have 64 bits.
//
// Released stores: line 6, which no access of the critical section can pass. The holder has
// seen the last value of the register. Waiting processes only wait longer until the store is
// visible, and an older value makes line 2 fail. The stores of the lane are those of the
// reciprocating lock.
//
// Deviations: the program has two lanes, and chooses the second one with probability 10/256,
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

// Lock acquires the lock for process i.
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

// Unlock releases the lock for process i.
func (l *FissileMutex) Unlock(i int) {
	l.grant.StoreReleaseIf(l.released, l.grant.Load()+1) // 6
	if *l.inLane.At(i) {
		l.lane.Unlock(i) // 7
	}
}
