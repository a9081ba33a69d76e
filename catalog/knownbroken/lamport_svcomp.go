package knownbroken

//lint:file-ignore SA5002 a loop whose condition never changes is what is shown here

import (
	"sync/atomic"

	"shmbench/shm"
)

// lamportSVCOMP is Lamport's fast lock for two processes, as it is among the programs of the
// software verification competition since data races were removed from it. The program reads
// each awaited register into a variable before the loop, and the loop tests the variable. The
// competition asks whether the assertion in the critical section can fail, and a process that
// waits forever fails no assertion. Since then only executions are verified in which no
// process waits, except process 0 on line 5. Staticcheck finds such a loop in Go (SA5002).
var lamportSVCOMP = made(Lock{
	Algorithm: shm.Algorithm{
		Name:  "knownbroken/lamport-fast-svcomp",
		Title: "Lamport's fast lock that waits for a copy",
		Source: shm.Source{
			Author: "Threader team; sosy-lab/sv-benchmarks",
			Title:  "pthread-atomic/lamport.c",
			Venue:  "Benchmarks of the Competition on Software Verification",
			Year:   2020,
		},
		Class:    shm.ReadWrite,
		MinProcs: 2,
		MaxProcs: 2,
		Claims:   shm.Claims{DeadlockFree: true},
		Space: shm.Space{
			{Name: "b", Count: shm.Const(2), Values: shm.Const(2), SingleWriter: true},
			{Name: "x", Count: shm.Const(1), Values: shm.Const(3)},
			{Name: "y", Count: shm.Const(1), Values: shm.Const(3)},
		},
	},
	Read:     "github.com/sosy-lab/sv-benchmarks, c/pthread-atomic/lamport.c, commit 00aba279c55cbd2e6e7b951f1b523c06fe010628; lamport-b.c there is the program as it was",
	Claimed:  "the assertion in the critical section does not fail (lamport.yml: expected_verdict: true)",
	Property: panics,
	Verdict:  "a process that finds y taken, or the other's b up, waits for a variable of its own to change.",
	Procs:    2,
	Memory:   Consistent,
	Steps:    9,
	Fix:      "each turn of the loop reads the register",
	Fixed:    "fast/lamport",
}, func(int) shm.Mutex { return new(lamportCopied) })

// lamportCopied is the program, in which process 0 is thr1 and process 1 is thr2:
//
//	entry section of process i:
//	1  b[i] := true
//	2  x := i
//	3  y' := y; if y' is not 0 then
//	4      b[i] := false
//	5      y' := y; wait until y' = 0          (process 0: until y = 0); go to 1
//	6  y := i
//	7  if x is not i then
//	8      b[i] := false
//	9      b' := b[1-i]; wait until not b'
//	10     if y is not i then
//	11         y' := y; wait until y' = 0; go to 1
//	exit section of process i:
//	12 y := 0
//	13 b[i] := false
type lamportCopied struct {
	b    [2]atomic.Bool
	x, y atomic.Uint32
}

func (l *lamportCopied) Lock(i int) {
	me := uint32(i + 1)
	for {
		l.b[i].Store(true)   // 1
		l.x.Store(me)        // 2
		if l.y.Load() != 0 { // 3
			l.b[i].Store(false)             // 4
			y := l.y.Load()                 // 5
			for i == 0 && l.y.Load() != 0 { // 5
			}
			for i == 1 && y != 0 { // 5
			}
			continue
		}
		l.y.Store(me)         // 6
		if l.x.Load() == me { // 7
			return
		}
		l.b[i].Store(false)  // 8
		b := l.b[1-i].Load() // 9
		for b {              // 9
		}
		if l.y.Load() == me { // 10
			return
		}
		y := l.y.Load() // 11
		for y != 0 {    // 11
		}
	}
}

func (l *lamportCopied) Unlock(i int) {
	l.y.Store(0)        // 12
	l.b[i].Store(false) // 13
}
