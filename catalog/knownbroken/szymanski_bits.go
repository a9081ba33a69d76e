package knownbroken

import (
	"sync/atomic"

	"shmbench/locks/szymanski"
	"shmbench/shm"
	"shmbench/shm/spin"
)

var linearWait = shm.Source{
	Author: "Bolesław K. Szymański",
	Title:  "A Simple Solution to Lamport's Concurrent Programming Problem with Linear Wait",
	Venue:  "Proceedings of the 2nd International Conference on Supercomputing",
	Year:   1988,
	Page:   "621-626",
}

// szymanskiBits is Szymański's lock of flags with three bits for each flag. The exit section
// clears the bits in the order in which the entry section has set them. In between, the bits
// of the process encode no flag of the lock: doorOut is still set, and lets others through the
// second door that have come in through the first one since.
var szymanskiBits = made(Lock{
	Algorithm: shm.Algorithm{
		Name:     "knownbroken/szymanski-bits",
		Title:    "Szymański's lock of three bits a process with its first exit",
		Source:   linearWait,
		Class:    shm.ReadWrite,
		MinProcs: 1,
		MaxProcs: shm.MaxProcs,
		Claims:   shm.Claims{DeadlockFree: true, StarvationFree: true},
		Space: shm.Space{
			{Name: "intent", Count: shm.N, Values: shm.Const(2), SingleWriter: true},
			{Name: "doorIn", Count: shm.N, Values: shm.Const(2), SingleWriter: true},
			{Name: "doorOut", Count: shm.N, Values: shm.Const(2), SingleWriter: true},
		},
	},
	Read:     mCRL2 + "Szymanski_flag_bit.mcrl2" + mCRL2Commit,
	Claimed:  "mutual exclusion and linear wait",
	Property: exclusion,
	Verdict:  "the exit section opens the first door with intent, while doorOut still lets others through the second door.",
	Procs:    3,
	Memory:   Consistent,
	Steps:    30,
	Fix:      "the exit section clears doorOut first, then intent, then doorIn",
	Fixed:    "szymanski/bits",
}, func(n int) shm.Mutex {
	return &szymanskiBitsLock{make([]atomic.Bool, n), make([]atomic.Bool, n), make([]atomic.Bool, n)}
})

// The source that was read is models for the model checker mCRL2.
const (
	mCRL2       = "github.com/mCRL2org/mCRL2, examples/academic/non-atomic_registers/models/"
	mCRL2Commit = ", commit 2ef8439201116093869d8e3b8cd046af70b7d1f2"
)

// szymanskiBitsLock:
//
//	entry section of process i:
//	1  intent[i] := true
//	2  for all j: wait until intent[j] = false or doorIn[j] = false
//	3  doorIn[i] := true
//	4  if intent[j] = true and doorIn[j] = false for some j then
//	5      intent[i] := false
//	6      wait until doorOut[j] = true for some j
//	7      intent[i] := true
//	8  doorOut[i] := true
//	9  for j := 0 to i-1: wait until doorIn[j] = false
//	exit section:
//	10 for j := i+1 to n-1: wait until doorIn[j] = false or doorOut[j] = true
//	11 intent[i] := false
//	12 doorIn[i] := false
//	13 doorOut[i] := false
type szymanskiBitsLock struct{ intent, doorIn, doorOut []atomic.Bool }

func (l *szymanskiBitsLock) Lock(i int) {
	l.intent[i].Store(true) // 1
	for j := range l.intent {
		if j != i {
			spin.Until(func() bool { return !l.intent[j].Load() || !l.doorIn[j].Load() }) // 2
		}
	}
	l.doorIn[i].Store(true) // 3
	if l.anyInFront(i) {
		l.intent[i].Store(false)                     // 5
		spin.Until(func() bool { return l.open(i) }) // 6
		l.intent[i].Store(true)                      // 7
	}
	l.doorOut[i].Store(true) // 8
	for j := range i {
		spin.Until(func() bool { return !l.doorIn[j].Load() }) // 9
	}
}

func (l *szymanskiBitsLock) anyInFront(i int) bool {
	for j := range l.intent {
		if j != i && l.intent[j].Load() && !l.doorIn[j].Load() { // 4
			return true
		}
	}
	return false
}

func (l *szymanskiBitsLock) open(i int) bool {
	for j := range l.intent {
		if j != i && l.doorOut[j].Load() { // 6
			return true
		}
	}
	return false
}

func (l *szymanskiBitsLock) Unlock(i int) {
	for j := i + 1; j < len(l.intent); j++ {
		spin.Until(func() bool { return !l.doorIn[j].Load() || l.doorOut[j].Load() }) // 10
	}
	l.intent[i].Store(false)  // 11
	l.doorIn[i].Store(false)  // 12
	l.doorOut[i].Store(false) // 13
}

// szymanskiFlagRegular is Szymański's lock of flags, unchanged, on registers that are
// not atomic.
var szymanskiFlagRegular = Lock{
	Algorithm: like(szymanski.Flag(shm.Packed, shm.Sequential), "knownbroken/szymanski-flag-regular", "Szymański's lock of a five-valued flag a process on regular registers"),
	Read:      "locks/szymanski/flag.go of this repository, after " + mCRL2 + "Szymanski_flag.mcrl2" + mCRL2Commit,
	Claimed:   "mutual exclusion; the paper's text on registers that are not atomic was not seen",
	Property:  exclusion,
	Verdict:   "while 3 is written over 1, another process reads 3 and goes through both doors. It then reads 1 and does not wait.",
	Procs:     2,
	Memory:    Regular,
	Steps:     17,
	Fix:       "flag is an atomic register",
	Fixed:     "szymanski/flag",
}

// szymanskiBitsRegular is the same lock with bits and with the correct exit section, on
// registers that are not atomic.
var szymanskiBitsRegular = Lock{
	Algorithm: like(szymanski.Bits(shm.Packed, shm.Sequential), "knownbroken/szymanski-bits-regular", "Szymański's lock of three bits a process on regular registers"),
	Read:      "locks/szymanski/bits.go of this repository, after " + mCRL2 + "Szymanski_flag_bit_altexit.mcrl2" + mCRL2Commit,
	Claimed:   "mutual exclusion; the paper's text on registers that are not atomic was not seen",
	Property:  exclusion,
	Verdict:   "while doorIn is being set, another process reads it as set and goes through both doors. It then reads it as clear and does not wait.",
	Procs:     2,
	Memory:    Regular,
	Steps:     20,
	Fix:       "doorIn is an atomic register",
	Fixed:     "szymanski/bits",
}
