package knownbroken

import (
	"sync/atomic"

	"shmbench/shm"
	"shmbench/shm/spin"
)

// dekkerSVCOMP is Dekker's lock as it was among the programs of the software verification
// competition. The exit sections of both processes give the turn to process 1. A process 0
// that has stepped back waits for a turn that no process gives it, although each process makes
// only one passage. The competition asks whether the assertion in the critical section can
// fail, and it cannot.
var dekkerSVCOMP = made(Lock{
	Algorithm: shm.Algorithm{
		Name:  "knownbroken/dekker-svcomp",
		Title: "Dekker's lock in which both give the turn to one",
		Source: shm.Source{
			Author: "Threader team; sosy-lab/sv-benchmarks",
			Title:  "pthread-atomic/dekker.c",
			Venue:  "Benchmarks of the Competition on Software Verification",
			Year:   2013,
		},
		Class:    shm.ReadWrite,
		MinProcs: 2,
		MaxProcs: 2,
		Claims:   shm.Claims{DeadlockFree: true},
		Space: shm.Space{
			{Name: "flag", Count: shm.Const(2), Values: shm.Const(2), SingleWriter: true},
			{Name: "turn", Count: shm.Const(1), Values: shm.Const(2)},
		},
	},
	Read:     "github.com/sosy-lab/sv-benchmarks, c/pthread-atomic/dekker.c, commit 964ccb81b2c4cacdaa93431591047f6694124741; the year is that of Threader's competition",
	Claimed:  "the assertion in the critical section does not fail",
	Property: deadlock,
	Verdict:  "process 0 has stepped back and waits for the turn, and process 1 leaves and keeps it.",
	Procs:    2,
	Memory:   Consistent,
	Steps:    9,
	Fix:      "the exit section gives the turn to the other process",
	Fixed:    "dekker/dekker",
}, func(int) shm.Mutex { return new(dekkerOneTurn) })

// dekkerOneTurn, in which process 0 is thr1 and process 1 is thr2:
//
//	entry section of process i:
//	1  flag[i] := true
//	2  while flag[1-i]:
//	3      if turn is not i then
//	4          flag[i] := false
//	5          wait until turn = i
//	6          flag[i] := true
//	exit section of process i:
//	7  turn := 1
//	8  flag[i] := false
type dekkerOneTurn struct {
	flag [2]atomic.Bool
	turn atomic.Uint32
}

func (l *dekkerOneTurn) Lock(i int) {
	me := uint32(i)
	l.flag[i].Store(true)    // 1
	for l.flag[1-i].Load() { // 2
		if l.turn.Load() == me { // 3
			spin.Pause()
			continue
		}
		l.flag[i].Store(false)                                 // 4
		spin.Until(func() bool { return l.turn.Load() == me }) // 5
		l.flag[i].Store(true)                                  // 6
	}
}

func (l *dekkerOneTurn) Unlock(i int) {
	l.turn.Store(1)        // 7
	l.flag[i].Store(false) // 8
}
