package byhand

import (
	"sync/atomic"

	"shmbench/dekker"
	"shmbench/shm"
	"shmbench/spin"
)

var doranThomas = dekker.DoranThomas(shm.Packed, shm.Sequential)

var doranThomases = []Mutant{
	mutate(doranThomas, "doranthomas-goes-ahead", "who has come forward again enters without waiting for the other to leave", Safety, 2,
		func(int) shm.Mutex { return new(doranThomasGoesAhead) }),
	mutate(doranThomas, "doranthomas-last-unwritten", "nobody writes that it was in last, so that process 0 waits for it even when it is alone", Deadlock, 2,
		func(int) shm.Mutex { return new(doranThomasLastUnwritten) }),
	mutate(doranThomas, "doranthomas-exit-swapped", "want is cleared before last is written: the other may come forward a little later, and that is all", Equivalent, 2,
		func(int) shm.Mutex { return new(doranThomasExitSwapped) }),
}

// doranThomasBase is Doran and Thomas's lock in pieces:
//
//	entry section of process i:
//	1  want[i] := true
//	2  if want[1-i] then
//	3      if last = i then
//	4          want[i] := false
//	5          wait until last != i
//	6          want[i] := true
//	7      wait until not want[1-i]
//	exit section:
//	8  last := i
//	9  want[i] := false
type doranThomasBase struct {
	want [2]atomic.Bool
	last atomic.Uint32
}

// giveWay is lines 3 to 6, and reports whether there was a need.
func (l *doranThomasBase) giveWay(i int) bool {
	if l.last.Load() != uint32(i) { // 3
		return false
	}
	l.want[i].Store(false)                                        // 4
	spin.Until(func() bool { return l.last.Load() != uint32(i) }) // 5
	l.want[i].Store(true)                                         // 6
	return true
}

// await is line 7.
func (l *doranThomasBase) await(i int) {
	spin.Until(func() bool { return !l.want[1-i].Load() })
}

func (l *doranThomasBase) Lock(i int) {
	l.want[i].Store(true)   // 1
	if l.want[1-i].Load() { // 2
		l.giveWay(i) // 3-6
		l.await(i)   // 7
	}
}

func (l *doranThomasBase) Unlock(i int) {
	l.last.Store(uint32(i)) // 8
	l.want[i].Store(false)  // 9
}

type doranThomasGoesAhead struct{ doranThomasBase }

func (l *doranThomasGoesAhead) Lock(i int) {
	l.want[i].Store(true)                    // 1
	if l.want[1-i].Load() && !l.giveWay(i) { // 2-6
		l.await(i) // 7
	}
}

type doranThomasLastUnwritten struct{ doranThomasBase }

func (l *doranThomasLastUnwritten) Unlock(i int) {
	l.want[i].Store(false) // 9
}

type doranThomasExitSwapped struct{ doranThomasBase }

func (l *doranThomasExitSwapped) Unlock(i int) {
	l.want[i].Store(false)  // 9
	l.last.Store(uint32(i)) // 8
}
