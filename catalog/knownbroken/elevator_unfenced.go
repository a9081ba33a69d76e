package knownbroken

import (
	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
)

// elevatorUnfenced is the linear elevator of a C program, compiled for x86 without -DATOMIC:
// all its shared variables are volatile, and only the compare-and-swap has a fence. A leader
// enters while its fast := false is still in the store buffer, and may finish its scan before
// this store is visible. A process that has applied after the scan and finds fast set then
// waits for the turn, which no process gives it. In the program's own measurements the
// critical section is long enough to hide this.
var elevatorUnfenced = made(Lock{
	Algorithm: shm.Algorithm{
		Name:  "knownbroken/elevator-linear-c",
		Title: "Linear elevator as a C program for x86",
		Source: shm.Source{
			Author: "Peter A. Buhr, David Dice and Wim H. Hesselink",
			Title:  "ElevatorLinear.c",
			Venue:  "github.com/pabuhr/concurrent-locking",
			Year:   2024,
		},
		Class:    shm.CompareAndSwap,
		MinProcs: 1,
		MaxProcs: shm.MaxProcs,
		Claims:   shm.Claims{DeadlockFree: true, StarvationFree: true, Bypass: shm.NMinus1, Doorway: "2"},
		Space: shm.Space{
			{Name: "apply", Count: shm.N, Values: shm.Const(2), SingleWriter: true},
			{Name: "fast", Count: shm.Const(1), Values: shm.Const(2)},
			{Name: "first", Count: shm.Const(1), Values: shm.NPlus1},
		},
		Stores: shm.Released,
	},
	Read:     "github.com/pabuhr/concurrent-locking, ElevatorLinear.c with -DCAS -DCYCLEUP and Harness.c without -DATOMIC, commit f32f830c225c1fbfb6552c89364d0d37de99b977",
	Claimed:  "mutual exclusion, and an order of service in which no process waits forever",
	Property: deadlock,
	Verdict:  "a process sets apply after the scan, finds a leader in fast that has already scanned, and waits forever.",
	Procs:    2,
	Memory:   Released,
	Steps:    19,
	Fix:      "a fence behind fast := false, line 5",
	Fixed:    "elevator/linear-released",
}, func(n int) shm.Mutex {
	l := &elevatorC{apply: make([]register.Bool, n)}
	l.first.Store(uint32(n))
	return l
})

// elevatorC:
//
//	entry section of process i:
//	1  apply[i] := true
//	2  if compare-and-swap(fast, false, true) then
//	3      wait until first = i or first = n
//	4      first := i
//	5      fast := false
//	   else
//	6      wait until first = i
//	exit section:
//	7  k := the first of i+1, i+2, ... in the cycle with apply[k]
//	8  apply[i] := false
//	9  first := k, or n if k is i
type elevatorC struct {
	apply []register.Bool
	fast  register.Bool
	first register.Uint32
}

func (l *elevatorC) Lock(i int) {
	me, n := uint32(i), uint32(len(l.apply))
	l.apply[i].StoreRelease(true)            // 1
	if !l.fast.CompareAndSwap(false, true) { // 2
		spin.Until(func() bool { return l.first.Load() == me }) // 6
		return
	}
	spin.Until(func() bool { return l.first.Load() == me || l.first.Load() == n }) // 3
	l.first.StoreRelease(me)                                                       // 4
	l.fast.StoreRelease(false)                                                     // 5
}

func (l *elevatorC) Unlock(i int) {
	n := len(l.apply)
	k := (i + 1) % n
	for !l.apply[k].Load() { // 7
		k = (k + 1) % n
	}
	l.apply[i].StoreRelease(false) // 8
	if k != i {
		l.first.StoreRelease(uint32(k)) // 9
	} else {
		l.first.StoreRelease(uint32(n)) // 9
	}
}
