package mutants

import (
	"sync/atomic"

	"shmbench/onebit"
	"shmbench/shm"
	"shmbench/spin"
)

var burnsLynch = onebit.BurnsLynch(shm.Packed, shm.Sequential)

var oneBits = []Mutant{
	mutate(burnsLynch, "onebit-no-second-look", "nobody looks at the lower processes again after writing flag", Safety, 2,
		func(n int) shm.Mutex { return &oneBitNoSecondLook{newOneBit(n)} }),
	mutate(burnsLynch, "onebit-no-wait-higher", "nobody waits for the higher processes", Safety, 2,
		func(n int) shm.Mutex { return &oneBitNoWaitHigher{newOneBit(n)} }),
	mutate(burnsLynch, "onebit-keeps-flag", "who finds a lower process waits for it without taking flag back", Deadlock, 2,
		func(n int) shm.Mutex { return &oneBitKeepsFlag{newOneBit(n)} }),
}

// oneBitBase is Burns and Lynch's lock in pieces:
//
//	entry section of process i:
//	1  flag[i] := false
//	2  for j := 0 to i-1: wait until flag[j] = false
//	3  flag[i] := true
//	4  for j := 0 to i-1: if flag[j] then goto 1
//	5  for j := i+1 to n-1: wait until flag[j] = false
//	exit section:
//	6  flag[i] := false
type oneBitBase struct{ flag []atomic.Bool }

func newOneBit(n int) oneBitBase { return oneBitBase{flag: make([]atomic.Bool, n)} }

func (l *oneBitBase) await(from, to int) {
	for j := from; j < to; j++ { // 2, 5
		spin.Until(func() bool { return !l.flag[j].Load() })
	}
}

func (l *oneBitBase) first(i int) bool {
	for j := range i { // 4
		if l.flag[j].Load() {
			return false
		}
	}
	return true
}

func (l *oneBitBase) Unlock(i int) {
	l.flag[i].Store(false) // 6
}

type oneBitNoSecondLook struct{ oneBitBase }

func (l *oneBitNoSecondLook) Lock(i int) {
	l.flag[i].Store(false) // 1
	l.await(0, i)
	l.flag[i].Store(true) // 3
	l.await(i+1, len(l.flag))
}

type oneBitNoWaitHigher struct{ oneBitBase }

func (l *oneBitNoWaitHigher) Lock(i int) {
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

type oneBitKeepsFlag struct{ oneBitBase }

func (l *oneBitKeepsFlag) Lock(i int) {
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
