package byhand

import (
	"sync/atomic"

	"shmbench/peterson"
	"shmbench/shm"
	"shmbench/spin"
)

var asymmetric = peterson.Asymmetric(shm.Packed, shm.Sequential)

var asymmetrics = []Mutant{
	mutate(asymmetric, "asymmetric-no-second-look", "process 1 does not look again after it has set want", Safety, 2,
		func(int) shm.Mutex { return new(asymmetricNoSecondLook) }),
	mutate(asymmetric, "asymmetric-no-giving-way", "process 1 waits with want set instead of taking it back", Deadlock, 2,
		func(int) shm.Mutex { return new(asymmetricNoGivingWay) }),
}

// asymmetricBase is the lock in which process 0 is always first, in pieces:
//
//	entry section of process 0:        entry section of process 1:
//	                                   1  want[1] := 0
//	                                   2  wait until want[0] = 0
//	3  want[0] := 1                    3  want[1] := 1
//	                                   5  if want[0] = 1 then goto 1
//	6  wait until want[1] = 0
//	exit section of process i:
//	8  want[i] := 0
type asymmetricBase struct{ want [2]atomic.Bool }

// first is the entry section of process 0.
func (l *asymmetricBase) first() {
	l.want[0].Store(true)                                // 3
	spin.Until(func() bool { return !l.want[1].Load() }) // 6
}

// awaitFirst is line 2.
func (l *asymmetricBase) awaitFirst() {
	spin.Until(func() bool { return !l.want[0].Load() })
}

func (l *asymmetricBase) Unlock(i int) {
	l.want[i].Store(false) // 8
}

type asymmetricNoSecondLook struct{ asymmetricBase }

func (l *asymmetricNoSecondLook) Lock(i int) {
	if i == 0 {
		l.first()
		return
	}
	l.want[1].Store(false)
	l.awaitFirst()
	l.want[1].Store(true)
}

type asymmetricNoGivingWay struct{ asymmetricBase }

func (l *asymmetricNoGivingWay) Lock(i int) {
	if i == 0 {
		l.first()
		return
	}
	l.want[1].Store(false)
	l.awaitFirst()
	l.want[1].Store(true)
	l.awaitFirst()
}
