package knownbroken

import (
	"sync/atomic"

	"shmbench/shm"
	"shmbench/shm/spin"
)

// eisenbergExit is Eisenberg and McGuire's lock as a program of a C suite has it. The
// program is wrong, not the paper of Eisenberg and McGuire (1972). Its exit section looks
// for a successor from the process after the next one on. Its own intent is still set:
// with two processes, process 0 finds only itself, and keeps the turn. The entry section
// reads HIGH up to three times instead of once, which does no harm. The suite belongs to
// "High-performance N-thread software solutions for mutual exclusion" (2015), which was
// not read: nothing here says that this paper prints the error.
var eisenbergExit = made(Lock{
	Algorithm: shm.Algorithm{
		Name:  "knownbroken/eisenberg-exit",
		Title: "Eisenberg and McGuire's lock in a C suite",
		Source: shm.Source{
			Author: "Peter A. Buhr, David Dice and Wim H. Hesselink",
			Title:  "Eisenberg.c",
			Venue:  "github.com/pabuhr/concurrent-locking",
			Year:   2024,
		},
		Class:    shm.ReadWrite,
		MinProcs: 2,
		MaxProcs: shm.MaxProcs,
		Claims:   shm.Claims{DeadlockFree: true, StarvationFree: true, Bypass: shm.NMinus1, Doorway: "1"},
		Space: shm.Space{
			{Name: "control", Count: shm.N, Values: shm.Const(3), SingleWriter: true},
			{Name: "high", Count: shm.Const(1), Values: shm.N},
		},
	},
	Read:     "github.com/pabuhr/concurrent-locking, Eisenberg.c, commit f32f830c225c1fbfb6552c89364d0d37de99b977",
	Claimed:  "a bypass of n-1, which Eisenberg and McGuire prove of the lock that the program implements",
	Property: starvation,
	Verdict:  "process 0 keeps the turn in its exit section and reacquires the lock, so process 1 starves.",
	Procs:    2,
	Memory:   Consistent,
	Steps:    15,
	Fix:      "the exit section begins with the next process, as in the paper",
	Fixed:    "dijkstra/eisenbergmcguire",
}, func(n int) shm.Mutex { return &eisenbergSuite{control: make([]atomic.Uint32, n)} })

// eisenbergSuite is the lock, where control is 0 for a process that does not want to
// enter:
//
//	entry section of process i:
//	1  control[i] := 1
//	2  for j := high, going round, to i-1: if control[j] is not 0 then goto 2
//	3  control[i] := 2
//	4  for j := 0 to n-1, except i: if control[j] = 2 then goto 1
//	5  if control[high] is not 0 and high is not i then goto 1
//	6  high := i
//	exit section:
//	7  j := high + 2, or, where high + 1 is n-1 or more, 0
//	8  while control[j] = 0: j := j + 1, or 0 if that is n
//	9  high := j
//	10 control[i] := 0
type eisenbergSuite struct {
	control []atomic.Uint32
	high    atomic.Uint32
}

func (l *eisenbergSuite) Lock(i int) {
	for {
		l.control[i].Store(1)                                                                   // 1
		spin.Until(func() bool { return l.turn(i) })                                            // 2
		l.control[i].Store(2)                                                                   // 3
		if l.alone(i) && (l.control[l.high.Load()].Load() == 0 || l.high.Load() == uint32(i)) { // 5
			break
		}
		spin.Pause()
	}
	l.high.Store(uint32(i)) // 6
}

func (l *eisenbergSuite) turn(i int) bool {
	for j := int(l.high.Load()); j != i; j = l.next(j) { // 2
		if l.control[j].Load() != 0 { // 2
			return false
		}
	}
	return true
}

func (l *eisenbergSuite) alone(i int) bool {
	for j := range l.control {
		if j != i && l.control[j].Load() == 2 { // 4
			return false
		}
	}
	return true
}

// next returns the process after j, and the first after the last or one past it.
func (l *eisenbergSuite) next(j int) int {
	if j >= len(l.control)-1 {
		return 0
	}
	return j + 1
}

func (l *eisenbergSuite) Unlock(i int) {
	j := l.next(int(l.high.Load()) + 1) // 7
	for l.control[j].Load() == 0 {      // 8
		j = l.next(j)
	}
	l.high.Store(uint32(j)) // 9
	l.control[i].Store(0)   // 10
}
