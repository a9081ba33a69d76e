package knownbroken

import (
	"sync/atomic"

	"shmbench/shm"
	"shmbench/spin"
)

// drepperMutex1 is the first of the three mutexes with which Drepper explains the
// futex, and which he shows to be wrong: two processes that wait keep each other
// awake, each by counting itself, and the word grows until it wraps around to 0, which
// says that no process is inside. That takes 2^32 attempts; the word has two bits here.
//
// The futex is part of the word: a bit for each process that sleeps. To test the
// value and to go to sleep is one step, as it is in the kernel.
var drepperMutex1 = made(Lock{
	Algorithm: shm.Algorithm{
		Name:  "knownbroken/drepper-mutex1",
		Title: "Drepper's first futex mutex",
		Source: shm.Source{
			Author: "Ulrich Drepper",
			Title:  "Futexes Are Tricky",
			Venue:  "Red Hat",
			Year:   2003,
		},
		Class:    shm.CompareAndSwap | shm.FetchAndOr,
		MinProcs: 1,
		MaxProcs: 16,
		Claims:   shm.Claims{DeadlockFree: true},
		Space:    shm.Space{{Name: "val", Count: shm.Const(1), Values: shm.Formula{Text: "2^(n+2)", At: func(n int) int { return 1 << (n + 2) }}}},
	},
	Read:     "ext_examples/futexes_are_tricky of mauro7x/futex, which has the mutexes of the paper; the paper was not seen",
	Claimed:  "mutual exclusion, in the first of three steps to a mutex that has it; the paper names the fault itself",
	Property: exclusion,
	Verdict:  "two that wait count the word up until it wraps around to 0, and one of them enters beside the holder.",
	Procs:    3,
	Memory:   Consistent,
	Steps:    12,
	Fix:      "the word has three values, free, held, and held while others may wait, as in baseline/futex",
}, func(int) shm.Mutex { return new(drepperMutex1Mutex) })

// drepperMutex1Mutex:
//
//	entry section:
//	1  c := fetch-and-increment(val); if c = 0 then enter
//	2  sleep if val = c + 1; goto 1
//	exit section:
//	3  val := 0
//	4  wake one that sleeps
type drepperMutex1Mutex struct {
	val atomic.Uint32 // two bits, and one for each process that sleeps
}

const (
	drepperValues = 4
	drepperAsleep = 2 // the place of process 0's bit
)

func (l *drepperMutex1Mutex) Lock(i int) {
	for ; ; spin.Pause() {
		c := l.count() // 1
		if c == 0 {
			return
		}
		l.sleep(i, (c+1)%drepperValues)
	}
}

// count is the fetch-and-increment of line 1.
func (l *drepperMutex1Mutex) count() uint32 {
	for ; ; spin.Pause() {
		v := l.val.Load()                                                             // 1
		if c := v % drepperValues; l.val.CompareAndSwap(v, v-c+(c+1)%drepperValues) { // 1
			return c
		}
	}
}

// sleep is line 2.
func (l *drepperMutex1Mutex) sleep(i int, c uint32) {
	asleep := uint32(1) << (drepperAsleep + i)
	for ; ; spin.Pause() {
		v := l.val.Load() // 2
		if v%drepperValues != c {
			return
		}
		if l.val.CompareAndSwap(v, v|asleep) { // 2
			break
		}
	}
	spin.Until(func() bool { return l.val.Load()&asleep == 0 }) // 2
}

func (l *drepperMutex1Mutex) Unlock(int) {
	l.val.And(^uint32(drepperValues - 1)) // 3
	for ; ; spin.Pause() {
		v := l.val.Load() // 4
		asleep := v &^ (drepperValues - 1)
		if asleep == 0 || l.val.CompareAndSwap(v, v-asleep&-asleep) { // 4
			return
		}
	}
}
