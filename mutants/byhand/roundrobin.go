package byhand

import (
	"sync/atomic"

	"shmbench/burns"
	"shmbench/shm"
	"shmbench/spin"
)

var barDavid = burns.RoundRobin(shm.Packed, shm.Sequential)

var roundRobins = []Mutant{
	mutate(barDavid, "roundrobin-turn-stays", "the exit section leaves the turn where it is", Starvation, 2,
		func(n int) shm.Mutex { return &roundRobinTurnStays{newRoundRobin(n)} }),
	mutate(barDavid, "roundrobin-turn-taken", "the turn moves on from a process that wants to enter, too", Starvation, 3,
		func(n int) shm.Mutex { return &roundRobinTurnTaken{newRoundRobin(n)} }),
	mutate(barDavid, "roundrobin-never-down", "the exit section leaves wants set", Deadlock, 2,
		func(n int) shm.Mutex { return &roundRobinNeverDown{newRoundRobin(n)} }),
}

// roundRobinBase is Bar-David's wrapper around the one-bit lock in pieces:
//
//	entry section of process i:
//	1  wants[i] := true
//	2  wait until turn = i or not wants[turn]
//	3  enter the lock as process i
//	exit section:
//	4  wants[i] := false
//	5  if not wants[turn] then
//	6      turn := turn + 1, or 0 if that is n
//	7  leave the lock as process i
type roundRobinBase struct {
	wants []atomic.Bool
	turn  atomic.Uint32
	lock  *burns.OneBitMutex
}

func newRoundRobin(n int) *roundRobinBase {
	lock, err := burns.NewOneBit(n, shm.Packed, shm.Sequential)
	if err != nil {
		panic(err)
	}
	return &roundRobinBase{wants: make([]atomic.Bool, n), lock: lock}
}

func (l *roundRobinBase) Lock(i int) {
	l.wants[i].Store(true)   // 1
	spin.Until(func() bool { // 2
		t := int(l.turn.Load())
		return t == i || !l.wants[t].Load()
	})
	l.lock.Lock(i) // 3
}

// handOn is line 6.
func (l *roundRobinBase) handOn(t uint32) {
	l.turn.Store((t + 1) % uint32(len(l.wants)))
}

type roundRobinTurnStays struct{ *roundRobinBase }

func (l *roundRobinTurnStays) Unlock(i int) {
	l.wants[i].Store(false) // 4
	l.lock.Unlock(i)        // 7
}

type roundRobinTurnTaken struct{ *roundRobinBase }

func (l *roundRobinTurnTaken) Unlock(i int) {
	l.wants[i].Store(false) // 4
	l.handOn(l.turn.Load()) // 6
	l.lock.Unlock(i)        // 7
}

type roundRobinNeverDown struct{ *roundRobinBase }

func (l *roundRobinNeverDown) Unlock(i int) {
	if t := l.turn.Load(); !l.wants[t].Load() { // 5
		l.handOn(t) // 6
	}
	l.lock.Unlock(i) // 7
}
