package byhand

import (
	"shmbench/shm"
	"shmbench/spin"
	"shmbench/tas"
)

var tries = []Mutant{
	mutate(tas.TAS(shm.Sequential), "tastry-load-store", "a try that has seen the bit clear writes it without another test", Safety, 2,
		func(int) shm.Mutex { return new(tasTryLoadStore) }),
	mutate(tas.TTAS(shm.Sequential), "ttas-until-keeps", "who gives up sets the bit", Deadlock, 2,
		func(int) shm.Mutex { return new(ttasUntilKeeps) }),
}

// tasTryBase is test-and-set with a try, with the labels of tas.TASMutex.
type tasTryBase struct{ tasBase }

func (l *tasTryBase) TryLock(int) bool {
	return !l.busy.Swap(true) // 3
}

type tasTryLoadStore struct{ tasTryBase }

func (l *tasTryLoadStore) TryLock(int) bool {
	if l.busy.Load() {
		return false
	}
	l.busy.Store(true)
	return true
}

type ttasUntilKeeps struct{ tasTryBase }

func (l *ttasUntilKeeps) LockUntil(_ int, giveUp func() bool) bool {
	for l.busy.Swap(true) {
		if giveUp() {
			spin.Until(func() bool { return !l.busy.Swap(true) })
			return false
		}
		spin.Pause()
	}
	return true
}
