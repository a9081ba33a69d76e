package peterson

import (
	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
)

// Priority returns the specification of the two-process lock with priority for a layout of its
// registers and for its stores.
func Priority(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return shm.Algorithm{
		Name:     "peterson/priority",
		Title:    "Two-process lock with priority (no lockout)",
		Source:   lectureNotes,
		Class:    shm.ReadWrite,
		MaxProcs: 2,
		Claims: shm.Claims{
			DeadlockFree:   true,
			StarvationFree: true,
			LocalSpin:      shm.LocalSpin{CC: true},
			Weakest:        shm.Weakest{Exclusion: shm.Safe, DeadlockFree: shm.Safe, StarvationFree: shm.Regular},
		},
		Space: shm.Space{
			{Name: "want", Count: shm.Const(2), Values: shm.Const(2), SingleWriter: true},
			{Name: "priority", Count: shm.Const(1), Values: shm.Const(2)},
		},
		Invariants: []shm.Invariant{{Name: "want", Source: lectureNotes, Holds: wants("4", "5", "6")}},
	}.Built(layout, stores, buildPriority)
}

// PriorityMutex is a two-process lock in which the leaving process gives the priority to the
// other.
//
// Source: lecture notes "Algorithms for Concurrent Distributed Systems: The
// Mutual Exclusion Problem", after G. L. Peterson, 1981.
//
// Registers: want[i], a bit, written by process i and read by the other;
// priority, an id, written and read by both.
//
// Properties: mutual exclusion, because each process enters only while its own want is set and
// it has seen the other's clear. Starvation-free, because a leaving process hands over the
// priority. The process with the priority only needs to see the other's want clear, which line
// 5 makes the other do. Waiting is not bounded: between lines 2 and 3 the other does not see
// even the process with the priority.
//
// There is no doorway: line 2 waits before the process has shown itself.
//
//	entry section of process i:
//	1  want[i] := 0
//	2  wait until want[1-i] = 0 or priority = i
//	3  want[i] := 1
//	4  if priority = 1-i then
//	5      if want[1-i] = 1 then goto 1
//	6  else wait until want[1-i] = 0
//	exit section of process i:
//	7  priority := 1-i
//	8  want[i] := 0
//
// Released stores: lines 1 and 8, which only clear the bit: until they are visible the other
// waits, as it would have done a little earlier; line 7, which is visible before line 8, and
// so before any process can enter next. No access of the critical section can pass lines 7 and
// 8. Line 3, with its fence, takes all three to memory before a competing process reads want.
//
// Deviations: none.
type PriorityMutex struct {
	_        shm.NoCopy
	released bool
	want     [2]*register.Uint32
	priority *register.Uint32
}

// NewPriority returns the lock for n processes, 1 or 2, or a *shm.ProcsError.
func NewPriority(n int, layout shm.Layout, stores shm.Stores) (*PriorityMutex, error) {
	return shm.New[*PriorityMutex](Priority(layout, stores), n)
}

func buildPriority(b shm.Build) shm.Mutex {
	r := shm.NewArray[register.Uint32](3, b.Layout)
	return &PriorityMutex{
		released: b.Released,
		want:     [2]*register.Uint32{r.At(0), r.At(1)},
		priority: r.At(2),
	}
}

// Lock acquires the lock for process i.
func (l *PriorityMutex) Lock(i int) {
	me, other := uint32(i), uint32(1-i)
	for {
		l.want[me].StoreReleaseIf(l.released, 0) // 1
		spin.Until(func() bool {                 // 2
			return l.want[other].Load() == 0 || l.priority.Load() == me
		})
		l.want[me].Store(1)             // 3
		if l.priority.Load() != other { // 4
			spin.Until(func() bool { return l.want[other].Load() == 0 }) // 6
			return
		}
		if l.want[other].Load() == 0 { // 5
			return
		}
		spin.Pause()
	}
}

// Unlock releases the lock for process i.
func (l *PriorityMutex) Unlock(i int) {
	l.priority.StoreReleaseIf(l.released, uint32(1-i)) // 7
	l.want[i].StoreReleaseIf(l.released, 0)            // 8
}
