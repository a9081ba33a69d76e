package peterson

import (
	"fmt"

	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
)

// Asymmetric returns the specification of the two-process lock in which process 0 has
// precedence, for a layout of its registers and for its stores.
func Asymmetric(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return shm.Algorithm{
		Name:     "peterson/asymmetric",
		Title:    "Two-process lock, process 0 always first",
		Source:   lectureNotes,
		Class:    shm.ReadWrite,
		MaxProcs: 2,
		Claims: shm.Claims{
			DeadlockFree: true,
			Weakest:      shm.Weakest{Exclusion: shm.Safe, DeadlockFree: shm.Safe},
		},
		Space: shm.Space{
			{Name: "want", Count: shm.Const(2), Values: shm.Const(2), SingleWriter: true},
		},
		Invariants: asymmetricInvariants,
	}.Built(layout, stores, buildAsymmetric)
}

// AsymmetricMutex is a two-process lock of two bits in which process 1 gives
// way to process 0.
//
// Source: lecture notes "Algorithms for Concurrent Distributed Systems: The
// Mutual Exclusion Problem", after G. L. Peterson, 1981.
//
// Registers: want[i], a bit, written by process i and read by the other.
//
// Properties: mutual exclusion, because each process enters only while its own want is set and
// it has seen the other's clear. Deadlock-free, because process 1 clears its bit when the two
// meet. Process 1 can starve: process 0 may return each time before process 1 has looked
// again.
//
// Process 0's doorway is line 3; process 1 has none, as its line 2 waits.
//
//	entry section of process 0:        entry section of process 1:
//	                                   1  want[1] := 0
//	                                   2  wait until want[0] = 0
//	3  want[0] := 1                    3  want[1] := 1
//	                                   5  if want[0] = 1 then goto 1
//	6  wait until want[1] = 0
//	exit section of process i:
//	8  want[i] := 0
//
// Released stores: lines 1 and 8, which only clear the bit: until they are visible the other
// waits, as it would have done a little earlier. No access of the critical section can pass
// line 8.
//
// Deviations: none.
type AsymmetricMutex struct {
	_        shm.NoCopy
	released bool
	want     [2]*register.Uint32
}

// NewAsymmetric returns the lock for n processes, 1 or 2, or a *shm.ProcsError.
func NewAsymmetric(n int, layout shm.Layout, stores shm.Stores) (*AsymmetricMutex, error) {
	return shm.New[*AsymmetricMutex](Asymmetric(layout, stores), n)
}

func buildAsymmetric(b shm.Build) shm.Mutex {
	r := shm.NewArray[register.Uint32](2, b.Layout)
	return &AsymmetricMutex{released: b.Released, want: [2]*register.Uint32{r.At(0), r.At(1)}}
}

// Lock acquires the lock for process i.
func (l *AsymmetricMutex) Lock(i int) {
	if i == 0 {
		l.want[0].Store(1)                                       // 3
		spin.Until(func() bool { return l.want[1].Load() == 0 }) // 6
		return
	}
	for {
		l.want[1].StoreReleaseIf(l.released, 0)                  // 1
		spin.Until(func() bool { return l.want[0].Load() == 0 }) // 2
		l.want[1].Store(1)                                       // 3
		if l.want[0].Load() == 0 {                               // 5
			return
		}
		spin.Pause()
	}
}

// Unlock releases the lock for process i.
func (l *AsymmetricMutex) Unlock(i int) {
	l.want[i].StoreReleaseIf(l.released, 0) // 8
}

var asymmetricInvariants = []shm.Invariant{
	{Name: "want", Source: lectureNotes, Holds: wants("5", "6")},
	// While process 1 is in its critical section and process 0 waits on line 6, both want. While
	// process 0 is in its critical section and process 1 waits on line 2, only process 0 does.
	{Name: "want while the other waits", Source: lectureNotes, Holds: func(v shm.View) error {
		if v.N() < 2 {
			return nil
		}
		first, second := v.Bool("want", 0), v.Bool("want", 1)
		if v.Section(1) == shm.Critical && v.At(0, "6") && !(first && second) ||
			v.Section(0) == shm.Critical && v.At(1, "2") && !(first && !second) {
			return fmt.Errorf("process 0 is in its %v section, process 1 in its %v section, and want[0] = %v, want[1] = %v", v.Section(0), v.Section(1), first, second)
		}
		return nil
	}},
}
