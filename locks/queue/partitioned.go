package queue

import (
	"sync/atomic"

	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
)

var diceTicket = shm.Source{
	Author: "Dave Dice",
	Title:  "Brief Announcement: A Partitioned Ticket Lock",
	Venue:  "SPAA",
	Year:   2011,
	Page:   "309-310",
}

// Partitioned returns the specification of the partitioned ticket lock for a layout of its
// slots and for its stores.
func Partitioned(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return shm.Algorithm{
		Name:   "queue/partitioned",
		Title:  "Partitioned ticket lock",
		Source: diceTicket,
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
			{Name: "grants", Count: shm.Formula{Text: "2^(ceil(log2 n)-1), at least 2", At: partitions}},
		},
	}.Built(layout, stores, buildPartitioned)
}

// PartitionedMutex is the partitioned ticket lock. Tickets are called in several slots in
// turn, so that few processes read the same slot.
//
// Source: Dave Dice, "Brief Announcement: A Partitioned Ticket Lock", SPAA 2011,
// p. 309-310.
//
// Registers: ticket, an integer that all processes increment; grants[s], the last ticket that
// was called in slot s of S, written by exit sections.
//
// Properties: mutual exclusion, because each ticket is taken once and called once.
// First-come-first-served in the order of line 1, so the bypass is n-1 and no process starves.
// At most ceil(n/S) processes read one slot.
//
// The doorway is line 1.
//
//	entry section of process i:
//	1  t := fetch-and-increment(ticket)
//	2  wait until grants[t mod S] = t
//	exit section of process i:
//	3  grants[(t + 1) mod S] := t + 1
//
// All slots may begin with 0, because only ticket 0 waits for that value.
//
// Released stores: line 3, which no access of the critical section can pass, and which keeps
// the next process waiting until it is visible.
//
// Deviations: the counters wrap around after M = 2^32 tickets. Each slot must be called at
// least twice before that, or the value of the last round looks like a call of this round: M
// is at least 2S. Here S is a power of two, half the number of processes or somewhat more, so
// that no division is needed.
type PartitionedMutex struct {
	_        shm.NoCopy
	released bool
	mask     uint32 // S - 1
	ticket   *atomic.Uint32
	grants   shm.Array[register.Uint32]
	drawn    shm.Array[uint32] // drawn[i], the ticket t of process i, is private to it
}

// NewPartitioned returns a partitioned ticket lock for n processes, or a
// *shm.ProcsError.
func NewPartitioned(n int, layout shm.Layout, stores shm.Stores) (*PartitionedMutex, error) {
	return shm.New[*PartitionedMutex](Partitioned(layout, stores), n)
}

func buildPartitioned(b shm.Build) shm.Mutex {
	ticket := shm.NewArray[atomic.Uint32](1, b.Layout)
	return &PartitionedMutex{
		released: b.Released,
		mask:     uint32(partitions(b.N) - 1),
		ticket:   ticket.At(0),
		grants:   shm.NewArray[register.Uint32](partitions(b.N), b.Layout),
		drawn:    shm.NewArray[uint32](b.N, shm.Padded),
	}
}

// Lock acquires the lock for process i.
func (l *PartitionedMutex) Lock(i int) {
	t := l.ticket.Add(1) - 1 // 1
	*l.drawn.At(i) = t
	grant := l.slot(t)
	spin.Until(func() bool { return grant.Load() == t }) // 2
}

// Unlock releases the lock for process i.
func (l *PartitionedMutex) Unlock(i int) {
	t := *l.drawn.At(i)
	l.slot(t+1).StoreReleaseIf(l.released, t+1) // 3
}

// slot is the slot in which ticket t is called.
func (l *PartitionedMutex) slot(t uint32) *register.Uint32 {
	return l.grants.At(int(t & l.mask))
}

// partitions is the number S of slots, a power of two.
func partitions(n int) int { return max(2, slots(n)/2) }
