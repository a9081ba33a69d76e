package burns

import (
	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
)

// Burns returns the specification of Burns's lock with a turn for a layout of its registers
// and for its stores.
func Burns(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return shm.Algorithm{
		Name:  "burns/burns",
		Title: "Burns's symmetric lock with a turn",
		Source: shm.Source{
			Author: "James E. Burns",
			Title:  "Symmetry in Systems of Asynchronous Processes",
			Venue:  "22nd Annual Symposium on Foundations of Computer Science",
			Year:   1981,
			Page:   "169-174",
		},
		Class:    shm.ReadWrite,
		MaxProcs: 3, // four processes can deadlock
		Claims: shm.Claims{
			DeadlockFree: true,
			Doorway:      "2",
			Weakest:      shm.Weakest{Exclusion: shm.Safe, DeadlockFree: shm.Atomic},
		},
		Space: shm.Space{
			{Name: "flag", Count: shm.N, Values: shm.Const(2), SingleWriter: true},
			{Name: "turn", Count: shm.Const(1), Values: shm.N},
		},
	}.Built(layout, stores, buildBurns)
}

// BurnsMutex is a lock in which the processes that want to enter write their numbers to one
// register. A process that was not the last to write it clears its bit until no other process
// has its bit set.
//
// Source: James E. Burns, "Symmetry in Systems of Asynchronous Processes", 22nd Annual
// Symposium on Foundations of Computer Science, 1981, p. 169-174, figure 2.
//
// Registers: flag[i], a bit, written by process i and read by all; turn, an id, written
// and read by all. Only the value of turn tells one process from another, which is what
// the paper calls symmetric.
//
// Properties: mutual exclusion, because each process sets its flag before it reads those of
// the others, so that one of two processes sees the other. Deadlock-free for two and three
// processes, which is checked and not proved. Any process can starve: a late process may write
// turn last.
//
// Four processes can deadlock: a process that waits on line 6 reads the flags one after another,
// and finds each clear at another moment. It sets its flag and writes turn again, although a
// process has turn already, which then clears its flag. Four processes can go on like this in
// turns, and no process enters. So the lock is for three processes at most.
//
// The doorway is lines 1 and 2.
//
//	entry section of process i:
//	1  flag[i] := true
//	2  turn := i
//	3  repeat: if turn is not i then goto 5
//	4  until flag[j] = false for all j other than i; enter
//	5  flag[i] := false
//	6  wait until flag[j] = false for all j other than i; goto 1
//	exit section of process i:
//	7  flag[i] := false
//
// Released stores: line 1, which line 2, with its fence, takes to memory before anything is
// read; line 7, which no access of the critical section can pass. If others see line 7 late,
// they see the exit late.
//
// Deviations: processes are numbered from 0. The form is that of the suite of Buhr, Dice and
// Hesselink (pabuhr/concurrent-locking, Burns2.c), which says that it has been improved a
// little, and has no bound on the processes (knownbroken/burns2). Of the paper only the abstract
// was read. It claims deadlock freedom for any number of processes. Whether the paper's lock has
// the same error is not known. The suite's two reads of turn before the first look at the flags
// are one here. Without turn every process would wait for all others at once.
type BurnsMutex struct {
	_        shm.NoCopy
	released bool
	n        int
	flag     shm.Array[register.Bool]
	turn     *register.Uint32
}

// NewBurns returns the lock for n processes, 1 to 3, or a *shm.ProcsError.
func NewBurns(n int, layout shm.Layout, stores shm.Stores) (*BurnsMutex, error) {
	return shm.New[*BurnsMutex](Burns(layout, stores), n)
}

func buildBurns(b shm.Build) shm.Mutex {
	turn := shm.NewArray[register.Uint32](1, b.Layout)
	return &BurnsMutex{
		released: b.Released,
		n:        b.N,
		flag:     shm.NewArray[register.Bool](b.N, b.Layout),
		turn:     turn.At(0),
	}
}

// Lock acquires the lock for process i.
func (l *BurnsMutex) Lock(i int) {
	me := uint32(i)
	for {
		l.flag.At(i).StoreReleaseIf(l.released, true) // 1
		l.turn.Store(me)                              // 2
		mine := true
		spin.Until(func() bool {
			mine = l.turn.Load() == me // 3
			return !mine || l.alone(i) // 4
		})
		if mine {
			return
		}
		l.flag.At(i).Store(false)                     // 5
		spin.Until(func() bool { return l.alone(i) }) // 6
	}
}

// alone reports whether no other process than i has its flag set.
func (l *BurnsMutex) alone(i int) bool {
	for j := range l.n { // 4, 6
		if j != i && l.flag.At(j).Load() {
			return false
		}
	}
	return true
}

// Unlock releases the lock for process i.
func (l *BurnsMutex) Unlock(i int) {
	l.flag.At(i).StoreReleaseIf(l.released, false) // 7
}
