package mutants

import (
	"sync/atomic"

	"shmbench/queue"
	"shmbench/shm"
	"shmbench/spin"
	"shmbench/tas"
)

var tries = []Mutant{
	mutate(tas.TAS(shm.Sequential), "tastry-load-store", "a try that has seen the bit clear writes it without another test", Safety, 2,
		func(int) shm.Mutex { return new(tasTryLoadStore) }),
	mutate(tas.TTAS(shm.Sequential), "ttas-until-keeps", "who gives up sets the bit", Deadlock, 2,
		func(int) shm.Mutex { return new(ttasUntilKeeps) }),
	mutate(queue.Ticket(shm.Packed, shm.Sequential), "tickettry-two-steps", "a try looks first whether nobody has a ticket, and then takes one", Safety, 2,
		func(int) shm.Mutex { return new(ticketTryTwoSteps) }),
	mutate(queue.Ticket(shm.Packed, shm.Sequential), "tickettry-keeps-ticket", "a try takes a ticket and goes away if it is not served", Deadlock, 2,
		func(int) shm.Mutex { return new(ticketTryKeepsTicket) }).using(shm.FetchAndAdd),
	mutate(mcs, "mcs-try-swaps", "a try has seen the list empty and enters it by a swap", Safety, 2,
		func(n int) shm.Mutex { return &mcsTrySwaps{newMCS(n)} }),
	mutate(mcs, "mcs-try-next-kept", "a try does not clear next, which may be left from the last time", Deadlock, 2,
		func(n int) shm.Mutex { return &mcsTryNextKept{newMCS(n)} }),
}

// tasTryBase is test-and-set with a try, with the labels of tas.TASMutex.
type tasTryBase struct{ tasBase }

func (l *tasTryBase) TryLock(int) bool {
	return !l.busy.Swap(true) // 3
}

type tasTryLoadStore struct{ tasTryBase }

func (l *tasTryLoadStore) TryLock(int) bool {
	if l.busy.Load() {
		return false
	}
	l.busy.Store(true)
	return true
}

type ttasUntilKeeps struct{ tasTryBase }

func (l *ttasUntilKeeps) LockUntil(_ int, giveUp func() bool) bool {
	for l.busy.Swap(true) {
		if giveUp() {
			spin.Until(func() bool { return !l.busy.Swap(true) })
			return false
		}
		spin.Pause()
	}
	return true
}

type ticketTryTwoSteps struct{ next, serving atomic.Uint32 }

func (l *ticketTryTwoSteps) Lock(int) {
	ticket := l.next.Add(1) - 1                                   // 1
	spin.Until(func() bool { return l.serving.Load() == ticket }) // 2
}

func (l *ticketTryTwoSteps) Unlock(int) {
	l.serving.Store(l.serving.Load() + 1) // 3
}

func (l *ticketTryTwoSteps) TryLock(int) bool {
	if l.serving.Load() != l.next.Load() {
		return false
	}
	l.next.Add(1)
	return true
}

type ticketTryKeepsTicket struct{ ticketTryTwoSteps }

func (l *ticketTryKeepsTicket) TryLock(int) bool {
	ticket := l.next.Add(1) - 1
	return l.serving.Load() == ticket
}

type mcsTrySwaps struct{ *mcsBase }

func (l *mcsTrySwaps) TryLock(i int) bool {
	l.of(uint32(i + 1)).next.Store(none) // 10
	if l.l.Load() != none {
		return false
	}
	l.l.Swap(uint32(i + 1))
	return true
}

type mcsTryNextKept struct{ *mcsBase }

func (l *mcsTryNextKept) TryLock(i int) bool {
	return l.l.CompareAndSwap(none, uint32(i+1)) // 11
}
