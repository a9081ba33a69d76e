package knownbroken

import (
	"sync/atomic"

	"shmbench/shm"
	"shmbench/shm/spin"
)

// burns2 is Burns's symmetric lock as a program of a C suite has it. A process that steps back
// waits until it has found each flag clear, one after another, and each at another moment. So
// it can come back while another process has the turn, and write turn again. Four processes
// can go on like this forever. The program says that it improves the lock of the paper. Of
// the paper only the abstract was read, so nothing here says that the paper has the error.
var burns2 = made(Lock{
	Algorithm: shm.Algorithm{
		Name:  "knownbroken/burns2",
		Title: "Burns's symmetric lock in a C suite",
		Source: shm.Source{
			Author: "Peter A. Buhr, David Dice and Wim H. Hesselink",
			Title:  "Burns2.c",
			Venue:  "github.com/pabuhr/concurrent-locking",
			Year:   2024,
		},
		Class:    shm.ReadWrite,
		MinProcs: 1,
		MaxProcs: shm.MaxProcs,
		Claims:   shm.Claims{DeadlockFree: true, Doorway: "2"},
		Space: shm.Space{
			{Name: "flag", Count: shm.N, Values: shm.Const(2), SingleWriter: true},
			{Name: "turn", Count: shm.Const(1), Values: shm.N},
		},
	},
	Read:     "github.com/pabuhr/concurrent-locking, Burns2.c, commit f32f830c225c1fbfb6552c89364d0d37de99b977, and the abstract of the paper that it cites, Burns, FOCS 1981",
	Claimed:  "deadlock freedom for any number of processes, which the abstract of the paper claims of the lock that the program implements",
	Property: deadlock,
	Verdict:  "each process that writes turn loses it before it reads it, to a process that has found all flags clear, each at another moment.",
	Procs:    4,
	Memory:   Consistent,
	Steps:    61,
	Fix:      "none was published; burns/burns is for three processes at most",
}, func(n int) shm.Mutex { return &burns2Mutex{flag: make([]atomic.Bool, n)} })

// burns2Mutex:
//
//	entry section of process i:
//	1  flag[i] := true
//	2  turn := i
//	3  if turn is not i then goto 6
//	4  if turn is not i then goto 6
//	5  for j := 0 to n-1, except i: if flag[j] then goto 4; enter
//	6  flag[i] := false
//	7  for j := 0 to n-1: if flag[j] then goto 7; goto 1
//	exit section of process i:
//	8  flag[i] := false
type burns2Mutex struct {
	flag []atomic.Bool
	turn atomic.Uint32
}

func (l *burns2Mutex) Lock(i int) {
	for {
		l.flag[i].Store(true)   // 1
		l.turn.Store(uint32(i)) // 2
		if l.holds(i) {         // 3
			return
		}
		l.flag[i].Store(false)                         // 6
		spin.Until(func() bool { return l.clear(-1) }) // 7
	}
}

// holds is lines 3 to 5. It reports whether process i enters.
func (l *burns2Mutex) holds(i int) bool {
	mine := l.turn.Load() == uint32(i) // 3
	if !mine {
		return false
	}
	spin.Until(func() bool {
		mine = l.turn.Load() == uint32(i) // 4
		return !mine || l.clear(i)
	})
	return mine
}

// clear reports whether the flags of all processes but i are clear. It reads them one after
// another, up to the first one that is set.
func (l *burns2Mutex) clear(i int) bool {
	for j := range l.flag {
		if j != i && l.flag[j].Load() { // 5, 7
			return false
		}
	}
	return true
}

func (l *burns2Mutex) Unlock(i int) {
	l.flag[i].Store(false) // 8
}
