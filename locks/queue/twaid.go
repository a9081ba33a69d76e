package queue

import (
	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
)

// TWAID returns the specification of the ticket lock with a waiting array of names, for a
// layout of its registers and for its stores.
func TWAID(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return shm.Algorithm{
		Name:  "queue/twaid",
		Title: "Ticket lock with a waiting array of names, TWA-ID",
		Source: shm.Source{
			Author: "Dave Dice and Alex Kogan",
			Title:  "TWA - Ticket Locks Augmented with a Waiting Array, extended version",
			Venue:  "arXiv:1810.01573, appendix",
			Year:   2018,
		},
		Class: shm.FetchAndAdd,
		Claims: shm.Claims{
			DeadlockFree:   true,
			StarvationFree: true,
			Bypass:         shm.NMinus1,
			FCFS:           true,
			Doorway:        "1",
			LocalSpin:      shm.LocalSpin{CC: true},
		},
		Space: shm.Space{
			{Name: "ticket", Count: shm.Const(1)},
			{Name: "grant", Count: shm.Const(1)},
			{Name: "w", Count: shm.Formula{Text: "2^(ceil(log2 n)-1), at least 1", At: twaSlots}, Values: twaNames},
		},
	}.Built(layout, stores, buildTWAID)
}

// twaNames is how many values a place of the array takes. Two processes never use the array.
var twaNames = shm.Formula{Text: "n+1, or 1 for n<3", At: func(n int) int {
	if n < 3 {
		return 1
	}
	return n + 1
}}

// TWAIDMutex is the ticket lock with a waiting array of names. A process that is not next
// writes its name to a place of the array, and waits until another process overwrites the
// name. Only the next process reads the ticket that is served.
//
// Source: Dave Dice and Alex Kogan, "TWA - Ticket Locks Augmented with a Waiting Array",
// extended version, arXiv:1810.01573, 2018, appendix. Written after TicketWaitingArray.c
// (github.com/pabuhr/concurrent-locking, f32f830), which cites it; the paper was not read.
//
// Registers: ticket, an integer that all processes increment; grant, an integer that exit
// sections write; w[h], a name or none for each hash of a ticket, written by all.
//
// Properties: mutual exclusion, because no two processes in the lock have the same ticket.
// First-come-first-served in the order of line 1, so the bypass is n-1 and no process starves.
// A process that waits on line 5 has read grant after it wrote its name. So the exit section
// that changes grant to make it the next process has yet to write to its place. If two tickets
// share a place, a process only reads grant earlier than needed.
//
// The doorway is line 1.
//
//	entry section of process i, with the threshold L = 1:
//	1  t := fetch-and-increment(ticket)
//	2  d := t - grant; if d = 0 then enter
//	3  if d > L then w[h(t)] := i
//	4      d := t - grant; if d = 0 then enter
//	5      if d > L then wait until w[h(t)] is not i
//	6  wait until grant = t
//	exit section:
//	7  k := grant + 1
//	8  grant := k
//	9  w[h(k + L)] := none
//
// Released stores: lines 8 and 9, which no access of the critical section can pass, and which
// reach memory in this order. They keep others waiting until they are visible. Line 3 keeps
// its fence: without it, a process may read an old grant on line 4, and overwrite line 9.
//
// Deviations: the program has one array of 4096 places for all locks, as the paper says of TWA,
// and the name is the address of a local variable. Here each lock has an array of its own, with
// about half as many places as there are processes, and the hash is the ticket's last bits. The
// program increments grant atomically.
type TWAIDMutex struct {
	_        shm.NoCopy
	released bool
	mask     uint32
	ticket   *register.Uint32
	grant    *register.Uint32
	w        shm.Array[register.Uint32] // none, or i+1 for process i
}

// NewTWAID returns the lock for n processes, or a *shm.ProcsError.
func NewTWAID(n int, layout shm.Layout, stores shm.Stores) (*TWAIDMutex, error) {
	return shm.New[*TWAIDMutex](TWAID(layout, stores), n)
}

func buildTWAID(b shm.Build) shm.Mutex {
	r := shm.NewArray[register.Uint32](2, b.Layout)
	return &TWAIDMutex{
		released: b.Released,
		mask:     uint32(twaSlots(b.N) - 1),
		ticket:   r.At(0),
		grant:    r.At(1),
		w:        shm.NewArray[register.Uint32](twaSlots(b.N), b.Layout),
	}
}

// Lock acquires the lock for process i.
func (l *TWAIDMutex) Lock(i int) {
	t := l.ticket.Add(1) - 1 // 1
	d := t - l.grant.Load()  // 2
	if d > twaThreshold {
		w, me := l.place(t), uint32(i+1)
		w.Store(me)            // 3
		d = t - l.grant.Load() // 4
		if d > twaThreshold {
			spin.Until(func() bool { return w.Load() != me }) // 5
		}
	}
	if d != 0 {
		spin.Until(func() bool { return l.grant.Load() == t }) // 6
	}
}

// Unlock releases the lock for any process.
func (l *TWAIDMutex) Unlock(int) {
	k := l.grant.Load() + 1                                  // 7
	l.grant.StoreReleaseIf(l.released, k)                    // 8
	l.place(k+twaThreshold).StoreReleaseIf(l.released, none) // 9
}

// place is the place of ticket t in the array.
func (l *TWAIDMutex) place(t uint32) *register.Uint32 { return l.w.At(int(t & l.mask)) }
