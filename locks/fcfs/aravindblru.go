package fcfs

import (
	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
)

var aravind11 = shm.Source{
	Author: "Alex A. Aravind",
	Title:  "Yet Another Simple Solution for the Concurrent Programming Control Problem",
	Venue:  "IEEE Transactions on Parallel and Distributed Systems 22(6)",
	Year:   2011,
	Page:   "1056-1063",
}

// AravindBLRU returns the specification of Aravind's lock of bounded dates for a layout of its
// registers and for its stores.
func AravindBLRU(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return specAravindBLRU("fcfs/aravindblru", "Aravind's lock of bounded dates", false, layout, stores)
}

// AravindBLRUAlt returns the specification of the form of Rob van Glabbeek, Bas Luttik and
// Myrthe S. C. Spronck ("Just Verification of Mutual Exclusion Algorithms", CONCUR 2025).
// In this form a process does not go on to set its stage while another has set its own:
//
//	4  for each j but i: wait until flag[j] = false or date[i] < date[j] and not stage[j]
//
// While a process waits for another one to leave its critical section, it only reads.
// Meanwhile it goes back to line 3 a bounded number of times.
func AravindBLRUAlt(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return specAravindBLRU("fcfs/aravindblrualt", "Aravind's lock of bounded dates, which waits without writing", true, layout, stores)
}

func specAravindBLRU(name, title string, alt bool, layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return shm.Algorithm{
		Name:   name,
		Title:  title,
		Source: aravind11,
		Class:  shm.ReadWrite,
		Claims: shm.Claims{
			DeadlockFree:   true,
			StarvationFree: true,
			Bypass:         shm.Formula{Text: "2(n-1)", At: func(n int) int { return 2 * (n - 1) }},
			Doorway:        "1",
			LocalSpin:      shm.LocalSpin{CC: alt},
			Weakest:        shm.Weakest{Exclusion: shm.Safe, DeadlockFree: shm.Safe, StarvationFree: shm.Safe},
		},
		Space: shm.Space{
			{Name: "flag", Count: shm.N, Values: shm.Const(2), SingleWriter: true},
			{Name: "stage", Count: shm.N, Values: shm.Const(2), SingleWriter: true},
			{Name: "date", Count: shm.N, Values: shm.NPlus1},
		},
	}.Built(layout, stores, func(b shm.Build) shm.Mutex { return buildAravindBLRU(alt, b) })
}

// AravindBLRUMutex lets the process enter first that was served least recently. A leaving
// process takes a date later than all others, and a process that wants to enter waits for
// those with an earlier date.
//
// Source: Alex A. Aravind, "Yet Another Simple Solution for the Concurrent Programming
// Control Problem", IEEE TPDS 22(6), 2011, as modeled in Aravind_BLRU.mcrl2 of
// github.com/mCRL2org/mCRL2.
//
// Registers: flag[i] and stage[i], bits, written by process i; date[i], 0 to 2n-1, at
// first i, written by the process in its critical section, also by others than i. All
// are read by all.
//
// Properties: mutual exclusion, because of two processes that both set their stage, the one
// that read the other's later saw it set, and went back. Starvation-free, because the process
// with the earliest date waits for no process on line 4, and all others wait there for it.
// Another process enters before a waiting one until its own date is the later one. It enters
// once more if the dates have begun again in between: the bypass is 2(n-1). The lock is not
// first-come-first-served.
//
// The doorway is line 1.
//
//	entry section of process i:
//	1   flag[i] := true
//	2   repeat
//	3       stage[i] := false
//	4       for each j but i: wait until flag[j] = false or date[i] < date[j]
//	5       stage[i] := true
//	6   until stage[j] = false for each j but i
//	exit section:
//	8   date[i] := 1 + max(date[0], ..., date[n-1])
//	9   if date[i] = 2n-1 then
//	10      for each j: date[j] := j
//	11  stage[i] := false
//	12  flag[i] := false
//
// Released stores: line 3, and all of the exit section. If a stage is cleared late, others go
// back to line 3, or stay on line 4. The dates are in memory before it, in their order, and so
// before any other process can enter.
//
// Deviations: line 7 of the model is the critical section. Line 8 writes at most 2n-1, the
// last date, and line 9 does not read it back.
type AravindBLRUMutex struct {
	_        shm.NoCopy
	released bool
	alt      bool // line 4 is that of AravindBLRUAlt
	n        int
	flag     shm.Array[register.Bool]
	stage    shm.Array[register.Bool]
	date     shm.Array[register.Uint32]
}

// NewAravindBLRU returns the lock for n processes, or a *shm.ProcsError.
func NewAravindBLRU(n int, layout shm.Layout, stores shm.Stores) (*AravindBLRUMutex, error) {
	return shm.New[*AravindBLRUMutex](AravindBLRU(layout, stores), n)
}

// NewAravindBLRUAlt returns the lock in the form of AravindBLRUAlt for n processes, or
// a *shm.ProcsError.
func NewAravindBLRUAlt(n int, layout shm.Layout, stores shm.Stores) (*AravindBLRUMutex, error) {
	return shm.New[*AravindBLRUMutex](AravindBLRUAlt(layout, stores), n)
}

func buildAravindBLRU(alt bool, b shm.Build) shm.Mutex {
	l := &AravindBLRUMutex{
		released: b.Released,
		alt:      alt,
		n:        b.N,
		flag:     shm.NewArray[register.Bool](b.N, b.Layout),
		stage:    shm.NewArray[register.Bool](b.N, b.Layout),
		date:     shm.NewArray[register.Uint32](b.N, b.Layout),
	}
	for i := range b.N {
		l.date.At(i).Store(uint32(i))
	}
	return l
}

// Lock acquires the lock for process i.
func (l *AravindBLRUMutex) Lock(i int) {
	l.flag.At(i).Store(true) // 1
	for {
		l.stage.At(i).StoreReleaseIf(l.released, false) // 3
		for j := range l.n {
			if j != i {
				spin.Until(func() bool { return !l.flag.At(j).Load() || l.earlier(i, j) }) // 4
			}
		}
		l.stage.At(i).Store(true) // 5
		if l.alone(i) {           // 6
			return
		}
		spin.Pause()
	}
}

// earlier reports whether i need not wait for j, which wants to enter.
func (l *AravindBLRUMutex) earlier(i, j int) bool {
	return l.date.At(i).Load() < l.date.At(j).Load() && !(l.alt && l.stage.At(j).Load()) // 4
}

// alone reports whether no other process has set its stage.
func (l *AravindBLRUMutex) alone(i int) bool {
	for j := range l.n {
		if j != i && l.stage.At(j).Load() { // 6
			return false
		}
	}
	return true
}

// Unlock releases the lock for process i.
func (l *AravindBLRUMutex) Unlock(i int) {
	last, latest := uint32(2*l.n-1), uint32(0)
	for j := range l.n {
		latest = max(latest, l.date.At(j).Load()) // 8
	}
	date := min(latest+1, last)
	l.date.At(i).StoreReleaseIf(l.released, date) // 8
	if date == last {                             // 9
		for j := range l.n {
			l.date.At(j).StoreReleaseIf(l.released, uint32(j)) // 10
		}
	}
	l.stage.At(i).StoreReleaseIf(l.released, false) // 11
	l.flag.At(i).StoreReleaseIf(l.released, false)  // 12
}
