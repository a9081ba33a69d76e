package byhand

import (
	"sync/atomic"

	"shmbench/burns"
	"shmbench/shm"
	"shmbench/spin"
)

var burnsLynch = burns.BurnsLynch(shm.Packed, shm.Sequential)

var burnsLocks = []Mutant{
	mutate(burnsLynch, "burnslynch-no-second-look", "nobody looks at the lower processes again after writing flag", Safety, 2,
		func(n int) shm.Mutex { return &burnsLynchNoSecondLook{newBurnsLynch(n)} }),
	mutate(burnsLynch, "burnslynch-no-wait-higher", "nobody waits for the higher processes", Safety, 2,
		func(n int) shm.Mutex { return &burnsLynchNoWaitHigher{newBurnsLynch(n)} }),
	mutate(burnsLynch, "burnslynch-keeps-flag", "who finds a lower process waits for it without taking flag back", Deadlock, 2,
		func(n int) shm.Mutex { return &burnsLynchKeepsFlag{newBurnsLynch(n)} }),
}

// burnsLynchBase is Burns and Lynch's lock in pieces:
//
//	entry section of process i:
//	1  flag[i] := false
//	2  for j := 0 to i-1: wait until flag[j] = false
//	3  flag[i] := true
//	4  for j := 0 to i-1: if flag[j] then goto 1
//	5  for j := i+1 to n-1: wait until flag[j] = false
//	exit section:
//	6  flag[i] := false
type burnsLynchBase struct{ flag []atomic.Bool }

func newBurnsLynch(n int) burnsLynchBase { return burnsLynchBase{flag: make([]atomic.Bool, n)} }

func (l *burnsLynchBase) await(from, to int) {
	for j := from; j < to; j++ { // 2, 5
		spin.Until(func() bool { return !l.flag[j].Load() })
	}
}

func (l *burnsLynchBase) first(i int) bool {
	for j := range i { // 4
		if l.flag[j].Load() {
			return false
		}
	}
	return true
}

func (l *burnsLynchBase) Unlock(i int) {
	l.flag[i].Store(false) // 6
}

type burnsLynchNoSecondLook struct{ burnsLynchBase }

func (l *burnsLynchNoSecondLook) Lock(i int) {
	l.flag[i].Store(false) // 1
	l.await(0, i)
	l.flag[i].Store(true) // 3
	l.await(i+1, len(l.flag))
}

type burnsLynchNoWaitHigher struct{ burnsLynchBase }

func (l *burnsLynchNoWaitHigher) Lock(i int) {
	for {
		l.flag[i].Store(false) // 1
		l.await(0, i)
		l.flag[i].Store(true) // 3
		if l.first(i) {
			return
		}
		spin.Pause()
	}
}

type burnsLynchKeepsFlag struct{ burnsLynchBase }

func (l *burnsLynchKeepsFlag) Lock(i int) {
	l.flag[i].Store(false) // 1
	for {
		l.await(0, i)
		l.flag[i].Store(true) // 3
		if l.first(i) {
			break
		}
		spin.Pause()
	}
	l.await(i+1, len(l.flag))
}
