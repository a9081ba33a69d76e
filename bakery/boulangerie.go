package bakery

import (
	"sync/atomic"

	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
)

// Boulangerie returns the specification of the boulangerie for a layout of its registers and
// for its stores.
func Boulangerie(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return shm.Algorithm{
		Name:  "bakery/boulangerie",
		Title: "Boulangerie",
		Source: shm.Source{
			Author: "Yoram Moses and Katia Patkin",
			Title:  "Under the Hood of the Bakery Algorithm: Mutual Exclusion as a Matter of Priority",
			Venue:  "Structural Information and Communication Complexity (SIROCCO), LNCS 9439",
			Year:   2015,
			Page:   "398-413",
		},
		Class: shm.ReadWrite,
		Claims: shm.Claims{
			DeadlockFree:   true,
			StarvationFree: true,
			Bypass:         shm.NMinus1,
			FCFS:           true,
			Doorway:        "3",
			LocalSpin:      shm.LocalSpin{CC: true},
			Weakest:        shm.Weakest{Exclusion: shm.Safe, DeadlockFree: shm.Safe, StarvationFree: shm.Safe},
		},
		Space: shm.Space{
			{Name: "flag", Count: shm.N, Values: shm.Const(2), SingleWriter: true},
			{Name: "num", Count: shm.N, SingleWriter: true},
		},
	}.Built(layout, stores, buildBoulangerie)
}

// BoulangerieMutex is the bakery without two of its waits: a process with number 1 does not
// wait for larger ids, and no process waits for a number that has changed.
//
// Source: Yoram Moses and Katia Patkin, "Under the Hood of the Bakery Algorithm:
// Mutual Exclusion as a Matter of Priority", SIROCCO 2015, LNCS 9439, p. 398-413;
// in the form of Leslie Lamport's Boulanger.tla (github.com/tlaplus/Examples), who
// proves mutual exclusion on safe registers.
//
// Registers: flag[i], a boolean, and num[i], an unbounded integer, both written by
// process i only and read by all.
//
// Properties: mutual exclusion as in the bakery, with two exceptions. A process with number 1
// has found no process with a number. So a process with a larger id arrives later, or also has
// number 1 and is behind it. A process whose number has changed since another process saw that
// it was not choosing has left. If it has returned, it has found the number of the waiting
// process. First-come-first-served as in the bakery, so the bypass is n-1 and no process
// starves.
//
// The doorway is lines 1 to 3.
//
//	entry section of process i:
//	1  flag[i] := true
//	2  num[i] := m := 1 + max of all num[j]
//	3  flag[i] := false
//	4  for j := 0 to n-1, except i; if m = 1, for j := 0 to i-1:
//	5      wait until flag[j] = false
//	6      mine, was := num[i], num[j]
//	       if was is not 0 and (was, j) < (mine, i) then
//	7          wait until num[j] is not was
//	exit section:
//	8  num[i] := 0
//
// Released stores: num on line 2, which line 3, with its fence, takes to memory before
// anything is read again; line 8, which no access of the critical section can pass. If others
// see this store late, they see the exit late.
//
// Deviations: in the paper a process looks at all others in parallel, and in Lamport's form at
// one after another in any order. Here the order is that of the ids. Lamport's form tests at
// each read whether num[j] lets the process pass. A value that has not changed cannot, and a
// value that has changed does. num is a 64-bit word, as in the bakery.
type BoulangerieMutex struct {
	_        shm.NoCopy
	released bool
	n        int
	flag     shm.Array[atomic.Bool]
	num      shm.Array[register.Uint64]
}

// NewBoulangerie returns a boulangerie for n processes, or a *shm.ProcsError.
func NewBoulangerie(n int, layout shm.Layout, stores shm.Stores) (*BoulangerieMutex, error) {
	return shm.New[*BoulangerieMutex](Boulangerie(layout, stores), n)
}

func buildBoulangerie(b shm.Build) shm.Mutex {
	return &BoulangerieMutex{
		released: b.Released,
		n:        b.N,
		flag:     shm.NewArray[atomic.Bool](b.N, b.Layout),
		num:      shm.NewArray[register.Uint64](b.N, b.Layout),
	}
}

// Lock acquires the lock for process i.
func (l *BoulangerieMutex) Lock(i int) {
	l.flag.At(i).Store(true)                  // 1
	m := 1 + l.max(i)                         // 2
	l.num.At(i).StoreReleaseIf(l.released, m) // 2
	l.flag.At(i).Store(false)                 // 3
	rivals := l.n
	if m == 1 {
		rivals = i
	}
	for j := range rivals { // 4
		if j == i {
			continue
		}
		spin.Until(func() bool { return !l.flag.At(j).Load() }) // 5
		mine, was := l.num.At(i).Load(), l.num.At(j).Load()     // 6
		if was != 0 && (was < mine || was == mine && j < i) {
			spin.Until(func() bool { return l.num.At(j).Load() != was }) // 7
		}
	}
}

// Unlock releases the lock for process i.
func (l *BoulangerieMutex) Unlock(i int) {
	l.num.At(i).StoreReleaseIf(l.released, 0) // 8
}

// max returns the largest num of the processes other than i. It reads them one after another.
func (l *BoulangerieMutex) max(i int) uint64 {
	var m uint64
	for j := range l.n {
		if j != i {
			m = max(m, l.num.At(j).Load())
		}
	}
	return m
}
