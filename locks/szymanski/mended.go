package szymanski

import (
	"fmt"

	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
)

// Mended returns the specification of Szymański's lock of three bits with linear wait, fixed,
// for a layout of its registers and for its stores. It is for at most four processes, because
// it has been checked for no more, and it has no proof.
func Mended(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	source := linearWait
	source.Author = "after " + source.Author
	return shm.Algorithm{
		Name:     "szymanski/mended",
		Title:    "Szymański's three bits a process with linear wait, mended here",
		Source:   source,
		Class:    shm.ReadWrite,
		MaxProcs: 4,
		Claims: shm.Claims{
			DeadlockFree:   true,
			StarvationFree: true,
			Bypass:         twice,
			Doorway:        "1",
			LocalSpin:      shm.LocalSpin{CC: true},
			Weakest:        shm.Weakest{Exclusion: shm.Atomic, DeadlockFree: shm.Safe, StarvationFree: shm.Atomic},
		},
		Space: shm.Space{
			{Name: "a", Count: shm.N, Values: shm.Const(2), SingleWriter: true},
			{Name: "w", Count: shm.N, Values: shm.Const(2), SingleWriter: true},
			{Name: "s", Count: shm.N, Values: shm.Const(2), SingleWriter: true},
		},
		Invariants: mendedInvariants,
	}.Built(layout, stores, buildMended)
}

// MendedMutex is an unpublished lock: Szymański's lock of three bits with linear wait, in
// which three processes lose exclusion (knownbroken/szymanski-wait), with two changes. Neither
// change is enough by itself.
//
// Source: after Bolesław K. Szymański, "A Simple Solution to Lamport's Concurrent
// Programming Problem with Linear Wait", Proceedings of the 2nd International
// Conference on Supercomputing, 1988, p. 621-626.
//
// Registers: a[i], w[i] and s[i], bits, written by process i and read by all. a is set in front
// of the first door, and w in the room until the process is through the second door. The bit s
// is set when the process has shut the first door behind it, or is through the second door.
//
// Properties: checked, and not proved: mutual exclusion, starvation freedom, and that each
// other process enters at most twice while one waits, for two, three and four processes.
// The doors are those of FlagMutex. The last process to enter the room finds no process in
// front of the first door on lines 5 to 7. It opens the second door on line 11. The others
// wait for that on line 9. When all are through the second door, they enter in the order of
// their numbers, lines 12 and 13.
//
// The doorway is line 1.
//
//	entry section of process i:
//	1  a[i] := true
//	2  for all j other than i: wait until s[j] = false
//	3  w[i] := true
//	4  a[i] := false
//	5  if a[j] = true for some j other than i then go to 9
//	6  s[i] := true
//	7  if a[j] = false for all j other than i then go to 11
//	8  s[i] := false
//	9  if there is no j other than i with s[j] = true and then w[j] = false then go to 5
//	10 s[i] := true
//	11 w[i] := false
//	12 for all j other than i: wait until w[j] = false
//	13 for j := 0 to i-1: wait until s[j] = false
//	exit section:
//	14 s[i] := false
//
// Released stores: all but lines 1 and 6, after which the process checks whether others have
// seen it. The other stores tell waiting processes that they may go on, or make them wait a
// little longer. That was checked, for two, three and four processes.
//
// Deviations: line 9 reads s[j] before w[j]. In the paper it reads w[j] first, and finds it
// clear before it is set. A process that comes by line 10 also goes through line 12. In the
// paper it goes straight to line 13, and does not see processes that are still on their way
// there. No process reads its own bits.
type MendedMutex struct {
	_        shm.NoCopy
	released bool
	n        int
	a, w, s  shm.Array[register.Bool]
}

// NewMended returns the lock for n processes, 1 to 4, or a *shm.ProcsError.
func NewMended(n int, layout shm.Layout, stores shm.Stores) (*MendedMutex, error) {
	return shm.New[*MendedMutex](Mended(layout, stores), n)
}

func buildMended(b shm.Build) shm.Mutex {
	return &MendedMutex{
		released: b.Released,
		n:        b.N,
		a:        shm.NewArray[register.Bool](b.N, b.Layout),
		w:        shm.NewArray[register.Bool](b.N, b.Layout),
		s:        shm.NewArray[register.Bool](b.N, b.Layout),
	}
}

// Lock acquires the lock for process i.
func (l *MendedMutex) Lock(i int) {
	a, w, s := l.a.At(i), l.w.At(i), l.s.At(i)
	a.Store(true)             // 1
	if anySet(i, l.n, &l.s) { // 2
		await(i, l.n, &l.s)
	}
	w.StoreReleaseIf(l.released, true)  // 3
	a.StoreReleaseIf(l.released, false) // 4
	for {
		if !anySet(i, l.n, &l.a) { // 5
			s.Store(true)              // 6
			if !anySet(i, l.n, &l.a) { // 7
				break
			}
			s.StoreReleaseIf(l.released, false) // 8
		}
		if l.open(i) { // 9
			s.StoreReleaseIf(l.released, true) // 10
			break
		}
		spin.Pause()
	}
	w.StoreReleaseIf(l.released, false) // 11
	if anySet(i, l.n, &l.w) {           // 12
		await(i, l.n, &l.w)
	}
	if anySet(i, i, &l.s) { // 13
		await(i, i, &l.s)
	}
}

// Unlock releases the lock for process i.
func (l *MendedMutex) Unlock(i int) {
	l.s.At(i).StoreReleaseIf(l.released, false) // 14
}

// await waits for the bits of the processes up to another, except those of process i. Lock
// calls anySet first, which is inlined: for an uncontended process these calls cost more than
// all its stores.
func await(i, up int, bits *shm.Array[register.Bool]) {
	for j := range up {
		if j != i {
			spin.Until(func() bool { return !bits.At(j).Load() })
		}
	}
}

// anySet reports whether the bit of a process up to another but process i is set.
func anySet(i, up int, bits *shm.Array[register.Bool]) bool {
	for j := range up {
		if j != i && bits.At(j).Load() {
			return true
		}
	}
	return false
}

// open reports whether some other process is through the second door.
func (l *MendedMutex) open(i int) bool {
	for j := range l.n {
		if j != i && l.s.At(j).Load() && !l.w.At(j).Load() {
			return true
		}
	}
	return false
}

var mendedInvariants = []shm.Invariant{
	// In the critical section only s is set, and in the remainder section no bit.
	{Name: "bits", Source: linearWait, Holds: func(v shm.View) error {
		for i := range v.N() {
			a, w, s, section := v.Bool("a", i), v.Bool("w", i), v.Bool("s", i), v.Section(i)
			if section == shm.Critical && (a || w || !s) || section == shm.Remainder && (a || w || s) {
				return fmt.Errorf("process %d has a, w, s = %v, %v, %v in its %v section", i, a, w, s, section)
			}
		}
		return nil
	}},
}
