package dekker

import (
	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
)

var madeRWSafe = shm.Source{
	Author: "Peter A. Buhr, David Dice and Wim H. Hesselink",
	Title:  "Dekker's mutual exclusion algorithm made RW-safe",
	Venue:  "Concurrency and Computation: Practice and Experience 28(1)",
	Year:   2016,
	Page:   "144-165",
}

// RWSafe returns the specification of an RW-safe form of Dekker's lock, for a layout of its
// registers and for its stores. In this form a process that has precedence waits only for
// the other's bit.
func RWSafe(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return rwSafe("dekker/rwsafe", "Dekker's lock made RW-safe", true, layout, stores)
}

// RWSafeB returns the specification of the form in which the process reads last each time, as
// in Dekker's own loop.
func RWSafeB(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return rwSafe("dekker/rwsafeb", "Dekker's lock made RW-safe, second form", false, layout, stores)
}

func rwSafe(name, title string, settled bool, layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return shm.Algorithm{
		Name:     name,
		Title:    title,
		Source:   madeRWSafe,
		Class:    shm.ReadWrite,
		MaxProcs: 2,
		Claims: shm.Claims{
			DeadlockFree:   true,
			StarvationFree: true,
			Doorway:        "1",
			LocalSpin:      shm.LocalSpin{CC: true},
			Weakest:        shm.Weakest{Exclusion: shm.Safe, DeadlockFree: shm.Safe, StarvationFree: shm.Safe},
		},
		Space: shm.Space{
			{Name: "cc", Count: shm.Const(2), Values: shm.Const(2), SingleWriter: true},
			{Name: "last", Count: shm.Const(1), Values: shm.Const(2)},
		},
	}.Built(layout, stores, func(b shm.Build) shm.Mutex { return buildRWSafe(b, settled) })
}

// RWSafeMutex is Dekker's lock for registers on which a read that overlaps a write may return
// any value. A process writes a register only to change it, and no process waits for a
// register that the other may never write again.
//
// Source: Peter A. Buhr, David Dice and Wim H. Hesselink, "Dekker's mutual
// exclusion algorithm made RW-safe", Concurrency and Computation: Practice and
// Experience 28(1), 2016, p. 144-165; two forms of it, after the authors' programs
// DekkerRW.c and DekkerRWB.c (github.com/pabuhr/concurrent-locking).
//
// Registers: cc[i], a bit, written by process i and read by the other; last, an id, written
// by the process that leaves and read by both. The process that last names was in its
// critical section last, and gives way.
//
// Properties: mutual exclusion as in Dekker's lock: each process sets its bit before it reads
// the other's. Starvation-free, because last is the other's id once the other has left, and
// stays so, without a write, however often the other returns. A process that has given way
// goes on when it sees that id, or the other's bit clear. Without the second condition there
// can be a deadlock on regular registers, and without line 8 a process can starve on safe
// ones. Waiting is not bounded, and there is no order of arrival.
//
// The doorway is line 1.
//
//	entry section of process i:
//	1  cc[i] := true
//	2  while cc[1-i]:
//	3      if last != i then
//	4          wait until not cc[1-i], and enter      (in the second form: go on with 2)
//	       else
//	5          cc[i] := false
//	6          wait until last != i or not cc[1-i]
//	7          cc[i] := true
//	exit section of process i:
//	8  if last != i then
//	9      last := i
//	10 cc[i] := false
//
// Released stores: lines 5, 9 and 10. Nothing that a process reads after line 5 lets it in
// before line 7, whose fence takes all of them to memory; the others leave the critical
// section, in this order, so that a late store is a late exit.
//
// Deviations: the second program reads the other's bit before last on line 6.
type RWSafeMutex struct {
	_        shm.NoCopy
	settled  bool // the first form: line 4 waits
	released bool
	cc       [2]*register.Uint32
	last     *register.Uint32
}

// NewRWSafe returns the lock in its first form for n processes, 1 or 2, or a
// *shm.ProcsError.
func NewRWSafe(n int, layout shm.Layout, stores shm.Stores) (*RWSafeMutex, error) {
	return shm.New[*RWSafeMutex](RWSafe(layout, stores), n)
}

// NewRWSafeB returns the lock in its second form for n processes, 1 or 2, or a
// *shm.ProcsError.
func NewRWSafeB(n int, layout shm.Layout, stores shm.Stores) (*RWSafeMutex, error) {
	return shm.New[*RWSafeMutex](RWSafeB(layout, stores), n)
}

func buildRWSafe(b shm.Build, settled bool) shm.Mutex {
	r := shm.NewArray[register.Uint32](3, b.Layout)
	return &RWSafeMutex{
		settled:  settled,
		released: b.Released,
		cc:       [2]*register.Uint32{r.At(0), r.At(1)},
		last:     r.At(2),
	}
}

// Lock acquires the lock for process i.
func (l *RWSafeMutex) Lock(i int) {
	me, other := uint32(i), uint32(1-i)
	l.cc[me].Store(1)             // 1
	for l.cc[other].Load() != 0 { // 2
		switch {
		case l.last.Load() == me: // 3
			l.cc[me].StoreReleaseIf(l.released, 0) // 5
			spin.Until(func() bool {               // 6
				return l.last.Load() != me || l.cc[other].Load() == 0
			})
			l.cc[me].Store(1) // 7
		case l.settled:
			spin.Until(func() bool { return l.cc[other].Load() == 0 }) // 4
			return
		default:
			spin.Pause()
		}
	}
}

// Unlock releases the lock for process i.
func (l *RWSafeMutex) Unlock(i int) {
	if l.last.Load() != uint32(i) { // 8
		l.last.StoreReleaseIf(l.released, uint32(i)) // 9
	}
	l.cc[i].StoreReleaseIf(l.released, 0) // 10
}
