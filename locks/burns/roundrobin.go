package burns

import (
	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
)

var raynal = shm.Source{
	Author: "Michel Raynal",
	Title:  "Concurrent Programming: Algorithms, Principles, and Foundations",
	Venue:  "Springer",
	Year:   2013,
}

// RoundRobin returns the specification of Bar-David's wrapper around Lamport's one-bit lock
// for a layout of its registers and for its stores.
func RoundRobin(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return roundRobin("burns/roundrobin", OneBit(layout, stores))
}

func roundRobin(name string, inner shm.Algorithm) shm.Algorithm {
	a := inner
	a.Name = name
	a.Title = "Bar-David's round robin over " + inner.Title
	a.Source = raynal
	a.Claims = shm.Claims{
		DeadlockFree:   true,
		StarvationFree: true,
		Bypass:         shm.Formula{Text: "n(n-1)-1, at least 0", At: func(n int) int { return max(0, n*(n-1)-1) }},
		Doorway:        "1",
		LocalSpin:      shm.LocalSpin{CC: true},
		Weakest:        shm.Weakest{Exclusion: shm.Safe, DeadlockFree: shm.Safe, StarvationFree: shm.Safe},
	}
	a.Space = append(shm.Space{
		{Name: "wants", Count: shm.N, Values: shm.Const(2), SingleWriter: true},
		{Name: "turn", Count: shm.Const(1), Values: shm.N},
	}, inner.Space...)
	a.Invariants = nil
	return a.BuiltOver(inner, inner.Layout, inner.Stores, buildRoundRobin)
}

// RoundRobinMutex makes a deadlock-free lock starvation-free. While the process that has the
// turn wants to enter, no other process begins to compete, and the turn goes round.
//
// Source: Michel Raynal, "Concurrent Programming: Algorithms, Principles, and
// Foundations", Springer, 2013, which has it from Yoah Bar-David; there wants is FLAG.
//
// Registers: those of the lock; wants[i], a bit, written by process i and read by all;
// turn, an id, written by the process in its critical section and read by all.
//
// Properties: mutual exclusion and deadlock freedom are those of the lock. Starvation-free,
// because once the process that has the turn wants to enter, only those that have passed line 2
// can enter before it, each once; and the turn moves on when its owner does not want to enter or
// leaves. The turn gets to a process in at most n-1 steps. Each step takes at most n-1 critical
// sections, and so does the process's own entry then: n(n-1) in all. One of them cannot happen.
//
// The doorway is line 1.
//
//	entry section of process i:
//	1  wants[i] := true
//	2  wait until turn = i or not wants[turn]
//	3  enter the lock as process i
//	exit section of process i:
//	4  wants[i] := false
//	5  if not wants[turn] then
//	6      turn := turn + 1, or 0 if that is n
//	7  leave the lock as process i
//
// Released stores: lines 4 and 6, and those of the lock. They reach memory before what line
// 7 writes does, so that the next process to enter finds them there. They keep others
// waiting on line 2 until they are visible.
//
// Deviations: processes are numbered from 0, and lines 2 and 5 read turn once.
type RoundRobinMutex struct {
	_        shm.NoCopy
	released bool
	n        int
	wants    shm.Array[register.Bool]
	turn     *register.Uint32
	lock     shm.Mutex
}

func buildRoundRobin(b shm.Build, lock shm.Mutex) shm.Mutex {
	turn := shm.NewArray[register.Uint32](1, b.Layout)
	return &RoundRobinMutex{
		released: b.Released,
		n:        b.N,
		wants:    shm.NewArray[register.Bool](b.N, b.Layout),
		turn:     turn.At(0),
		lock:     lock,
	}
}

// Lock acquires the lock for process i.
func (l *RoundRobinMutex) Lock(i int) {
	l.wants.At(i).Store(true) // 1
	spin.Until(func() bool {  // 2
		t := int(l.turn.Load())
		return t == i || !l.wants.At(t).Load()
	})
	l.lock.Lock(i) // 3
}

// Unlock releases the lock for process i.
func (l *RoundRobinMutex) Unlock(i int) {
	l.wants.At(i).StoreReleaseIf(l.released, false)     // 4
	if t := int(l.turn.Load()); !l.wants.At(t).Load() { // 5
		l.turn.StoreReleaseIf(l.released, uint32((t+1)%l.n)) // 6
	}
	l.lock.Unlock(i) // 7
}
