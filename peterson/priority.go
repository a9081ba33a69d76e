package peterson

import (
	"sync/atomic"

	"shmbench/shm"
	"shmbench/spin"
)

// Priority is the card of the two-process lock with priority, with its
// registers laid out as told.
func Priority(layout shm.Layout) shm.Algorithm {
	return shm.Algorithm{
		Name:     "peterson/priority",
		Title:    "Two-process lock with priority (no lockout)",
		Source:   lectureNotes,
		Class:    shm.ReadWrite,
		MinProcs: 1,
		MaxProcs: 2,
		Claims: shm.Claims{
			DeadlockFree:   true,
			StarvationFree: true,
		},
		Space: shm.Space{
			{Name: "want", Count: shm.Const(2), Values: shm.Const(2), SingleWriter: true},
			{Name: "priority", Count: shm.Const(1), Values: shm.Const(2)},
		},
		Layout:     layout,
		Invariants: []shm.Invariant{{Name: "want", Source: lectureNotes, Holds: wants("4", "5", "6")}},
		New:        func(n int) (shm.Mutex, error) { return NewPriority(n, layout) },
	}
}

// PriorityMutex is a two-process lock in which the process that leaves gives
// the priority to the other.
//
// Source: lecture notes "Algorithms for Concurrent Distributed Systems: The
// Mutual Exclusion Problem", after G. L. Peterson, 1981.
//
// Registers: want[i], a bit, written by process i and read by the other;
// priority, an id, written and read by both.
//
// Properties: mutual exclusion, because each process enters only with its own
// want set and the other's seen clear. No lockout, because a process that
// leaves hands over the priority, and whoever has it needs to see only the
// other's want clear, which line 5 makes the other do. Waiting is not bounded:
// between lines 2 and 3 even the process with the priority is out of sight.
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
// Deviations: none.
type PriorityMutex struct {
	_        shm.NoCopy
	want     [2]*atomic.Uint32
	priority *atomic.Uint32
}

// NewPriority returns the lock for n processes, 1 or 2, or a *shm.ProcsError.
func NewPriority(n int, layout shm.Layout) (*PriorityMutex, error) {
	if err := shm.CheckProcs("peterson/priority", n, 1, 2); err != nil {
		return nil, err
	}
	r := shm.NewArray[atomic.Uint32](3, layout)
	return &PriorityMutex{want: [2]*atomic.Uint32{r.At(0), r.At(1)}, priority: r.At(2)}, nil
}

// Lock is the entry section of process i.
func (l *PriorityMutex) Lock(i int) {
	me, other := uint32(i), uint32(1-i)
	for {
		l.want[me].Store(0)      // 1
		spin.Until(func() bool { // 2
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

// Unlock is the exit section of process i.
func (l *PriorityMutex) Unlock(i int) {
	l.priority.Store(uint32(1 - i)) // 7
	l.want[i].Store(0)              // 8
}
