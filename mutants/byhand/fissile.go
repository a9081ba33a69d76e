package byhand

import (
	"sync/atomic"

	"shmbench/queue"
	"shmbench/shm"
	"shmbench/spin"
)

var fissileLock = queue.Fissile(shm.Packed, shm.Sequential)

var fissiles = []Mutant{
	mutate(fissileLock, "fissile-stored-ticket", "who finds the lock free stores the next ticket, without comparing again", Safety, 2,
		func(n int) shm.Mutex { return &fissileStoredTicket{newFissile(n)} }),
	mutate(fissileLock, "fissile-lane-kept", "who leaves does not leave its lane", Deadlock, 2,
		func(n int) shm.Mutex { return &fissileLaneKept{newFissile(n)} }),
}

// fissileBase is the fissile ticket lock in pieces, with a reciprocating lock for
// its lane:
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
type fissileBase struct {
	ticket, grant atomic.Uint64
	lane          *reciprocatingBase
	inLane        []bool // inLane[i] is private to process i
}

func newFissile(n int) *fissileBase {
	return &fissileBase{lane: newReciprocating(n), inLane: make([]bool, n)}
}

// slow is lines 3 to 5.
func (l *fissileBase) slow(i int) {
	l.inLane[i] = true
	l.lane.Lock(i)                                         // 3
	t := l.ticket.Add(1) - 1                               // 4
	spin.Until(func() bool { return l.grant.Load() == t }) // 5
}

func (l *fissileBase) Lock(i int) {
	g := l.grant.Load()                  // 1
	if l.ticket.CompareAndSwap(g, g+1) { // 2
		l.inLane[i] = false
		return
	}
	l.slow(i)
}

// next is line 6.
func (l *fissileBase) next() { l.grant.Store(l.grant.Load() + 1) }

func (l *fissileBase) Unlock(i int) {
	l.next()
	if l.inLane[i] {
		l.lane.Unlock(i) // 7
	}
}

type fissileStoredTicket struct{ *fissileBase }

func (l *fissileStoredTicket) Lock(i int) {
	if g := l.grant.Load(); l.ticket.Load() == g { // 1, 2
		l.ticket.Store(g + 1) // 2
		l.inLane[i] = false
		return
	}
	l.slow(i)
}

type fissileLaneKept struct{ *fissileBase }

func (l *fissileLaneKept) Unlock(int) { l.next() }
