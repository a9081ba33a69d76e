// Package dekker holds Dekker's lock for two processes, the first that used only reads and
// writes, and later forms of it.
package dekker

import (
	"fmt"

	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
)

var cooperating = shm.Source{
	Author: "Edsger W. Dijkstra",
	Title:  "Cooperating Sequential Processes",
	Venue:  "EWD 123, Technological University Eindhoven",
	Year:   1965,
	Page:   "58-59",
}

// Dekker returns the specification of Dekker's lock for a layout of its registers and for its
// stores.
func Dekker(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return shm.Algorithm{
		Name:     "dekker/dekker",
		Title:    "Dekker's two-process lock",
		Source:   cooperating,
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
			{Name: "flag", Count: shm.Const(2), Values: shm.Const(2), SingleWriter: true},
			{Name: "turn", Count: shm.Const(1), Values: shm.Const(2)},
		},
		Invariants: dekkerInvariants,
	}.Built(layout, stores, buildDekker)
}

// DekkerMutex is Dekker's lock. A process shows its interest. If the other is interested too,
// the process without the turn steps back until it gets the turn.
//
// Source: Edsger W. Dijkstra, "Cooperating Sequential Processes", EWD 123,
// Technological University Eindhoven, 1965, which credits the lock to Th. J. Dekker.
//
// Registers: flag[i], a bit, written by process i and read by the other; turn,
// an id, written by the process in its critical section and read by both.
//
// Properties: mutual exclusion, because each sets its flag before it looks at the other's, so
// that one of two processes sees the other. Starvation-free, because the turn goes to the
// other at every exit, and a process that has it does not step back, while the other does.
// Waiting is not bounded, and there is no order of arrival: while a process that has stepped
// back takes no step, the other can pass any number of times.
//
// The doorway is line 1.
//
//	entry section of process i:
//	1  flag[i] := true
//	2  while flag[1-i]:
//	3      if turn = 1-i then
//	4          flag[i] := false
//	5          wait until turn = i
//	6          flag[i] := true
//	exit section of process i:
//	7  turn := 1-i
//	8  flag[i] := false
//
// Released stores: lines 4, 7 and 8. Nothing that a process reads after line 4 lets it in
// before line 6, whose fence takes both stores to memory; the others leave the critical
// section, in this order, so that a late store is a late exit.
//
// Deviations: processes are numbered 0 and 1 instead of 1 and 2. Each flag holds 0 or 1,
// so that both kinds of register can lie in one array.
type DekkerMutex struct {
	_        shm.NoCopy
	released bool
	flag     [2]*register.Uint32
	turn     *register.Uint32
}

// NewDekker returns the lock for n processes, 1 or 2, or a *shm.ProcsError.
func NewDekker(n int, layout shm.Layout, stores shm.Stores) (*DekkerMutex, error) {
	return shm.New[*DekkerMutex](Dekker(layout, stores), n)
}

func buildDekker(b shm.Build) shm.Mutex {
	r := shm.NewArray[register.Uint32](3, b.Layout)
	return &DekkerMutex{released: b.Released, flag: [2]*register.Uint32{r.At(0), r.At(1)}, turn: r.At(2)}
}

// Lock acquires the lock for process i.
func (l *DekkerMutex) Lock(i int) {
	me, other := uint32(i), uint32(1-i)
	l.flag[me].Store(1)             // 1
	for l.flag[other].Load() != 0 { // 2
		if l.turn.Load() == other { // 3
			l.flag[me].StoreReleaseIf(l.released, 0)               // 4
			spin.Until(func() bool { return l.turn.Load() == me }) // 5
			l.flag[me].Store(1)                                    // 6
		} else {
			spin.Pause()
		}
	}
}

// Unlock releases the lock for process i.
func (l *DekkerMutex) Unlock(i int) {
	l.turn.StoreReleaseIf(l.released, uint32(1-i)) // 7
	l.flag[i].StoreReleaseIf(l.released, 0)        // 8
}

var dekkerInvariants = []shm.Invariant{
	// A flag is set in the critical section, and clear in the remainder section.
	{Name: "flag", Source: cooperating, Holds: func(v shm.View) error {
		for i := range v.N() {
			flag, section := v.Bool("flag", i), v.Section(i)
			if section == shm.Critical && !flag || section == shm.Remainder && flag {
				return fmt.Errorf("process %d has flag[%d] = %v in its %v section", i, i, flag, section)
			}
		}
		return nil
	}},
}
