package knownbroken

import (
	"sync/atomic"

	"shmbench/shm"
	"shmbench/shm/spin"
)

// hyman is the lock that Hyman proposed as a simplification of Dijkstra's lock for two
// processes. Knuth showed in the same journal that it is wrong: a process takes the turn after
// it has seen the other's flag clear, and does not read the flag again.
var hyman = made(Lock{
	Algorithm: shm.Algorithm{
		Name:  "knownbroken/hyman",
		Title: "Hyman's two-process lock",
		Source: shm.Source{
			Author: "Harris Hyman",
			Title:  "Comments on a Problem in Concurrent Programming Control",
			Venue:  "Communications of the ACM 9(1)",
			Year:   1966,
			Page:   "45",
		},
		Class:    shm.ReadWrite,
		MinProcs: 2,
		MaxProcs: 2,
		Claims:   shm.Claims{DeadlockFree: true},
		Space: shm.Space{
			{Name: "b", Count: shm.Const(2), Values: shm.Const(2), SingleWriter: true},
			{Name: "k", Count: shm.Const(1), Values: shm.Const(2)},
		},
	},
	Read:     "the lecture page on it of California State University, Stanislaus, CS 3750, 2002; the note and Knuth's letter (CACM 9(5), 1966) were not seen",
	Claimed:  "mutual exclusion of two processes",
	Property: exclusion,
	Verdict:  "a process that has seen the other's flag down takes the turn while the other, whose turn it was, enters.",
	Procs:    2,
	Memory:   Consistent,
	Steps:    7,
	Fix:      "a process looks at the other's flag after it has the turn, as in Dekker's lock",
	Fixed:    "dekker/dekker",
}, func(int) shm.Mutex { return new(hymanMutex) })

// hymanMutex:
//
//	entry section of process i:
//	1  b[i] := true
//	2  while k is not i:
//	3      wait until not b[1-i]
//	4      k := i
//	exit section of process i:
//	5  b[i] := false
type hymanMutex struct {
	b [2]atomic.Bool
	k atomic.Uint32
}

func (l *hymanMutex) Lock(i int) {
	l.b[i].Store(true)            // 1
	for l.k.Load() != uint32(i) { // 2
		spin.Until(func() bool { return !l.b[1-i].Load() }) // 3
		l.k.Store(uint32(i))                                // 4
	}
}

func (l *hymanMutex) Unlock(i int) {
	l.b[i].Store(false) // 5
}
