package delegation

import (
	"sync/atomic"

	"shmbench/shm"
	"shmbench/shm/spin"
)

// TicketMutex is a ticket lock whose tickets are drawn by requests to a delegate.
//
// Registers: drawn, the ticket that is drawn next, read and written by requests alone;
// serving, the ticket of the process that may enter, written by the process in its critical
// section; executed, a bit of each process, set by its request and cleared by the process.
// drawn and serving count modulo n, because at most n tickets are in use.
//
//	entry section of process i:
//	T1  ticket := Execute(i, T5)
//	T2  if not executed[i], or the result is not of i, then panic; executed[i] := false
//	T3  wait until serving = ticket
//	exit section:
//	T4  serving := ticket + 1 mod n
//	request of process i:
//	T5  if executed[i] then panic; executed[i] := true
//	T6  result := drawn; drawn := drawn + 1 mod n
type TicketMutex struct {
	_        shm.NoCopy
	delegate shm.Delegate
	n        uint32
	_        shm.Pad
	drawn    uint32
	_        shm.Pad
	serving  atomic.Uint32
	_        shm.Pad
	own      shm.Array[ticketOwn]
}

// ticketOwn is used by one process, except executed.
type ticketOwn struct {
	draw     func() uint64 // T5, T6
	ticket   uint32
	executed bool
}

// NewTicketMutex returns the ticket lock of n processes over a delegate for them.
func NewTicketMutex(n int, delegate shm.Delegate) *TicketMutex {
	l := &TicketMutex{delegate: delegate, n: uint32(n), own: shm.NewArray[ticketOwn](n, shm.Padded)}
	for i := range n {
		l.own.At(i).draw = func() uint64 { return l.draw(i) }
	}
	return l
}

// Delegate returns the delegate that draws the tickets.
func (l *TicketMutex) Delegate() shm.Delegate { return l.delegate }

// Lock acquires the lock for process i.
func (l *TicketMutex) Lock(i int) {
	own := l.own.At(i)
	result := uint32(l.delegate.Execute(i, own.draw)) // T1
	if !own.executed {                                // T2
		panic("Execute returned before the request was executed")
	}
	if result%l.n != uint32(i) {
		panic("Execute returned the result of the request of another process")
	}
	own.executed = false // T2
	own.ticket = result / l.n
	spin.Until(func() bool { return l.serving.Load() == own.ticket }) // T3
}

// Unlock releases the lock for process i.
func (l *TicketMutex) Unlock(i int) {
	l.serving.Store(l.after(l.own.At(i).ticket)) // T4
}

// draw is the request of process i. Its result is the ticket and the process.
func (l *TicketMutex) draw(i int) uint64 {
	own := l.own.At(i)
	if own.executed { // T5
		panic("a request is executed a second time")
	}
	own.executed = true       // T5
	ticket := l.drawn         // T6
	l.drawn = l.after(ticket) // T6
	return uint64(ticket*l.n + uint32(i))
}

// after returns the ticket after another one.
func (l *TicketMutex) after(ticket uint32) uint32 {
	if ticket+1 == l.n {
		return 0
	}
	return ticket + 1
}

// TicketSpace returns the registers of the ticket lock. The processes whose requests others
// can execute are as many as executed says.
func TicketSpace(executed shm.Formula) shm.Space {
	return shm.Space{
		{Name: "executed", Count: executed, Values: shm.Const(2)},
		{Name: "drawn", Count: shm.Const(1), Values: shm.N},
		{Name: "serving", Count: shm.Const(1), Values: shm.N},
	}
}

// results is how many results requests have: each ticket for each process.
var results = shm.Formula{Text: "n*n", At: func(n int) int { return n * n }}

// inOrder is what the ticket lock claims over a delegate that executes requests in the
// order in which a line of Execute announces them.
func inOrder(line string) shm.Claims {
	return shm.Claims{
		DeadlockFree:   true,
		StarvationFree: true,
		Bypass:         shm.NMinus1,
		FCFS:           true,
		Doorway:        line,
		LocalSpin:      shm.LocalSpin{CC: true},
	}
}
