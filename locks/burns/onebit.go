package burns

import (
	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
)

var partII = shm.Source{
	Author: "Leslie Lamport",
	Title:  "The Mutual Exclusion Problem: Part II—Statement and Solutions",
	Venue:  "Journal of the ACM 33(2)",
	Year:   1986,
	Page:   "327-348",
}

// OneBit returns the specification of Lamport's one-bit lock for a layout of its registers and
// for its stores.
func OneBit(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return shm.Algorithm{
		Name:   "burns/onebit",
		Title:  "Lamport's lock of one bit a process",
		Source: partII,
		Class:  shm.ReadWrite,
		Claims: shm.Claims{
			DeadlockFree: true,
			Weakest:      shm.Weakest{Exclusion: shm.Safe, DeadlockFree: shm.Safe},
		},
		Space: shm.Space{{Name: "x", Count: shm.N, Values: shm.Const(2), SingleWriter: true}},
	}.Built(layout, stores, buildOneBit)
}

// OneBitMutex is Burns and Lynch's lock in Lamport's form: a process that finds a lower one
// waits only for that one, and then begins again.
//
// Source: Leslie Lamport, "The Mutual Exclusion Problem: Part II—Statement and
// Solutions", Journal of the ACM 33(2), 1986, p. 327-348, the one-bit algorithm (figure 1,
// p. 337), which it says James E. Burns found as well.
//
// Registers: x[i], a bit, written by process i and read by all.
//
// Properties: mutual exclusion, because of two processes that both set their bits, the one
// that read the other's later saw it set, and did not pass. Deadlock-free, because the lowest
// process that wants to enter gives way to no process, and all others give way to it. Any
// process but 0 can starve. The paper states it for safe registers.
//
// There is no doorway: a process takes its bit back on line 3.
//
//	entry section of process i:
//	1  x[i] := true
//	2  for j := 0 to i-1: if x[j] then
//	3      x[i] := false
//	4      wait until x[j] = false; goto 1
//	5  for j := i+1 to n-1: wait until x[j] = false
//	exit section of process i:
//	6  x[i] := false
//
// Released stores: lines 3 and 6, which only clear the bit: until they are visible the others
// wait, as they would have done a little earlier. No access of the critical section can pass
// line 6. Line 1, with its fence, comes before the next line 3.
//
// Deviations: processes are numbered from 0.
type OneBitMutex struct {
	_        shm.NoCopy
	released bool
	n        int
	x        shm.Array[register.Bool]
}

// NewOneBit returns the lock for n processes, or a *shm.ProcsError.
func NewOneBit(n int, layout shm.Layout, stores shm.Stores) (*OneBitMutex, error) {
	return shm.New[*OneBitMutex](OneBit(layout, stores), n)
}

func buildOneBit(b shm.Build) shm.Mutex {
	return &OneBitMutex{
		released: b.Released,
		n:        b.N,
		x:        shm.NewArray[register.Bool](b.N, b.Layout),
	}
}

// Lock acquires the lock for process i.
func (l *OneBitMutex) Lock(i int) {
	for {
		l.x.At(i).Store(true) // 1
		j := l.lower(i)       // 2
		if j == i {
			break
		}
		l.x.At(i).StoreReleaseIf(l.released, false)          // 3
		spin.Until(func() bool { return !l.x.At(j).Load() }) // 4
	}
	for j := i + 1; j < l.n; j++ { // 5
		spin.Until(func() bool { return !l.x.At(j).Load() })
	}
}

// lower returns the first process before i that has its bit set, or i.
func (l *OneBitMutex) lower(i int) int {
	for j := range i { // 2
		if l.x.At(j).Load() {
			return j
		}
	}
	return i
}

// Unlock releases the lock for process i.
func (l *OneBitMutex) Unlock(i int) {
	l.x.At(i).StoreReleaseIf(l.released, false) // 6
}

// Flag returns x[i], for a lock around this one that uses the same bit.
func (l *OneBitMutex) Flag(i int) *register.Bool { return l.x.At(i) }
