package szymanski

import (
	"fmt"

	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
)

// inBits is the source of the exit section of BitsMutex.
var inBits = shm.Source{
	Author: "Rob van Glabbeek, Bas Luttik and Myrthe S. C. Spronck, after Bolesław K. Szymański",
	Title:  "Just Verification of Mutual Exclusion Algorithms",
	Venue:  "36th International Conference on Concurrency Theory (CONCUR)",
	Year:   2025,
	Page:   "17:1-17:25",
}

// Bits returns the specification of Szymański's lock with bits for its flags, for a layout of
// its registers and for its stores.
func Bits(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return shm.Algorithm{
		Name:   "szymanski/bits",
		Title:  "Szymański's lock of three bits a process",
		Source: inBits,
		Class:  shm.ReadWrite,
		Claims: shm.Claims{
			DeadlockFree:   true,
			StarvationFree: true,
			Bypass:         twice,
			Doorway:        "1",
			LocalSpin:      shm.LocalSpin{CC: true},
			Weakest:        shm.Weakest{Exclusion: shm.Atomic, DeadlockFree: shm.Atomic, StarvationFree: shm.Atomic},
		},
		Space: shm.Space{
			{Name: "intent", Count: shm.N, Values: shm.Const(2), SingleWriter: true},
			{Name: "doorIn", Count: shm.N, Values: shm.Const(2), SingleWriter: true},
			{Name: "doorOut", Count: shm.N, Values: shm.Const(2), SingleWriter: true},
		},
		Invariants: bitsInvariants,
	}.Built(layout, stores, buildBits)
}

// BitsMutex is FlagMutex with three bits for the five values of a flag. A process writes, and
// reads, the bits one after another.
//
// Source: Rob van Glabbeek, Bas Luttik, Myrthe S. C. Spronck, "Just Verification of
// Mutual Exclusion Algorithms", CONCUR 2025, with the models that belong to it
// (github.com/mCRL2org/mCRL2, examples/academic/non-atomic_registers/models,
// Szymanski_flag_bit_altexit.mcrl2), after Bolesław K. Szymański, "A Simple Solution
// to Lamport's Concurrent Programming Problem with Linear Wait", 1988.
//
// Registers: intent[i], doorIn[i] and doorOut[i], bits, written by process i and
// read by all. No bit is flag 0; intent is 1; doorIn alone is 2; intent and doorIn
// are 3; all of them are 4.
//
// Properties: those of FlagMutex, for the same reasons. The exit section goes back through 3
// and 2: it shuts the second door first, and no process can enter the room while it opens the
// first door. Szymański has lines 11 to 13 in the order intent, doorIn, doorOut. In that order
// three processes can lose exclusion.
//
// On regular registers two processes lose exclusion, and can deadlock: a read of
// doorIn[j] may return false after another one has returned true.
//
// The doorway is line 1.
//
//	entry section of process i:
//	1  intent[i] := true
//	2  for all j other than i: wait until intent[j] = false or doorIn[j] = false
//	3  doorIn[i] := true
//	4  if intent[j] = true and doorIn[j] = false for some j other than i then
//	5      intent[i] := false
//	6      wait until doorOut[j] = true for some j other than i
//	7      intent[i] := true
//	8  doorOut[i] := true
//	9  for j := 0 to i-1: wait until doorIn[j] = false
//	exit section:
//	10 for j := i+1 to n-1: wait until doorIn[j] = false or doorOut[j] = true
//	11 doorOut[i] := false
//	12 intent[i] := false
//	13 doorIn[i] := false
//
// Released stores: all but lines 1 and 3. Until lines 5, 7 and 8 are visible, other processes
// see the process at 3 or 2, as in FlagMutex when its stores are late. Lines 11 to 13 leave
// the critical section in this order, so that a late store is a late exit.
//
// Deviations: processes are numbered from 0, and none reads its own bits, whose values it
// knows. If a line reads two bits of a process and the first decides, the second is not read.
type BitsMutex struct {
	_                       shm.NoCopy
	released                bool
	n                       int
	intent, doorIn, doorOut shm.Array[register.Bool]
}

// NewBits returns the lock for n processes, or a *shm.ProcsError.
func NewBits(n int, layout shm.Layout, stores shm.Stores) (*BitsMutex, error) {
	return shm.New[*BitsMutex](Bits(layout, stores), n)
}

func buildBits(b shm.Build) shm.Mutex {
	return &BitsMutex{
		released: b.Released,
		n:        b.N,
		intent:   shm.NewArray[register.Bool](b.N, b.Layout),
		doorIn:   shm.NewArray[register.Bool](b.N, b.Layout),
		doorOut:  shm.NewArray[register.Bool](b.N, b.Layout),
	}
}

// Lock acquires the lock for process i.
func (l *BitsMutex) Lock(i int) {
	l.intent.At(i).Store(true) // 1
	for j := range l.n {
		if j != i {
			spin.Until(func() bool { return !l.intent.At(j).Load() || !l.doorIn.At(j).Load() }) // 2
		}
	}
	l.doorIn.At(i).Store(true) // 3
	if l.anyInFront(i) {
		l.intent.At(i).StoreReleaseIf(l.released, false) // 5
		spin.Until(func() bool { return l.open(i) })     // 6
		l.intent.At(i).StoreReleaseIf(l.released, true)  // 7
	}
	l.doorOut.At(i).StoreReleaseIf(l.released, true) // 8
	for j := range i {
		spin.Until(func() bool { return !l.doorIn.At(j).Load() }) // 9
	}
}

// Unlock releases the lock for process i.
func (l *BitsMutex) Unlock(i int) {
	for j := i + 1; j < l.n; j++ {
		spin.Until(func() bool { return !l.doorIn.At(j).Load() || l.doorOut.At(j).Load() }) // 10
	}
	l.doorOut.At(i).StoreReleaseIf(l.released, false) // 11
	l.intent.At(i).StoreReleaseIf(l.released, false)  // 12
	l.doorIn.At(i).StoreReleaseIf(l.released, false)  // 13
}

// anyInFront reports whether some other process is in front of the first door.
func (l *BitsMutex) anyInFront(i int) bool {
	for j := range l.n {
		if j != i && l.intent.At(j).Load() && !l.doorIn.At(j).Load() { // 4
			return true
		}
	}
	return false
}

// open reports whether some other process holds the second door open.
func (l *BitsMutex) open(i int) bool {
	for j := range l.n {
		if j != i && l.doorOut.At(j).Load() { // 6
			return true
		}
	}
	return false
}

var bitsInvariants = []shm.Invariant{
	// No bit is set in the remainder section, and all bits are set in the critical section.
	{Name: "bits", Source: linearWait, Holds: func(v shm.View) error {
		for i := range v.N() {
			set := v.Int("intent", i) + v.Int("doorIn", i) + v.Int("doorOut", i)
			section := v.Section(i)
			if section == shm.Critical && set != 3 || (section == shm.Remainder) != (set == 0) {
				return fmt.Errorf("process %d has %d of its bits set in its %v section", i, set, section)
			}
		}
		return nil
	}},
}
