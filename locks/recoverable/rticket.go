package recoverable

import (
	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
)

// RTicket returns the specification of the ticket lock in which others keep a process's
// ticket for it.
func RTicket() shm.Algorithm {
	return shm.Algorithm{
		Name:   "recoverable/rticket",
		Title:  "Recoverable ticket lock",
		Source: own("A ticket lock whose word names the last taker"),
		Class:  shm.CompareAndSwap,
		Claims: shm.Claims{
			DeadlockFree: true,
			Doorway:      "E1",
			Recovery:     &shm.Recovery{Reentry: shm.Const(3), Recover: shm.Const(3), Exit: shm.Const(2), References: remote},
		},
		Space: shm.Space{
			{Name: "next", Count: shm.Const(1)},
			{Name: "serving", Count: shm.Const(1)},
			{Name: "t", Count: shm.N},
		},
	}.Built(shm.Padded, shm.Sequential, buildRTicket)
}

// RTicketMutex is a ticket lock whose word has the last ticket and its taker. The next
// taker first stores that ticket where its owner finds it again.
//
// Source: constructed for this catalog; decided by check. The help is that of recoverable
// compare-and-swap: H. Attiya, O. Ben-Baruch and D. Hendler, "Nesting-Safe Recoverable
// Linearizability", PODC 2018, which was not read.
//
// Registers: next, the last ticket and its taker, written by all; serving, a ticket,
// written by the process in its critical section; t[i], the last ticket of process i,
// written by all.
//
// Properties: mutual exclusion, because a compare-and-swap gives each ticket to one
// process. First-come-first-served from line E6 on. A process can fail at line E6 forever
// while others take tickets. Under crashes a ticket is not lost: next names its taker until
// another process has stored the ticket in t. A ticket below serving is an old one, so
// nothing needs to be reset.
//
// The doorway is line E1. Lines E2 to E6 are a loop, so they are not wait-free.
//
//	recover section of process i:
//	R1  (a, p) := next
//	R2  s := serving
//	R3  if p = i and a ≥ s, t[i] := a
//	R4  otherwise a := t[i]
//	    if a = s, process i is in its critical section
//	entry section:
//	E1  a := t[i]; if a ≥ serving go to E8
//	E2  (a, p) := next; if p is a process
//	E3      y := t[p]; if y < a
//	E4          compare-and-swap(t[p], y, a)
//	E5  k := a + 1
//	E6  if not compare-and-swap(next, (a, p), (k, i)) go to E2
//	E7  t[i] := k
//	E8  wait until serving = t[i]
//	exit section:
//	X1  serving := t[i] + 1
//
// Deviations: a ticket has 48 bits. Tickets must not wrap around.
type RTicketMutex struct {
	_       shm.NoCopy
	next    *register.Uint64 // the ticket, and in the last 16 bits the taker and 1
	serving *register.Uint64
	t       shm.Array[register.Uint64]
}

const takerBits = 16

// NewRTicket returns the lock for n processes, or a *shm.ProcsError.
func NewRTicket(n int) (*RTicketMutex, error) { return shm.New[*RTicketMutex](RTicket(), n) }

func buildRTicket(b shm.Build) shm.Mutex {
	r := shm.NewArray[register.Uint64](2, b.Layout)
	l := &RTicketMutex{next: r.At(0), serving: r.At(1), t: shm.NewArray[register.Uint64](b.N, b.Layout)}
	l.serving.Store(1)
	return l
}

// Recover finds out where process i crashed.
func (l *RTicketMutex) Recover(i int) shm.Outcome {
	last := l.next.Load() // R1
	s := l.serving.Load() // R2
	a := last >> takerBits
	if last&(1<<takerBits-1) == uint64(i)+1 && a >= s {
		l.t.At(i).Store(a) // R3
	} else {
		a = l.t.At(i).Load() // R4
	}
	if a == s {
		return shm.Inside
	}
	return shm.Enter
}

// Lock acquires the lock for process i.
func (l *RTicketMutex) Lock(i int) {
	k := l.t.At(i).Load()     // E1
	if k < l.serving.Load() { // E1
		k = l.take(i)
		l.t.At(i).Store(k) // E7
	}
	spin.Until(func() bool { return l.serving.Load() == k }) // E8
}

// take returns a new ticket of process i.
func (l *RTicketMutex) take(i int) uint64 {
	for {
		last := l.next.Load() // E2
		a := last >> takerBits
		if p := last & (1<<takerBits - 1); p != 0 {
			if y := l.t.At(int(p) - 1).Load(); y < a { // E3
				l.t.At(int(p)-1).CompareAndSwap(y, a) // E4
			}
		}
		k := a + 1                                                   // E5
		if l.next.CompareAndSwap(last, k<<takerBits|(uint64(i)+1)) { // E6
			return k
		}
		spin.Pause()
	}
}

// Unlock releases the lock for process i.
func (l *RTicketMutex) Unlock(i int) {
	l.serving.Store(l.t.At(i).Load() + 1) // X1
}
