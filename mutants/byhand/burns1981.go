package byhand

import (
	"sync/atomic"

	"shmbench/burns"
	"shmbench/shm"
	"shmbench/spin"
)

var burns1981 = burns.Burns(shm.Packed, shm.Sequential)

var burnses = []Mutant{
	mutate(burns1981, "burns-no-look", "whoever has the turn enters without a look at the flags of the others", Safety, 2,
		func(n int) shm.Mutex { return &burnsNoLook{newBurns(n)} }),
	mutate(burns1981, "burns-turn-first", "turn is written before the own flag", Deadlock, 2,
		func(n int) shm.Mutex { return &burnsTurnFirst{newBurns(n)} }).
		outOfReach("the two must take their flags back by turns for ever, and no machine keeps them in step"),
	mutate(burns1981, "burns-no-turn", "nobody takes its flag back for the one that wrote turn last", Deadlock, 2,
		func(n int) shm.Mutex { return &burnsNoTurn{newBurns(n)} }),
}

// burnsBase is Burns's lock in pieces:
//
//	entry section of process i:
//	1  flag[i] := true
//	2  turn := i
//	3  repeat: if turn is not i then goto 5
//	4  until flag[j] = false for all j other than i; enter
//	5  flag[i] := false
//	6  wait until flag[j] = false for all j other than i; goto 1
//	exit section:
//	7  flag[i] := false
type burnsBase struct {
	flag []atomic.Bool
	turn atomic.Uint32
}

func newBurns(n int) *burnsBase { return &burnsBase{flag: make([]atomic.Bool, n)} }

// wins is lines 3 and 4: it reports whether the process enters.
func (l *burnsBase) wins(i int) bool {
	mine := true
	spin.Until(func() bool {
		mine = l.turn.Load() == uint32(i) // 3
		return !mine || l.alone(i)        // 4
	})
	return mine
}

// stepBack is lines 5 and 6.
func (l *burnsBase) stepBack(i int) {
	l.flag[i].Store(false)                        // 5
	spin.Until(func() bool { return l.alone(i) }) // 6
}

func (l *burnsBase) alone(i int) bool {
	for j := range l.flag {
		if j != i && l.flag[j].Load() {
			return false
		}
	}
	return true
}

func (l *burnsBase) Unlock(i int) {
	l.flag[i].Store(false) // 7
}

type burnsNoLook struct{ *burnsBase }

func (l *burnsNoLook) Lock(i int) {
	for {
		l.flag[i].Store(true)           // 1
		l.turn.Store(uint32(i))         // 2
		if l.turn.Load() == uint32(i) { // 3
			return
		}
		l.stepBack(i) // 5
	}
}

type burnsTurnFirst struct{ *burnsBase }

func (l *burnsTurnFirst) Lock(i int) {
	for {
		l.turn.Store(uint32(i)) // 2
		l.flag[i].Store(true)   // 1
		if l.wins(i) {          // 3
			return
		}
		l.stepBack(i) // 5
	}
}

type burnsNoTurn struct{ *burnsBase }

func (l *burnsNoTurn) Lock(i int) {
	l.flag[i].Store(true)                         // 1
	l.turn.Store(uint32(i))                       // 2
	spin.Until(func() bool { return l.alone(i) }) // 4
}
