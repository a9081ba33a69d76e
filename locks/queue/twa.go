package queue

import (
	"sync/atomic"

	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
)

var waitingArray = shm.Source{
	Author: "Dave Dice and Alex Kogan",
	Title:  "TWA - Ticket Locks Augmented with a Waiting Array",
	Venue:  "Euro-Par",
	Year:   2019,
	Page:   "334-345",
}

// TWA returns the specification of the ticket lock with a waiting array for a layout of its
// registers and for its stores.
func TWA(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return shm.Algorithm{
		Name:   "queue/twa",
		Title:  "Ticket lock with a waiting array",
		Source: waitingArray,
		Class:  shm.FetchAndAdd,
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
			{Name: "w", Count: shm.Formula{Text: "2^(ceil(log2 n)-1), at least 1", At: twaSlots}},
		},
	}.Built(layout, stores, buildTWA)
}

// twaThreshold is L in the paper.
const twaThreshold = 1

// TWAMutex is the ticket lock with a waiting array. Only the next process reads the ticket
// that is served. The others wait on other counters until their tickets are near.
//
// Source: Dave Dice and Alex Kogan, "TWA - Ticket Locks Augmented with a Waiting
// Array", Euro-Par 2019, p. 334-345, listing 1.1.
//
// Registers: ticket, an integer that all processes increment; grant, an integer that exit
// sections write; w[h], a counter for each hash of a ticket, which exit sections increment.
//
// Properties: mutual exclusion, because no two processes in the lock have the same ticket.
// First-come-first-served in the order of line 1, so the bypass is n-1 and no process
// starves. A process that waits on line 6 has read grant after w. So the increment of w
// that follows the change of grant is yet to come. If two tickets share a counter, a
// process only reads grant once more than needed.
//
// The doorway is line 1.
//
//	entry section of process i, with the threshold L = 1:
//	1  t := fetch-and-increment(ticket)
//	2  d := t - grant; if d = 0 then enter
//	3  if d > L then u := w[h(t)]
//	4      d := t - grant
//	5      while d > L:
//	6          wait until w[h(t)] is not u; u := w[h(t)]
//	7          d := t - grant
//	8  wait until grant = t
//	exit section:
//	9  k := grant + 1
//	10 grant := k
//	11 fetch-and-increment(w[h(k + L)])
//
// Released stores: line 10, which no access of the critical section can pass. Line 11, an
// atomic increment, takes it to memory before any process wakes.
//
// Deviations: the paper has one array of 4096 counters for all locks of a program,
// and a hash of lock and ticket; here each lock has an array of its own, with about
// half as many counters as there are processes. The hash is then the ticket's last
// bits. Counters wrap around, which could hide an increment after 2^32 others of
// one counter. TWAIDMutex is the form of the extended version, in which a process writes its
// name to its place in the array.
type TWAMutex struct {
	_        shm.NoCopy
	released bool
	mask     uint32
	ticket   *register.Uint32
	grant    *register.Uint32
	w        shm.Array[atomic.Uint32]
}

// NewTWA returns the lock for n processes, or a *shm.ProcsError.
func NewTWA(n int, layout shm.Layout, stores shm.Stores) (*TWAMutex, error) {
	return shm.New[*TWAMutex](TWA(layout, stores), n)
}

func buildTWA(b shm.Build) shm.Mutex {
	r := shm.NewArray[register.Uint32](2, b.Layout)
	return &TWAMutex{
		released: b.Released,
		mask:     uint32(twaSlots(b.N) - 1),
		ticket:   r.At(0),
		grant:    r.At(1),
		w:        shm.NewArray[atomic.Uint32](twaSlots(b.N), b.Layout),
	}
}

// Lock acquires the lock for any process.
func (l *TWAMutex) Lock(int) {
	t := l.ticket.Add(1) - 1 // 1
	d := t - l.grant.Load()  // 2
	if d == 0 {
		return
	}
	if d > twaThreshold {
		l.waitLong(t)
	}
	spin.Until(func() bool { return l.grant.Load() == t }) // 8
}

// waitLong returns when at most twaThreshold processes are ahead of ticket t.
func (l *TWAMutex) waitLong(t uint32) {
	w := l.hash(t)
	u := w.Load()           // 3
	d := t - l.grant.Load() // 4
	for d > twaThreshold {
		now := u
		spin.Until(func() bool { now = w.Load(); return now != u }) // 6
		u = now
		d = t - l.grant.Load() // 7
	}
}

// Unlock releases the lock for any process.
func (l *TWAMutex) Unlock(int) {
	k := l.grant.Load() + 1               // 9
	l.grant.StoreReleaseIf(l.released, k) // 10
	l.hash(k + twaThreshold).Add(1)       // 11
}

// hash is the number of the counter of ticket t.
func (l *TWAMutex) hash(t uint32) *atomic.Uint32 { return l.w.At(int(t & l.mask)) }

// twaSlots is the number of counters, a power of two.
func twaSlots(n int) int { return max(1, slots(n)/2) }
