package burns

import (
	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
)

// ThreeBit returns the specification of Lamport's three-bit lock for a layout of its registers
// and for its stores.
func ThreeBit(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return shm.Algorithm{
		Name:   "burns/threebit",
		Title:  "Lamport's lock of three bits a process",
		Source: partII,
		Class:  shm.ReadWrite,
		Claims: shm.Claims{
			DeadlockFree:   true,
			StarvationFree: true,
			Bypass:         shm.Formula{Text: "2 for n=2, 8 for n=3, not known for more", At: threeBitBypass},
			Doorway:        "2",
			Weakest:        shm.Weakest{Exclusion: shm.Safe, DeadlockFree: shm.Safe, StarvationFree: shm.Safe},
		},
		Space: shm.Space{
			{Name: "x", Count: shm.N, Values: shm.Const(2), SingleWriter: true},
			{Name: "y", Count: shm.N, Values: shm.Const(2), SingleWriter: true},
			{Name: "z", Count: shm.N, Values: shm.Const(2), SingleWriter: true},
		},
	}.Built(layout, stores, buildThreeBit)
}

// ThreeBitMutex is Lamport's lock of single-writer bits in which no process starves. The
// processes that want to enter form a ring, and the third bit tells which process is its
// first.
//
// Source: Leslie Lamport, "The Mutual Exclusion Problem: Part II—Statement and
// Solutions", Journal of the ACM 33(2), 1986, p. 327-348, the three-bit algorithm.
//
// Registers: x[i], y[i] and z[i], bits, written by process i and read by all. y says that
// the process wants to enter, x that no process is before it, and z changes with each of its
// passages.
//
// Properties: mutual exclusion, as in the one-bit lock, by x. Starvation-free: as long as
// the same processes want to enter, they find the same first one. A process that has left is
// behind the others, because it has changed its z. The bypass is 2 for two processes and 8
// for three. No bound is known to us for more. The paper states the lock for safe registers.
//
// The doorway is lines 1 and 2.
//
//	entry section of process i:
//	1  y[i] := true
//	2  x[i] := true
//	3  f := the first of those that have y set
//	4  for j := f, f+1, ..., round to i-1: if y[j] then
//	5      if x[i] then x[i] := false
//	       goto 3
//	6  if not x[i] then goto 2
//	7  for j := i+1, i+2, ..., round to f-1: if x[j] then goto 3
//	exit section of process i:
//	8  z[i] := not z[i]
//	9  x[i] := false
//	10 y[i] := false
//
// The processes that have y set form a ring by their numbers. The first of them is the one
// with the lowest number at which z changes. There z differs from the z of the one before it
// or, if that is the last of the ring, equals it. Line 3 reads every y once, and z once where
// y is set: a process that reads a z twice may find no first (catalog/knownbroken/threebit_z.go).
//
// Released stores: line 1, which line 2, with its fence, takes to memory before anything is
// read; lines 8 to 10, which no access of the critical section can pass, reach memory in this
// order. If others see these stores late, they see the exit late.
//
// Deviations: processes are numbered from 0.
type ThreeBitMutex struct {
	_        shm.NoCopy
	released bool
	n        int
	x        shm.Array[register.Bool]
	y        shm.Array[register.Bool]
	z        shm.Array[register.Bool]
}

// NewThreeBit returns the lock for n processes, or a *shm.ProcsError.
func NewThreeBit(n int, layout shm.Layout, stores shm.Stores) (*ThreeBitMutex, error) {
	return shm.New[*ThreeBitMutex](ThreeBit(layout, stores), n)
}

func buildThreeBit(b shm.Build) shm.Mutex {
	return &ThreeBitMutex{
		released: b.Released,
		n:        b.N,
		x:        shm.NewArray[register.Bool](b.N, b.Layout),
		y:        shm.NewArray[register.Bool](b.N, b.Layout),
		z:        shm.NewArray[register.Bool](b.N, b.Layout),
	}
}

// Lock acquires the lock for process i.
func (l *ThreeBitMutex) Lock(i int) {
	l.y.At(i).StoreReleaseIf(l.released, true) // 1
	l.x.At(i).Store(true)                      // 2
	for ; ; spin.Pause() {
		f := l.first() // 3
		j := f
		for j != i && !l.y.At(j).Load() { // 4
			j = l.after(j)
		}
		switch {
		case j != i:
			if l.x.At(i).Load() { // 5
				l.x.At(i).Store(false) // 5
			}
		case !l.x.At(i).Load(): // 6
			l.x.At(i).Store(true) // 2
		case l.none(i, f): // 7
			return
		}
	}
}

// first is line 3. It keeps three of the values of z that it has read: that of the lowest
// process, the previous one, and the first one that differs.
func (l *ThreeBitMutex) first() int {
	lowest, change := -1, -1
	var atLowest, before bool
	for j := range l.n { // 3
		if !l.y.At(j).Load() {
			continue
		}
		z := l.z.At(j).Load()
		if lowest < 0 {
			lowest, atLowest = j, z
		} else if change < 0 && z != before {
			change = j
		}
		before = z
	}
	if atLowest == before {
		return lowest
	}
	return change
}

// none reports whether x is clear in all processes after i, going round, up to the
// one before f.
func (l *ThreeBitMutex) none(i, f int) bool {
	for j := l.after(i); j != f; j = l.after(j) { // 7
		if l.x.At(j).Load() {
			return false
		}
	}
	return true
}

// after returns the next process, going round.
func (l *ThreeBitMutex) after(j int) int {
	if j++; j < l.n {
		return j
	}
	return 0
}

// Unlock releases the lock for process i.
func (l *ThreeBitMutex) Unlock(i int) {
	l.z.At(i).StoreReleaseIf(l.released, !l.z.At(i).Load()) // 8
	l.x.At(i).StoreReleaseIf(l.released, false)             // 9
	l.y.At(i).StoreReleaseIf(l.released, false)             // 10
}

// threeBitBypass is the bound that check finds.
func threeBitBypass(n int) int {
	switch n {
	case 1:
		return 0
	case 2:
		return 2
	case 3:
		return 8
	}
	return shm.Unbounded
}
