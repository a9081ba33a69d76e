package mutants

import (
	"shmbench/queue"
	"shmbench/shm"
	"shmbench/spin"
)

var ticketBackoff = queue.TicketBackoff(shm.Packed, shm.Sequential)

var ticketBackoffs = []Mutant{
	mutate(ticketBackoff, "ticketbackoff-looks-once", "after the pauses for its distance a process enters without looking again", Safety, 2,
		func(int) shm.Mutex { return new(ticketBackoffLooksOnce) }),
	mutate(ticketBackoff, "ticketbackoff-two-reads", "nowServing is read once for the distance and once to compare, as in the paper", Equivalent, 2,
		func(int) shm.Mutex { return new(ticketBackoffTwoReads) }),
}

// distance is the number of processes before ticket t.
func (l *ticketBase) distance(t uint32) uint32 { return t - l.nowServing.Load() }

// pauses is what a process does between two looks, as many times as others are ahead.
func pauses(ahead uint32) {
	for range ahead {
		spin.Pause()
	}
}

type ticketBackoffLooksOnce struct{ ticketBase }

func (l *ticketBackoffLooksOnce) Lock(int) {
	myTicket := l.nextTicket.Add(1) - 1 // 1
	pauses(l.distance(myTicket))        // 2
}

type ticketBackoffTwoReads struct{ ticketBase }

func (l *ticketBackoffTwoReads) Lock(int) {
	myTicket := l.nextTicket.Add(1) - 1 // 1
	for {
		pauses(l.distance(myTicket))         // 2
		if l.nowServing.Load() == myTicket { // 2
			return
		}
		spin.Pause()
	}
}
