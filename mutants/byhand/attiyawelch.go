package byhand

import (
	"sync/atomic"

	"shmbench/peterson"
	"shmbench/shm"
	"shmbench/spin"
)

var attiyaWelch = peterson.AttiyaWelch(shm.Packed, shm.Sequential)

var attiyaWelches = []Mutant{
	mutate(attiyaWelch, "attiyawelch-wrong-way", "priority is written only where it does not change", Starvation, 2,
		func(int) shm.Mutex { return new(attiyaWelchWrongWay) }),
	mutate(attiyaWelch, "attiyawelch-takes", "whoever leaves takes the priority", Deadlock, 2,
		func(int) shm.Mutex { return new(attiyaWelchTakes) }),
}

// attiyaWelchBase is Attiya and Welch's lock for safe registers in pieces:
//
//	entry section of process i:
//	1  want[i] := 0
//	2  wait until want[1-i] = 0 or priority = i
//	3  want[i] := 1
//	4  if priority = 1-i then
//	5      if want[1-i] = 1 then goto 1
//	6  else wait until want[1-i] = 0
//	exit section of process i:
//	7  if priority = i then priority := 1-i
//	8  want[i] := 0
type attiyaWelchBase struct {
	want     [2]atomic.Bool
	priority atomic.Uint32
}

func (l *attiyaWelchBase) Lock(i int) {
	me, other := uint32(i), uint32(1-i)
	for {
		l.want[me].Store(false)  // 1
		spin.Until(func() bool { // 2
			return !l.want[other].Load() || l.priority.Load() == me
		})
		l.want[me].Store(true)          // 3
		if l.priority.Load() != other { // 4
			spin.Until(func() bool { return !l.want[other].Load() }) // 6
			return
		}
		if !l.want[other].Load() { // 5
			return
		}
		spin.Pause()
	}
}

type attiyaWelchWrongWay struct{ attiyaWelchBase }

func (l *attiyaWelchWrongWay) Unlock(i int) {
	if other := uint32(1 - i); l.priority.Load() == other { // 7
		l.priority.Store(other) // 7
	}
	l.want[i].Store(false) // 8
}

type attiyaWelchTakes struct{ attiyaWelchBase }

func (l *attiyaWelchTakes) Unlock(i int) {
	if me := uint32(i); l.priority.Load() != me { // 7
		l.priority.Store(me) // 7
	}
	l.want[i].Store(false) // 8
}
