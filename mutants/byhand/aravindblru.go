package byhand

import (
	"sync/atomic"

	"shmbench/fcfs"
	"shmbench/shm"
	"shmbench/spin"
)

var (
	aravindBLRU    = fcfs.AravindBLRU(shm.Packed, shm.Sequential)
	aravindBLRUAlt = fcfs.AravindBLRUAlt(shm.Packed, shm.Sequential)
)

var aravindBLRUs = []Mutant{
	mutate(aravindBLRU, "aravindblru-no-second-look", "nobody looks at the stages of others", Safety, 2,
		func(n int) shm.Mutex { return &aravindBLRUNoSecondLook{newAravindBLRU(n)} }),
	mutate(aravindBLRU, "aravindblru-no-date", "the exit section takes no date: the lowest process is always first", Starvation, 2,
		func(n int) shm.Mutex { return &aravindBLRUNoDate{newAravindBLRU(n)} }),
	mutate(aravindBLRU, "aravindblru-dates-end", "the dates do not begin again: two processes have the last, and wait for one another", Deadlock, 2,
		func(n int) shm.Mutex { return &aravindBLRUDatesEnd{newAravindBLRU(n)} }),
	mutate(aravindBLRUAlt, "aravindblrualt-stage-kept", "who saw a stage waits with its own set", Deadlock, 2,
		func(n int) shm.Mutex { return &aravindBLRUStageKept{newAravindBLRU(n)} }),
	// Of two nobody need wait, and each time both set their stages.
	mutate(aravindBLRUAlt, "aravindblrualt-no-dates", "who wants to enter waits for stages only, whatever the dates", Deadlock, 2,
		func(n int) shm.Mutex { return &aravindBLRUNoDates{newAravindBLRU(n)} }),
}

// aravindBLRUBase is Aravind's lock of bounded dates in pieces:
//
//	entry section of process i:
//	1   flag[i] := true
//	2   repeat
//	3       stage[i] := false
//	4       for each j but i: wait until flag[j] = false or date[i] < date[j]
//	5       stage[i] := true
//	6   until stage[j] = false for each j but i
//	exit section:
//	8   date[i] := 1 + max(date[0], ..., date[n-1])
//	9   if date[i] = 2n-1 then
//	10      for each j: date[j] := j
//	11  stage[i] := false
//	12  flag[i] := false
type aravindBLRUBase struct {
	flag, stage []atomic.Bool
	date        []atomic.Uint32
}

func newAravindBLRU(n int) aravindBLRUBase {
	l := aravindBLRUBase{make([]atomic.Bool, n), make([]atomic.Bool, n), make([]atomic.Uint32, n)}
	for i := range n {
		l.date[i].Store(uint32(i))
	}
	return l
}

// await is line 4, in the other form if alt.
func (l *aravindBLRUBase) await(i int, alt bool) {
	for j := range l.flag { // 4
		if j != i {
			spin.Until(func() bool {
				return !l.flag[j].Load() || l.date[i].Load() < l.date[j].Load() && !(alt && l.stage[j].Load())
			})
		}
	}
}

func (l *aravindBLRUBase) alone(i int) bool {
	for j := range l.stage { // 6
		if j != i && l.stage[j].Load() {
			return false
		}
	}
	return true
}

func (l *aravindBLRUBase) Lock(i int) {
	l.flag[i].Store(true) // 1
	for {
		l.stage[i].Store(false) // 3
		l.await(i, false)
		l.stage[i].Store(true) // 5
		if l.alone(i) {
			return
		}
		spin.Pause()
	}
}

// take is line 8, and reports whether it took the last date.
func (l *aravindBLRUBase) take(i int) bool {
	last, latest := uint32(2*len(l.date)-1), uint32(0)
	for j := range l.date {
		latest = max(latest, l.date[j].Load()) // 8
	}
	date := min(latest+1, last)
	l.date[i].Store(date) // 8
	return date == last
}

func (l *aravindBLRUBase) leave(i int) {
	l.stage[i].Store(false) // 11
	l.flag[i].Store(false)  // 12
}

func (l *aravindBLRUBase) Unlock(i int) {
	if l.take(i) { // 9
		for j := range l.date {
			l.date[j].Store(uint32(j)) // 10
		}
	}
	l.leave(i)
}

type aravindBLRUNoSecondLook struct{ aravindBLRUBase }

func (l *aravindBLRUNoSecondLook) Lock(i int) {
	l.flag[i].Store(true)   // 1
	l.stage[i].Store(false) // 3
	l.await(i, false)
	l.stage[i].Store(true) // 5
}

type aravindBLRUNoDate struct{ aravindBLRUBase }

func (l *aravindBLRUNoDate) Unlock(i int) { l.leave(i) }

type aravindBLRUDatesEnd struct{ aravindBLRUBase }

func (l *aravindBLRUDatesEnd) Unlock(i int) {
	l.take(i)
	l.leave(i)
}

type aravindBLRUStageKept struct{ aravindBLRUBase }

func (l *aravindBLRUStageKept) Lock(i int) {
	l.flag[i].Store(true)   // 1
	l.stage[i].Store(false) // 3
	for {
		l.await(i, true)
		l.stage[i].Store(true) // 5
		if l.alone(i) {
			return
		}
		spin.Pause()
	}
}

type aravindBLRUNoDates struct{ aravindBLRUBase }

func (l *aravindBLRUNoDates) Lock(i int) {
	l.flag[i].Store(true) // 1
	for {
		l.stage[i].Store(false) // 3
		for j := range l.flag { // 4
			if j != i {
				spin.Until(func() bool { return !l.flag[j].Load() || !l.stage[j].Load() })
			}
		}
		l.stage[i].Store(true) // 5
		if l.alone(i) {
			return
		}
		spin.Pause()
	}
}
