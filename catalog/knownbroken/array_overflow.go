package knownbroken

import (
	"sync/atomic"

	"shmbench/shm"
	"shmbench/shm/spin"
)

// arrayOverflow is Anderson's array lock with as many slots as processes. It works until the
// counter wraps around. Since 2^w mod 3 = 1, the last place of one round and the first of the
// next are the same slot. Two processes wait there, and both enter. A counter of 32 bits wraps
// around in minutes of heavy use. This one has two bits.
var arrayOverflow = made(Lock{
	Algorithm: shm.Algorithm{
		Name:  "knownbroken/array-overflow",
		Title: "Array lock whose slots do not divide the counter's range",
		Source: shm.Source{
			Author: "Thomas E. Anderson",
			Title:  "The Performance of Spin Lock Alternatives for Shared-Memory Multiprocessors",
			Venue:  "IEEE Transactions on Parallel and Distributed Systems 1(1)",
			Year:   1990,
			Page:   "6-16",
		},
		Class:    shm.FetchAndAdd,
		MinProcs: 1,
		MaxProcs: 4,
		Claims:   shm.Claims{DeadlockFree: true, StarvationFree: true, Bypass: shm.NMinus1, FCFS: true, Doorway: "1"},
		Space: shm.Space{
			{Name: "hasLock", Count: shm.N, Values: shm.Const(2)},
			{Name: "queueLast", Count: shm.Const(1)},
		},
	},
	Read:     "open-s4c/libvsync, include/vsync/spinlock/arraylock.h, which warns that the number of slots must be a power of two; the paper was not seen",
	Claimed:  "an array of n slots serves n processes, as the lock is often restated",
	Property: exclusion,
	Verdict:  "when the counter has wrapped around, two processes wait in one slot, and enter together.",
	Procs:    3,
	Memory:   Consistent,
	Steps:    18,
	Fix:      "the number of slots is a power of two",
	Fixed:    "queue/anderson",
}, func(n int) shm.Mutex {
	l := &arrayOverflowMutex{myPlace: make([]uint32, n), hasLock: make([]atomic.Bool, n)}
	l.hasLock[0].Store(true)
	return l
})

// arrayOverflowMutex:
//
//	entry section of process i:
//	1  myPlace := fetch-and-increment(queueLast) mod 4 mod n
//	2  wait until hasLock[myPlace]
//	3  hasLock[myPlace] := false
//	exit section of process i:
//	4  hasLock[(myPlace + 1) mod n] := true
type arrayOverflowMutex struct {
	myPlace   []uint32 // myPlace[i] is private to process i
	hasLock   []atomic.Bool
	queueLast atomic.Uint32 // with two bits that count
}

func (l *arrayOverflowMutex) Lock(i int) {
	myPlace := (l.queueLast.Add(1) - 1) % 4 % uint32(len(l.hasLock)) // 1
	l.myPlace[i] = myPlace
	spin.Until(func() bool { return l.hasLock[myPlace].Load() }) // 2
	l.hasLock[myPlace].Store(false)                              // 3
}

func (l *arrayOverflowMutex) Unlock(i int) {
	l.hasLock[(l.myPlace[i]+1)%uint32(len(l.hasLock))].Store(true) // 4
}
