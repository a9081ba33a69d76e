package knownbroken

import (
	"sync/atomic"

	"shmbench/peterson"
	"shmbench/shm"
	"shmbench/shm/spin"
)

// attiyaWelchSafe is the two-process lock of Attiya and Welch's book, unchanged, on registers
// that may return any value to a read that overlaps a write. An uncontended leaving process
// writes to priority the value that it already has, and the other process may read the wrong
// value each time.
var attiyaWelchSafe = func() Lock {
	spec := like(peterson.Priority(shm.Packed, shm.Sequential), "knownbroken/attiyawelch-safe", "Attiya and Welch's two-process lock on safe registers")
	spec.Source = attiyaWelchBook
	return Lock{
		Algorithm: spec,
		Read:      attiyaWelchModels + "Attiya-Welch_orig.mcrl2; the lock is peterson/priority.go of this repository",
		Claimed:   "starvation freedom; the source does not say what a read returns that overlaps a write",
		Property:  starvation,
		Verdict:   "the exit section writes the value that priority already has. The other process reads the opposite value, steps back, and is bypassed, each time.",
		Procs:     2,
		Memory:    Safe,
		Steps:     20,
		Fix:       "priority is written only where it changes",
		Fixed:     "peterson/attiyawelch",
	}
}()

var attiyaWelchBook = shm.Source{
	Author: "Hagit Attiya and Jennifer Welch",
	Title:  "Distributed Computing: Fundamentals, Simulations, and Advanced Topics",
	Venue:  "Wiley",
	Year:   2004,
}

const attiyaWelchModels = "github.com/mCRL2org/mCRL2, examples/academic/non-atomic_registers/models, commit 2ef8439201116093869d8e3b8cd046af70b7d1f2: "

// attiyaWelchTwice is the form of the same lock in models that follow a later paper. It reads
// turn once to see whether it must step back, and a second time to see whether it must wait.
// On registers that are not atomic, the first read may say that it has no precedence, and the
// second that it has.
var attiyaWelchTwice = made(Lock{
	Algorithm: shm.Algorithm{
		Name:  "knownbroken/attiyawelch-twice",
		Title: "Attiya and Welch's two-process lock, turn read twice",
		Source: shm.Source{
			Author: "Myrthe S. C. Spronck and Bas Luttik",
			Title:  "Process-Algebraic Models of Multi-Writer Multi-Reader Non-Atomic Registers",
			Venue:  "34th International Conference on Concurrency Theory",
			Year:   2023,
			Page:   "5:1-5:17",
		},
		Class:    shm.ReadWrite,
		MinProcs: 2,
		MaxProcs: 2,
		Claims:   shm.Claims{DeadlockFree: true, StarvationFree: true},
		Space: shm.Space{
			{Name: "flag", Count: shm.Const(2), Values: shm.Const(2), SingleWriter: true},
			{Name: "turn", Count: shm.Const(1), Values: shm.Const(2)},
		},
	},
	Read:     attiyaWelchModels + "Attiya-Welch_var.mcrl2, \"from paper\", which the Readme.md calls a later one",
	Claimed:  "starvation freedom, of the original lock",
	Property: deadlock,
	Verdict:  "a process enters because it reads two values of turn while the other process writes it in its exit section. The two writes appear in one order and take effect in the other, so each process waits for the other.",
	Procs:    2,
	Memory:   Regular,
	Steps:    41,
	Fix:      "turn is read once there, and written only where it changes",
	Fixed:    "peterson/attiyawelch",
}, func(int) shm.Mutex { return new(attiyaWelchLater) })

// attiyaWelchLater is the lock:
//
//	entry section of process i:
//	1  flag[i] := 0
//	2  wait until flag[1-i] = 0 or turn = 1-i
//	3  flag[i] := 1
//	4  if not (turn = 1-i or flag[1-i] = 0) then goto 1
//	5  if turn = 1-i then
//	6      wait until flag[1-i] = 0
//	exit section:
//	7  turn := i
//	8  flag[i] := 0
type attiyaWelchLater struct {
	flag [2]atomic.Bool
	turn atomic.Uint32
}

func (l *attiyaWelchLater) Lock(i int) {
	other := uint32(1 - i)
	for {
		l.flag[i].Store(false)   // 1
		spin.Until(func() bool { // 2
			return !l.flag[other].Load() || l.turn.Load() == other
		})
		l.flag[i].Store(true)                                // 3
		if l.turn.Load() == other || !l.flag[other].Load() { // 4
			break
		}
		spin.Pause()
	}
	if l.turn.Load() == other { // 5
		spin.Until(func() bool { return !l.flag[other].Load() }) // 6
	}
}

func (l *attiyaWelchLater) Unlock(i int) {
	l.turn.Store(uint32(i)) // 7
	l.flag[i].Store(false)  // 8
}
