package knownbroken

//lint:file-ignore SA5002 a loop whose condition never changes is what is shown here

import (
	"sync/atomic"

	"shmbench/shm"
	"shmbench/shm/spin"
)

// dekkerCopied is Dekker's lock as it is among the programs of the software verification
// competition since data races were removed from it. A process reads the other's flag once,
// before the loop, and its inner loop tests a copy of turn. A process that has seen the
// other's flag set never enters.
var dekkerCopied = made(Lock{
	Algorithm: shm.Algorithm{
		Name:  "knownbroken/dekker-copied",
		Title: "Dekker's lock that waits for a copy",
		Source: shm.Source{
			Author: "Threader team; sosy-lab/sv-benchmarks",
			Title:  "pthread-atomic/dekker.i",
			Venue:  "Benchmarks of the Competition on Software Verification",
			Year:   2020,
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
	Read:     "github.com/sosy-lab/sv-benchmarks, c/pthread-atomic/dekker.i, commit 00aba279c55cbd2e6e7b951f1b523c06fe010628",
	Claimed:  "the assertion in the critical section does not fail",
	Property: panics,
	Verdict:  "a process that has stepped back waits for a variable of its own to change.",
	Procs:    2,
	Memory:   Consistent,
	Steps:    6,
	Fix:      "each turn of a loop reads the registers that it waits for",
	Fixed:    "dekker/dekker",
}, func(int) shm.Mutex { return new(dekkerCopiedMutex) })

// dekkerCopiedMutex, in which process 0 is thr1 and process 1 is thr2:
//
//	entry section of process i:
//	1  flag[i] := true
//	2  f := flag[1-i]; while f:
//	3      t := turn; if t is not i then
//	4          flag[i] := false
//	5          t := turn; wait until t = i
//	6          flag[i] := true
//	exit section of process i:
//	7  turn := 1
//	8  flag[i] := false
type dekkerCopiedMutex struct {
	flag [2]atomic.Bool
	turn atomic.Uint32
}

func (l *dekkerCopiedMutex) Lock(i int) {
	me := uint32(i)
	l.flag[i].Store(true)   // 1
	f := l.flag[1-i].Load() // 2
	for f {                 // 2
		if t := l.turn.Load(); t == me { // 3
			spin.Pause()
			continue
		}
		l.flag[i].Store(false) // 4
		t := l.turn.Load()     // 5
		for t != me {          // 5
		}
		l.flag[i].Store(true) // 6
	}
}

func (l *dekkerCopiedMutex) Unlock(i int) {
	l.turn.Store(1)        // 7
	l.flag[i].Store(false) // 8
}
