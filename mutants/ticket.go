package mutants

import (
	"sync/atomic"

	"shmbench/queue"
	"shmbench/shm"
	"shmbench/spin"
)

var ticket = queue.Ticket(shm.Packed, shm.Sequential)

var tickets = []Mutant{
	mutate(ticket, "ticket-split-fetch", "the ticket is read and incremented in two steps", Safety, 2,
		func(int) shm.Mutex { return new(ticketSplitFetch) }).using(shm.ReadWrite),
	mutate(ticket, "ticket-two-served", "the ticket after the one that is called is served too", Safety, 2,
		func(int) shm.Mutex { return new(ticketTwoServed) }),
	ticketModulus,
	mutate(ticket, "ticket-never-advances", "the exit section calls nobody", Deadlock, 1,
		func(int) shm.Mutex { return new(ticketNeverAdvances) }).with(shm.Space{
		ticket.Space[0], {Name: "nowServing", Count: shm.Const(1), Values: shm.Const(1)},
	}),
	mutate(ticket, "ticket-by-two", "the exit section calls the ticket after the next", Deadlock, 1,
		func(int) shm.Mutex { return new(ticketByTwo) }),
	mutate(ticket, "ticket-atomic-advance", "the exit section increments atomically, where a read and a write would do", Equivalent, 1,
		func(int) shm.Mutex { return new(ticketAtomicAdvance) }),
}

// ticketBase is the ticket lock:
//
//	entry section:
//	1  myTicket := fetch-and-increment(nextTicket)
//	2  wait until nowServing = myTicket
//	exit section:
//	3  nowServing := nowServing + 1
type ticketBase struct{ nextTicket, nowServing atomic.Uint32 }

// await is line 2.
func (l *ticketBase) await(myTicket uint32) {
	spin.Until(func() bool { return l.nowServing.Load() == myTicket })
}

func (l *ticketBase) Lock(int) {
	l.await(l.nextTicket.Add(1) - 1) // 1, 2
}

func (l *ticketBase) Unlock(int) {
	l.nowServing.Store(l.nowServing.Load() + 1) // 3
}

type ticketSplitFetch struct{ ticketBase }

func (l *ticketSplitFetch) Lock(int) {
	myTicket := l.nextTicket.Load()
	l.nextTicket.Store(myTicket + 1)
	l.await(myTicket)
}

type ticketTwoServed struct{ ticketBase }

func (l *ticketTwoServed) Lock(int) {
	myTicket := l.nextTicket.Add(1) - 1
	spin.Until(func() bool { return myTicket-l.nowServing.Load() <= 1 })
}

type ticketNeverAdvances struct{ ticketBase }

func (l *ticketNeverAdvances) Unlock(int) {}

type ticketByTwo struct{ ticketBase }

func (l *ticketByTwo) Unlock(int) { l.nowServing.Store(l.nowServing.Load() + 2) }

type ticketAtomicAdvance struct{ ticketBase }

func (l *ticketAtomicAdvance) Unlock(int) { l.nowServing.Add(1) }

// ticketModulus is not for one process, as n-1 is then no modulus.
var ticketModulus = func() Mutant {
	correct := ticket
	correct.MinProcs = 2
	return mutate(correct, "ticket-modulus", "tickets are counted modulo n-1, fewer than there are processes", Safety, 2,
		func(n int) shm.Mutex { return &ticketModulo{modulus: uint32(n - 1)} }).with(shm.Space{
		ticket.Space[0], {Name: "nowServing", Count: shm.Const(1), Values: shm.NMinus1},
	})
}()

type ticketModulo struct {
	ticketBase
	modulus uint32
}

func (l *ticketModulo) Lock(int) { l.await((l.nextTicket.Add(1) - 1) % l.modulus) }

func (l *ticketModulo) Unlock(int) {
	l.nowServing.Store((l.nowServing.Load() + 1) % l.modulus)
}
