package dijkstra

import (
	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
)

// Dijkstra returns the specification of Dijkstra's lock for n processes for a layout of its
// registers and for its stores.
func Dijkstra(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return shm.Algorithm{
		Name:  "dijkstra/dijkstra",
		Title: "Dijkstra's lock for n processes",
		Source: shm.Source{
			Author: "Edsger W. Dijkstra",
			Title:  "Solution of a Problem in Concurrent Programming Control",
			Venue:  "Communications of the ACM 8(9)",
			Year:   1965,
			Page:   "569",
		},
		Class: shm.ReadWrite,
		Claims: shm.Claims{
			DeadlockFree: true,
			Doorway:      "1",
			Weakest:      shm.Weakest{Exclusion: shm.Safe, DeadlockFree: shm.Regular},
		},
		Space: shm.Space{
			{Name: "b", Count: shm.N, Values: shm.Const(2), SingleWriter: true},
			{Name: "c", Count: shm.N, Values: shm.Const(2), SingleWriter: true},
			{Name: "k", Count: shm.Const(1), Values: shm.N},
		},
	}.Built(layout, stores, buildDijkstra)
}

// DijkstraMutex is the first lock for n processes. One process has the turn, which another
// process may take while the first one does not want to enter. Of the processes that each
// believe that they have the turn, only one that sees no other enters.
//
// Source: Edsger W. Dijkstra, "Solution of a Problem in Concurrent Programming
// Control", Communications of the ACM 8(9), 1965, p. 569.
//
// Registers: b[i] and c[i], bits that are set at first, both written by process i
// only; k, an id, written and read by all.
//
// Properties: mutual exclusion, because each process clears its c before it reads those of
// the others, so that one of two processes sees the other. Deadlock-free, because once all
// processes that want to enter have seen one of them in k, k stays there. The others then
// set their c again. Any process can starve: k goes to a fast process.
//
// The doorway is line 1.
//
//	entry section of process i:
//	1  b[i] := false
//	2  while k is not i:
//	3      c[i] := true
//	4      if b[k] then
//	5          k := i
//	6  c[i] := false
//	7  for j := 0 to n-1, except i: if not c[j] then goto 2
//	exit section of process i:
//	8  c[i] := true
//	9  b[i] := true
//
// Released stores: lines 1 and 5, which line 6, with its fence, takes to memory before the
// process reads c, and only c decides which process enters. Until then others may take the
// turn from a process that seems not to want it, as they could have done a little earlier.
// Lines 8 and 9, which no access of the critical section can pass: if others see them late,
// they see the exit late. Not line 3: a waiting process may repeat it any number of times, and
// its buffer may never be empty.
//
// Deviations: processes are numbered from 0.
type DijkstraMutex struct {
	_        shm.NoCopy
	released bool
	n        int
	b        shm.Array[register.Bool]
	c        shm.Array[register.Bool]
	k        *register.Uint32
}

// NewDijkstra returns the lock for n processes, or a *shm.ProcsError.
func NewDijkstra(n int, layout shm.Layout, stores shm.Stores) (*DijkstraMutex, error) {
	return shm.New[*DijkstraMutex](Dijkstra(layout, stores), n)
}

func buildDijkstra(b shm.Build) shm.Mutex {
	k := shm.NewArray[register.Uint32](1, b.Layout)
	l := &DijkstraMutex{
		released: b.Released,
		n:        b.N,
		b:        shm.NewArray[register.Bool](b.N, b.Layout),
		c:        shm.NewArray[register.Bool](b.N, b.Layout),
		k:        k.At(0),
	}
	for i := range b.N {
		l.b.At(i).Store(true)
		l.c.At(i).Store(true)
	}
	return l
}

// Lock acquires the lock for process i.
func (l *DijkstraMutex) Lock(i int) {
	me := uint32(i)
	l.b.At(i).StoreReleaseIf(l.released, false) // 1
	for {
		for l.k.Load() != me { // 2
			l.c.At(i).Store(true)               // 3
			if l.b.At(int(l.k.Load())).Load() { // 4
				l.k.StoreReleaseIf(l.released, me) // 5
			} else {
				spin.Pause()
			}
		}
		l.c.At(i).Store(false) // 6
		if l.alone(i) {        // 7
			return
		}
		spin.Pause()
	}
}

// alone reports whether c is set for all processes other than i.
func (l *DijkstraMutex) alone(i int) bool {
	for j := range l.n { // 7
		if j != i && !l.c.At(j).Load() { // 7
			return false
		}
	}
	return true
}

// Unlock releases the lock for process i.
func (l *DijkstraMutex) Unlock(i int) {
	l.c.At(i).StoreReleaseIf(l.released, true) // 8
	l.b.At(i).StoreReleaseIf(l.released, true) // 9
}
