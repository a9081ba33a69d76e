package byhand

import (
	"shmbench/peterson"
	"shmbench/register"
	"shmbench/shm"
	"shmbench/spin"
)

var (
	releasedAsymmetric = peterson.Asymmetric(shm.Packed, shm.Released)
	releasedPriority   = peterson.Priority(shm.Packed, shm.Released)
)

// released are locks of two processes with a release too many: a store that
// stands before a look at the other process, and has no fence. Both processes
// look before either store is in memory.
var released = []Mutant{
	release(releasedDekker, "dekker-flag-released", "the first store to flag is released",
		func(int) shm.Mutex { return &dekkerFlagReleased{dekkerBase{released: true}} }),
	release(releasedDekker, "dekker-again-released", "the store that sets flag again is released",
		func(int) shm.Mutex { return &dekkerAgainReleased{dekkerBase{released: true}} }),
	release(releasedAsymmetric, "asymmetric-first-released", "process 0 sets want by a released store",
		func(int) shm.Mutex { return new(asymmetricFirstReleased) }),
	release(releasedAsymmetric, "asymmetric-second-released", "process 1 sets want by a released store",
		func(int) shm.Mutex { return new(asymmetricSecondReleased) }),
	release(releasedPriority, "priority-want-released", "want is set by a released store",
		func(int) shm.Mutex { return new(priorityWantReleased) }),
}

// release returns the card of a mutant with a release too many.
func release(correct shm.Algorithm, name, broken string, lock func(n int) shm.Mutex) Mutant {
	m := mutate(correct, name, broken, Safety, 2, lock)
	if !register.Unfenced {
		return m.outOfReach("a released store has its fence in this program")
	}
	return m
}

type dekkerFlagReleased struct{ dekkerBase }

func (l *dekkerFlagReleased) Lock(i int) {
	l.flag[i].StoreRelease(true)                   // 1
	l.contend(i, func() { l.flag[i].Store(true) }) // 6
}

type dekkerAgainReleased struct{ dekkerBase }

func (l *dekkerAgainReleased) Lock(i int) {
	l.flag[i].Store(true)                                 // 1
	l.contend(i, func() { l.flag[i].StoreRelease(true) }) // 6
}

// asymmetricReleased is the lock in which process 0 is always first, its lines
// as in asymmetricBase.
type asymmetricReleased struct{ want [2]register.Bool }

// first is the rest of the entry section of process 0.
func (l *asymmetricReleased) first() {
	spin.Until(func() bool { return !l.want[1].Load() }) // 6
}

// second is the entry section of process 1, in which set is line 3.
func (l *asymmetricReleased) second(set func()) {
	for {
		l.want[1].StoreRelease(false)                        // 1
		spin.Until(func() bool { return !l.want[0].Load() }) // 2
		set()                                                // 3
		if !l.want[0].Load() {                               // 5
			return
		}
		spin.Pause()
	}
}

func (l *asymmetricReleased) Unlock(i int) {
	l.want[i].StoreRelease(false) // 8
}

type asymmetricFirstReleased struct{ asymmetricReleased }

func (l *asymmetricFirstReleased) Lock(i int) {
	if i == 1 {
		l.second(func() { l.want[1].Store(true) }) // 3
		return
	}
	l.want[0].StoreRelease(true) // 3
	l.first()
}

type asymmetricSecondReleased struct{ asymmetricReleased }

func (l *asymmetricSecondReleased) Lock(i int) {
	if i == 1 {
		l.second(func() { l.want[1].StoreRelease(true) }) // 3
		return
	}
	l.want[0].Store(true) // 3
	l.first()
}

// priorityWantReleased has its lines as in priorityBase.
type priorityWantReleased struct {
	want     [2]register.Bool
	priority register.Uint32
}

func (l *priorityWantReleased) Lock(i int) {
	other := 1 - i
	for {
		l.want[i].StoreRelease(false)                                                              // 1
		spin.Until(func() bool { return !l.want[other].Load() || l.priority.Load() == uint32(i) }) // 2
		l.want[i].StoreRelease(true)                                                               // 3
		if l.priority.Load() != uint32(other) {                                                    // 4
			spin.Until(func() bool { return !l.want[other].Load() }) // 6
			return
		}
		if !l.want[other].Load() { // 5
			return
		}
		spin.Pause()
	}
}

func (l *priorityWantReleased) Unlock(i int) {
	l.priority.StoreRelease(uint32(1 - i)) // 7
	l.want[i].StoreRelease(false)          // 8
}
