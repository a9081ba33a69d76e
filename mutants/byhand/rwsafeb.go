package byhand

import (
	"shmbench/dekker"
	"shmbench/shm"
	"shmbench/spin"
)

var rwSafeB = dekker.RWSafeB(shm.Packed, shm.Sequential)

var rwSafeBs = []Mutant{
	// The other may be inside: its bit is down only when it has left.
	mutate(rwSafeB, "rwsafeb-goes-ahead", "who was not in last enters though the other's bit is up", Safety, 2,
		func(int) shm.Mutex { return new(rwSafeBGoesAhead) }),
	// Then each waits for the other to have been in.
	mutate(rwSafeB, "rwsafeb-other-way", "who was not in last gives way, and waits for the other to have been in", Deadlock, 2,
		func(int) shm.Mutex { return new(rwSafeBOtherWay) }),
}

// rwSafeBBase is the second form of the RW-safe lock, with the lines of rwSafeBase but
//
//	4          go on with 2
type rwSafeBBase struct{ rwSafeBase }

type rwSafeBGoesAhead struct{ rwSafeBBase }

func (l *rwSafeBGoesAhead) Lock(i int) {
	l.cc[i].Store(true)                                  // 1
	for l.cc[1-i].Load() && l.last.Load() == uint32(i) { // 2, 3
		l.cc[i].Store(false) // 5
		l.await(i)           // 6
		l.cc[i].Store(true)  // 7
	}
}

type rwSafeBOtherWay struct{ rwSafeBBase }

func (l *rwSafeBOtherWay) Lock(i int) {
	l.cc[i].Store(true)    // 1
	for l.cc[1-i].Load() { // 2
		if l.last.Load() == uint32(i) { // 3
			spin.Pause()
			continue
		}
		l.cc[i].Store(false)                                          // 5
		spin.Until(func() bool { return l.last.Load() == uint32(i) }) // 6
		l.cc[i].Store(true)                                           // 7
	}
}
