package byhand

import (
	"shmbench/dekker"
	"shmbench/register"
	"shmbench/shm"
	"shmbench/spin"
)

var (
	dekker1965     = dekker.Dekker(shm.Packed, shm.Sequential)
	releasedDekker = dekker.Dekker(shm.Packed, shm.Released)
)

var dekkers = []Mutant{
	mutate(dekker1965, "dekker-looks-once", "who has stepped back sets flag and enters without looking again", Safety, 2,
		func(int) shm.Mutex { return new(dekkerLooksOnce) }),
	mutate(dekker1965, "dekker-keeps-flag", "who does not have the turn waits for it with flag up", Deadlock, 2,
		func(int) shm.Mutex { return new(dekkerKeepsFlag) }),
	mutate(dekker1965, "dekker-never-lowers", "the exit section leaves flag up", Deadlock, 2,
		func(int) shm.Mutex { return new(dekkerNeverLowers) }),
}

// dekkerBase is Dekker's lock in pieces:
//
//	entry section of process i:
//	1  flag[i] := true
//	2  while flag[1-i]:
//	3      if turn = 1-i then
//	4          flag[i] := false
//	5          wait until turn = i
//	6          flag[i] := true
//	exit section:
//	7  turn := 1-i
//	8  flag[i] := false
type dekkerBase struct {
	flag     [2]register.Bool
	turn     register.Uint32
	released bool
}

// contend is lines 2 to 6, in which again is line 6.
func (l *dekkerBase) contend(i int, again func()) {
	for l.flag[1-i].Load() { // 2
		if l.turn.Load() == uint32(1-i) { // 3
			l.flag[i].StoreReleaseIf(l.released, false) // 4
			l.await(i)                                  // 5
			again()                                     // 6
		} else {
			spin.Pause()
		}
	}
}

// await is line 5.
func (l *dekkerBase) await(i int) {
	spin.Until(func() bool { return l.turn.Load() == uint32(i) })
}

func (l *dekkerBase) Unlock(i int) {
	l.turn.StoreReleaseIf(l.released, uint32(1-i)) // 7
	l.flag[i].StoreReleaseIf(l.released, false)    // 8
}

type dekkerLooksOnce struct{ dekkerBase }

func (l *dekkerLooksOnce) Lock(i int) {
	l.flag[i].Store(true)    // 1
	for l.flag[1-i].Load() { // 2
		if l.turn.Load() == uint32(1-i) { // 3
			l.flag[i].Store(false) // 4
			l.await(i)             // 5
			l.flag[i].Store(true)  // 6
			return
		}
		spin.Pause()
	}
}

type dekkerKeepsFlag struct{ dekkerBase }

func (l *dekkerKeepsFlag) Lock(i int) {
	l.flag[i].Store(true)    // 1
	for l.flag[1-i].Load() { // 2
		if l.turn.Load() == uint32(1-i) { // 3
			l.await(i) // 5
		} else {
			spin.Pause()
		}
	}
}

type dekkerNeverLowers struct{ dekkerBase }

func (l *dekkerNeverLowers) Lock(i int) {
	l.flag[i].Store(true)                          // 1
	l.contend(i, func() { l.flag[i].Store(true) }) // 6
}

func (l *dekkerNeverLowers) Unlock(i int) {
	l.turn.Store(uint32(1 - i)) // 7
}
