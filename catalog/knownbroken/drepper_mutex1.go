package knownbroken

import (
	"shmbench/shm"
	"shmbench/shm/futex"
	"shmbench/shm/spin"
)

// drepperMutex1 is the first of the three mutexes by which Drepper explains the futex. He
// shows that it is wrong: two waiting processes keep each other awake, because each counts
// itself, and the word grows until it wraps around to 0, which means that the lock is free.
// That takes 2^32 attempts. The word has two bits here.
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
		Class:    shm.CompareAndSwap | shm.Futex,
		MinProcs: 1,
		MaxProcs: 16,
		Claims:   shm.Claims{DeadlockFree: true},
		Space:    shm.Space{{Name: "val", Count: shm.Const(1), Values: shm.UpTo(2, shm.Const(drepperValues-1), shm.Const(drepperValues))}},
	},
	Read:     "ext_examples/futexes_are_tricky of mauro7x/futex, which has the mutexes of the paper; the paper was not seen",
	Claimed:  "mutual exclusion, in the first of three steps to a mutex that has it; the paper names the fault itself",
	Property: exclusion,
	Verdict:  "two waiting processes increment the word until it wraps around to 0, and one of them enters beside the holder.",
	Procs:    3,
	Memory:   Consistent,
	Steps:    18,
	Fix:      "the word has three values, free, held, and held while others may wait, as in baseline/futex",
}, func(int) shm.Mutex {
	l := new(drepperMutex1Mutex)
	l.val.Init()
	return l
})

// drepperMutex1Mutex:
//
//	entry section:
//	1  c := fetch-and-increment(val); if c = 0 then enter
//	2  sleep if val = c + 1; goto 1
//	exit section:
//	3  val := 0
//	4  wake one that sleeps
type drepperMutex1Mutex struct {
	val futex.Word // less than drepperValues
}

const drepperValues = 4

func (l *drepperMutex1Mutex) Lock(i int) {
	for ; ; spin.Pause() {
		c := l.count() // 1
		if c == 0 {
			return
		}
		l.val.Wait(i, (c+1)%drepperValues) // 2
	}
}

// count is the fetch-and-increment of line 1.
func (l *drepperMutex1Mutex) count() uint32 {
	for ; ; spin.Pause() {
		c := l.val.Load()                                 // 1
		if l.val.CompareAndSwap(c, (c+1)%drepperValues) { // 1
			return c
		}
	}
}

func (l *drepperMutex1Mutex) Unlock(i int) {
	l.val.Store(0) // 3
	l.val.Wake(i)  // 4
}
