// Package queue holds the locks made of read-modify-write operations in which processes form a
// queue. Most are first-come-first-served in the order of the queue. The others say why they
// are not.
package queue

import (
	"fmt"

	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
)

// scalable is the paper that collects the queue locks.
var scalable = shm.Source{
	Author: "John M. Mellor-Crummey and Michael L. Scott",
	Title:  "Algorithms for Scalable Synchronization on Shared-Memory Multiprocessors",
	Venue:  "ACM Transactions on Computer Systems 9(1)",
	Year:   1991,
	Page:   "21-65",
}

// Ticket returns the specification of the ticket lock for a layout of its registers and for
// its stores.
func Ticket(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return ticket("queue/ticket", "Ticket lock", 0, layout, stores)
}

// TicketBackoff returns the specification of the ticket lock with proportional backoff for a
// layout of its registers and for its stores.
func TicketBackoff(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return ticket("queue/ticketbackoff", "Ticket lock with proportional backoff", ticketUnit, layout, stores)
}

// ticketUnit is the number of pauses for each process ahead.
const ticketUnit = 4

func ticket(name, title string, unit uint32, layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return shm.Algorithm{
		Name:   name,
		Title:  title,
		Source: scalable,
		Class:  shm.FetchAndAdd,
		Claims: shm.Claims{
			DeadlockFree:   true,
			StarvationFree: true,
			Bypass:         shm.NMinus1,
			FCFS:           true,
			Doorway:        "1",
			LocalSpin:      shm.LocalSpin{CC: true},
			Mixed: shm.Mixed{
				Class:        shm.CompareAndSwap,
				DeadlockFree: true,
				Writers:      shm.Patient{StarvationFree: true, Bypass: shm.NMinus1, Doorway: "1"},
				WaitFreeTry:  true,
			},
		},
		Space: shm.Space{
			{Name: "nextTicket", Count: shm.Const(1)},
			{Name: "nowServing", Count: shm.Const(1)},
		},
		Invariants: []shm.Invariant{ticketInvariant},
	}.Built(layout, stores, func(b shm.Build) shm.Mutex { return buildTicket(b, unit) })
}

// TicketMutex is the ticket lock: a process takes a ticket and waits until it is called.
// With a unit other than 0 it is the ticket lock with proportional backoff. A process then
// reads nowServing less often if more processes are ahead.
//
// Source: John M. Mellor-Crummey and Michael L. Scott, "Algorithms for
// Scalable Synchronization on Shared-Memory Multiprocessors", ACM TOCS 9(1),
// 1991, p. 21-65; the idea is in David P. Reed and Rajendra K. Kanodia,
// "Synchronization with Eventcounts and Sequencers", CACM 22(2), 1979.
//
// Registers: nextTicket and nowServing, both integers. All processes increment nextTicket, and
// only the process in its critical section writes nowServing.
//
// Properties: mutual exclusion, because no two processes in the lock have the same ticket.
// First-come-first-served in the order of line 1, so the bypass is n-1 and no process starves.
// Backoff changes none of that, but a process that pauses beyond its turn delays all processes
// behind it.
//
// The doorway is line 1.
//
//	entry section:
//	1  myTicket := fetch-and-increment(nextTicket)
//	2  wait until nowServing = myTicket, pausing (myTicket - nowServing) * unit times between looks
//	exit section:
//	3  nowServing := nowServing + 1
//	try, which takes a ticket only if it is the one that is served:
//	4  served := nowServing
//	5  return whether compare-and-swap(nextTicket, served, served + 1) succeeds
//
// Released stores: line 3, which no access of the critical section can pass. The register is
// read by the holder, which has seen the last value, and by waiting processes, which wait
// longer until the store is visible.
//
// Deviations: the counters are 32-bit words that wrap around, which is harmless for fewer than
// 2^32 processes. With backoff the paper reads nowServing twice between pauses, once for the
// distance and once to compare. Here one read serves both. Lines 4 and 5 are folklore. They
// are wrong if 2^32 tickets are taken between them.
type TicketMutex struct {
	_          shm.NoCopy
	released   bool
	unit       uint32 // pauses for each process ahead, or 0
	nextTicket *register.Uint32
	nowServing *register.Uint32
}

// NewTicket returns a ticket lock for n processes, or a *shm.ProcsError.
func NewTicket(n int, layout shm.Layout, stores shm.Stores) (*TicketMutex, error) {
	return shm.New[*TicketMutex](Ticket(layout, stores), n)
}

// NewTicketBackoff returns a ticket lock with proportional backoff for n
// processes, or a *shm.ProcsError.
func NewTicketBackoff(n int, layout shm.Layout, stores shm.Stores) (*TicketMutex, error) {
	return shm.New[*TicketMutex](TicketBackoff(layout, stores), n)
}

func buildTicket(b shm.Build, unit uint32) shm.Mutex {
	r := shm.NewArray[register.Uint32](2, b.Layout)
	return &TicketMutex{released: b.Released, unit: unit, nextTicket: r.At(0), nowServing: r.At(1)}
}

// Lock acquires the lock for any process.
func (l *TicketMutex) Lock(int) {
	myTicket := l.nextTicket.Add(1) - 1 // 1
	if l.unit != 0 {
		l.await(myTicket)
		return
	}
	spin.Until(func() bool { return l.nowServing.Load() == myTicket }) // 2
}

// await is line 2 with backoff.
func (l *TicketMutex) await(myTicket uint32) {
	for {
		ahead := myTicket - l.nowServing.Load() // 2
		if ahead == 0 {
			return
		}
		for range ahead * l.unit {
			spin.Pause()
		}
	}
}

// TryLock enters if no process has a ticket.
func (l *TicketMutex) TryLock(int) bool {
	served := l.nowServing.Load()                        // 4
	return l.nextTicket.CompareAndSwap(served, served+1) // 5
}

// Unlock releases the lock for any process.
func (l *TicketMutex) Unlock(int) {
	l.nowServing.StoreReleaseIf(l.released, l.nowServing.Load()+1) // 3
}

// Alone reports to the holder whether no process has taken a ticket after it.
func (l *TicketMutex) Alone(int) bool {
	return l.nextTicket.Load() == l.nowServing.Load()+1
}

// ticketInvariant: each ticket from the one being served on belongs to exactly one process in
// the lock. So exactly one process has the ticket that is being served, unless the lock is
// free.
var ticketInvariant = shm.Invariant{Name: "tickets", Source: scalable, Holds: func(v shm.View) error {
	drawn, served := v.Int("nextTicket"), v.Int("nowServing")
	if holders := v.N() - shm.In(v, shm.Remainder); drawn-served != holders {
		return fmt.Errorf("nextTicket = %d, nowServing = %d, processes with a ticket: %d", drawn, served, holders)
	}
	return nil
}}
