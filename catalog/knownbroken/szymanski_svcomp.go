package knownbroken

import (
	"sync/atomic"

	"shmbench/shm"
	"shmbench/shm/spin"
)

// szymanskiSVCOMP is Szymański's lock for two processes as it is among the programs of the
// software verification competition. In his lock a process waits at the end for those with
// smaller ids. In the program each process waits for the other, and two processes that have
// both come so far wait forever. The competition asks whether the assertion in the critical
// section can fail, and it cannot.
//
// The tests of the model checker GenMC have the same program, with a fence behind each store
// but the last. Its waits are assumptions there: GenMC drops an execution in which an
// assumption fails, so that it does not see two processes that wait forever.
var szymanskiSVCOMP = made(Lock{
	Algorithm: shm.Algorithm{
		Name:  "knownbroken/szymanski-svcomp",
		Title: "Szymański's lock in which each of two waits for the other",
		Source: shm.Source{
			Author: "Threader team; sosy-lab/sv-benchmarks",
			Title:  "pthread-atomic/szymanski.c",
			Venue:  "Benchmarks of the Competition on Software Verification",
			Year:   2013,
		},
		Class:    shm.ReadWrite,
		MinProcs: 2,
		MaxProcs: 2,
		Claims:   shm.Claims{DeadlockFree: true},
		Space:    shm.Space{{Name: "flag", Count: shm.Const(2), Values: shm.Const(5), SingleWriter: true}},
	},
	Read:     "github.com/sosy-lab/sv-benchmarks, c/pthread-atomic/szymanski.c, commit 964ccb81b2c4cacdaa93431591047f6694124741; the year is that of Threader's competition; and github.com/MPI-SWS/genmc, tests/correct/synthetic/szymanski/szymanski.c, commit 364e02afa1dec0e5c9fbedca6a2306d0ed5f1abf",
	Claimed:  "the assertion in the critical section does not fail",
	Property: deadlock,
	Verdict:  "both processes have flag 4, and each waits for the other's to be less than 2.",
	Procs:    2,
	Memory:   Consistent,
	Steps:    12,
	Fix:      "the last wait of the entry section is for processes of smaller id only",
	Fixed:    "szymanski/flag",
}, func(int) shm.Mutex { return new(szymanskiForTwo) })

// szymanskiForTwo, in which process 0 is thr1 and process 1 is thr2:
//
//	entry section of process i:
//	1  flag[i] := 1
//	2  wait until flag[1-i] < 3
//	3  flag[i] := 3
//	4  if flag[1-i] = 1 then
//	5      flag[i] := 2
//	6      wait until flag[1-i] = 4
//	7  flag[i] := 4
//	8  wait until flag[1-i] < 2
//	exit section of process i:
//	9  wait until flag[1-i] < 2 or flag[1-i] > 3
//	10 flag[i] := 0
type szymanskiForTwo struct{ flag [2]atomic.Uint32 }

func (l *szymanskiForTwo) Lock(i int) {
	me, other := &l.flag[i], &l.flag[1-i]
	me.Store(1)                                         // 1
	spin.Until(func() bool { return other.Load() < 3 }) // 2
	me.Store(3)                                         // 3
	if other.Load() == 1 {                              // 4
		me.Store(2)                                          // 5
		spin.Until(func() bool { return other.Load() == 4 }) // 6
	}
	me.Store(4)                                         // 7
	spin.Until(func() bool { return other.Load() < 2 }) // 8
}

func (l *szymanskiForTwo) Unlock(i int) {
	spin.Until(func() bool { return 2 > l.flag[1-i].Load() || l.flag[1-i].Load() > 3 }) // 9
	l.flag[i].Store(0)                                                                  // 10
}
