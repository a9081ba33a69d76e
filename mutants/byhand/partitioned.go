package byhand

import (
	"math/bits"
	"sync/atomic"

	"shmbench/queue"
	"shmbench/shm"
	"shmbench/spin"
)

var partitioned = queue.Partitioned(shm.Packed, shm.Sequential)

var partitioneds = []Mutant{
	mutate(partitioned, "partitioned-turns", "a slot says how many times it was called, and not for which ticket", Safety, 2,
		func(n int) shm.Mutex { return &partitionedTurns{newPartitioned(n)} }),
	mutate(partitioned, "partitioned-own-slot", "the next ticket is called in the slot of the one that leaves", Deadlock, 1,
		func(n int) shm.Mutex { return &partitionedOwnSlot{newPartitioned(n)} }),
}

// partitionedBase is the partitioned ticket lock:
//
//	entry section of process i:
//	1  t := fetch-and-increment(ticket)
//	2  wait until grants[t mod S] = t
//	exit section of process i:
//	3  grants[(t + 1) mod S] := t + 1
type partitionedBase struct {
	ticket atomic.Uint32
	grants []atomic.Uint32
	drawn  []uint32 // drawn[i], the ticket t of process i, is private to it
}

func newPartitioned(n int) *partitionedBase {
	return &partitionedBase{grants: make([]atomic.Uint32, max(2, 1<<bits.Len(uint(n-1))/2)), drawn: make([]uint32, n)}
}

// slot returns where a ticket is called, and its turn there.
func (l *partitionedBase) slot(t uint32) (*atomic.Uint32, uint32) {
	s := uint32(len(l.grants))
	return &l.grants[t%s], t / s
}

// draw is line 1.
func (l *partitionedBase) draw(i int) uint32 {
	l.drawn[i] = l.ticket.Add(1) - 1 // 1
	return l.drawn[i]
}

func (l *partitionedBase) Lock(i int) {
	t := l.draw(i)
	grant, _ := l.slot(t)
	spin.Until(func() bool { return grant.Load() == t }) // 2
}

type partitionedTurns struct{ *partitionedBase }

func (l *partitionedTurns) Lock(i int) {
	grant, turn := l.slot(l.draw(i))
	spin.Until(func() bool { return grant.Load() == turn }) // 2
}

func (l *partitionedTurns) Unlock(i int) {
	grant, turn := l.slot(l.drawn[i] + 1)
	grant.Store(turn) // 3
}

type partitionedOwnSlot struct{ *partitionedBase }

func (l *partitionedOwnSlot) Unlock(i int) {
	t := l.drawn[i]
	grant, _ := l.slot(t)
	grant.Store(t + 1) // 3
}
