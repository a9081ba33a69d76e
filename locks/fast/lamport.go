// Package fast holds locks for n processes that use only reads and writes. In them an
// uncontended process enters and leaves in a number of accesses that does not grow with n.
package fast

import (
	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
)

var lamportSource = shm.Source{
	Author: "Leslie Lamport",
	Title:  "A Fast Mutual Exclusion Algorithm",
	Venue:  "ACM Transactions on Computer Systems 5(1)",
	Year:   1987,
	Page:   "1-11",
}

// Lamport returns the specification of Lamport's fast lock for a layout of its registers and
// for its stores.
func Lamport(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return shm.Algorithm{
		Name:   "fast/lamport",
		Title:  "Lamport's fast lock",
		Source: lamportSource,
		Class:  shm.ReadWrite,
		Claims: shm.Claims{
			DeadlockFree: true,
			Weakest:      shm.Weakest{Exclusion: shm.Atomic, DeadlockFree: shm.Atomic},
		},
		Space: shm.Space{
			{Name: "b", Count: shm.N, Values: shm.Const(2), SingleWriter: true},
			{Name: "x", Count: shm.Const(1), Values: shm.N},
			{Name: "y", Count: shm.Const(1), Values: shm.NPlus1},
		},
		Invariants: open(lamportSource, "y", zero),
	}.Built(layout, stores, buildLamport)
}

// LamportMutex is Lamport's fast lock: a process that finds y free claims it, and enters at
// once if x shows that no process has arrived since.
//
// Source: Leslie Lamport, "A Fast Mutual Exclusion Algorithm", ACM Transactions on Computer
// Systems 5(1), 1987, p. 1-11, fig. 2. The paper's other algorithm, of fig. 1, has no b. It
// delays a process for longer than any other process takes between its own lines 3 and 6, and
// so it depends on time.
//
// Registers: b[i], a bit, written by process i; x, the id of the last process that arrived,
// and y, the id of the last that claimed, written by all. All read all. y is 0 if no process
// holds a claim.
//
// Properties: mutual exclusion, because two processes that both find y free have both written
// x before either reads it again. So at most one finds its own id there. The others wait until
// b shows that all processes that found y free with them have written y. By then b also shows
// that these are not in the critical section. From then on y does not change until its owner
// has been in the critical section, and only the owner goes on. Deadlock-free, because there
// is an owner, unless a process has entered on line 7. An uncontended process makes five
// writes and two reads, for every n. A process can starve: if it finds y taken, it waits until
// y is free, and others may always be faster.
//
// There is no doorway: line 5 leads back to line 1.
//
//	entry section of process i:
//	1  b[i] := true
//	2  x := i
//	3  if y is not 0 then
//	4      b[i] := false
//	5      wait until y = 0; go to 1
//	6  y := i
//	7  if x is not i then
//	8      b[i] := false
//	9      for each j: wait until not b[j]
//	10     if y is not i then
//	11         wait until y = 0; go to 1
//	exit section of process i:
//	12 y := 0
//	13 b[i] := false
//
// Released stores: line 1, because line 2 has a fence, and nothing is read in between; lines 4
// and 8, because others then only wait longer for b, and the process enters by y, which it
// wrote with a fence; lines 12 and 13, which leave the critical section in this order. If
// others see them late, they see the exit late.
//
// Deviations: processes are numbered from 0, but x and y hold ids from 1, as in the paper. x
// begins with the id of the first process.
type LamportMutex struct {
	_        shm.NoCopy
	released bool
	n        int
	b        shm.Array[register.Bool]
	x, y     *register.Uint32
}

// NewLamport returns the lock for n processes, or a *shm.ProcsError.
func NewLamport(n int, layout shm.Layout, stores shm.Stores) (*LamportMutex, error) {
	return shm.New[*LamportMutex](Lamport(layout, stores), n)
}

func buildLamport(b shm.Build) shm.Mutex {
	r := shm.NewArray[register.Uint32](2, b.Layout)
	l := &LamportMutex{
		released: b.Released,
		n:        b.N,
		b:        shm.NewArray[register.Bool](b.N, b.Layout),
		x:        r.At(0),
		y:        r.At(1),
	}
	l.x.Store(1)
	return l
}

// Lock acquires the lock for process i.
func (l *LamportMutex) Lock(i int) {
	me := uint32(i + 1)
	for {
		l.b.At(i).StoreReleaseIf(l.released, true) // 1
		l.x.Store(me)                              // 2
		if l.y.Load() != 0 {                       // 3
			l.b.At(i).StoreReleaseIf(l.released, false)        // 4
			spin.Until(func() bool { return l.y.Load() == 0 }) // 5
			continue
		}
		l.y.Store(me)         // 6
		if l.x.Load() == me { // 7
			return
		}
		l.b.At(i).StoreReleaseIf(l.released, false) // 8
		for j := range l.n {
			spin.Until(func() bool { return !l.b.At(j).Load() }) // 9
		}
		if l.y.Load() == me { // 10
			return
		}
		spin.Until(func() bool { return l.y.Load() == 0 }) // 11
	}
}

// Unlock releases the lock for process i.
func (l *LamportMutex) Unlock(i int) {
	l.y.StoreReleaseIf(l.released, 0)           // 12
	l.b.At(i).StoreReleaseIf(l.released, false) // 13
}
