package dekker

import (
	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
)

// DoranThomas returns the specification of Doran and Thomas's lock for a layout of its
// registers and for its stores.
func DoranThomas(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return shm.Algorithm{
		Name:  "dekker/doranthomas",
		Title: "Doran and Thomas's two-process lock",
		Source: shm.Source{
			Author: "R. W. Doran and L. K. Thomas",
			Title:  "Variants of the Software Solution to Mutual Exclusion",
			Venue:  "Information Processing Letters 10(4/5)",
			Year:   1980,
			Page:   "206-208",
		},
		Class:    shm.ReadWrite,
		MaxProcs: 2,
		Claims: shm.Claims{
			DeadlockFree:   true,
			StarvationFree: true,
			Doorway:        "1",
			LocalSpin:      shm.LocalSpin{CC: true},
			Weakest:        shm.Weakest{Exclusion: shm.Safe, DeadlockFree: shm.Atomic, StarvationFree: shm.Atomic},
		},
		Space: shm.Space{
			{Name: "want", Count: shm.Const(2), Values: shm.Const(2), SingleWriter: true},
			{Name: "last", Count: shm.Const(1), Values: shm.Const(2)},
		},
	}.Built(layout, stores, buildDoranThomas)
}

// DoranThomasMutex is Dekker's lock without its loop. The process that was last in its
// critical section steps back once. When the other has been in its critical section, that
// process has precedence and does not step back again.
//
// Source: R. W. Doran and L. K. Thomas, "Variants of the Software Solution to
// Mutual Exclusion", Information Processing Letters 10(4/5), 1980, p. 206-208,
// figure 1; after Doran.c (github.com/pabuhr/concurrent-locking), which cites it.
//
// Registers: want[i], a bit, written by process i and read by the other; last, the
// id of the process that was in its critical section last, written by the process
// that leaves and read by both.
//
// Properties: mutual exclusion, because each process sets want before it reads the other's.
// Starvation-free, because last is the id of the process that leaves: the other, if it has
// stepped back, sets its bit again, and does not step back until it has entered, while the
// leaving process does. Waiting is not bounded, and there is no order of arrival: while a
// process that has stepped back takes no step, the other can pass any number of times.
//
// The doorway is line 1.
//
//	entry section of process i:
//	1  want[i] := true
//	2  if want[1-i] then
//	3      if last = i then
//	4          want[i] := false
//	5          wait until last != i
//	6          want[i] := true
//	7      wait until not want[1-i]
//	exit section of process i:
//	8  last := i
//	9  want[i] := false
//
// Released stores: lines 4, 8 and 9. Nothing that a process reads after line 4 lets it in
// before line 6, whose fence takes all of them to memory; the others leave the critical
// section, in this order, so that a late store is a late exit.
type DoranThomasMutex struct {
	_        shm.NoCopy
	released bool
	want     [2]*register.Uint32
	last     *register.Uint32
}

// NewDoranThomas returns the lock for n processes, 1 or 2, or a *shm.ProcsError.
func NewDoranThomas(n int, layout shm.Layout, stores shm.Stores) (*DoranThomasMutex, error) {
	return shm.New[*DoranThomasMutex](DoranThomas(layout, stores), n)
}

func buildDoranThomas(b shm.Build) shm.Mutex {
	r := shm.NewArray[register.Uint32](3, b.Layout)
	return &DoranThomasMutex{released: b.Released, want: [2]*register.Uint32{r.At(0), r.At(1)}, last: r.At(2)}
}

// Lock acquires the lock for process i.
func (l *DoranThomasMutex) Lock(i int) {
	me, other := uint32(i), uint32(1-i)
	l.want[me].Store(1)            // 1
	if l.want[other].Load() == 0 { // 2
		return
	}
	if l.last.Load() == me { // 3
		l.want[me].StoreReleaseIf(l.released, 0)               // 4
		spin.Until(func() bool { return l.last.Load() != me }) // 5
		l.want[me].Store(1)                                    // 6
	}
	spin.Until(func() bool { return l.want[other].Load() == 0 }) // 7
}

// Unlock releases the lock for process i.
func (l *DoranThomasMutex) Unlock(i int) {
	l.last.StoreReleaseIf(l.released, uint32(i)) // 8
	l.want[i].StoreReleaseIf(l.released, 0)      // 9
}
