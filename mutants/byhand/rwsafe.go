package byhand

import (
	"shmbench/dekker"
	"shmbench/register"
	"shmbench/shm"
	"shmbench/spin"
)

var (
	rwSafe         = dekker.RWSafe(shm.Packed, shm.Sequential)
	releasedRWSafe = dekker.RWSafe(shm.Packed, shm.Released)
)

// rwSafes are broken forms of the RW-safe lock. Of the two that are equivalent, one
// can deadlock on regular registers, and in the other a process can starve on safe
// ones: that is what they lack lines of the lock for.
var rwSafes = []Mutant{
	mutate(rwSafe, "rwsafe-looks-once", "who has come forward again enters without another look at the other's bit", Safety, 2,
		func(int) shm.Mutex { return new(rwSafeLooksOnce) }),
	mutate(rwSafe, "rwsafe-keeps-bit", "who was in last waits for the other with its own bit up", Deadlock, 2,
		func(int) shm.Mutex { return new(rwSafeKeepsBit) }),
	mutate(rwSafe, "rwsafe-last-kept", "nobody writes that it was in last, so that process 0 gives way for ever", Starvation, 2,
		func(int) shm.Mutex { return new(rwSafeLastKept) }),
	mutate(rwSafe, "rwsafe-last-rewritten", "last is written where it would not change", Equivalent, 2,
		func(int) shm.Mutex { return new(rwSafeLastRewritten) }),
	mutate(rwSafe, "rwsafe-one-way-out", "who has given way waits for last alone", Equivalent, 2,
		func(int) shm.Mutex { return new(rwSafeOneWayOut) }),
	release(releasedRWSafe, "rwsafe-again-released", "the store with which a process comes forward again is released",
		func(int) shm.Mutex { return new(rwSafeAgainReleased) }),
}

// rwSafeBase is the RW-safe lock in pieces:
//
//	entry section of process i:
//	1  cc[i] := true
//	2  while cc[1-i]:
//	3      if last != i then
//	4          wait until not cc[1-i], and enter
//	       else
//	5          cc[i] := false
//	6          wait until last != i or not cc[1-i]
//	7          cc[i] := true
//	exit section:
//	8  if last != i then
//	9      last := i
//	10 cc[i] := false
type rwSafeBase struct {
	cc   [2]register.Bool
	last register.Uint32
}

// alone is lines 2 to 4: it reports whether the process is in, and not whether it
// must give way.
func (l *rwSafeBase) alone(i int) bool {
	if !l.cc[1-i].Load() { // 2
		return true
	}
	if l.last.Load() == uint32(i) { // 3
		return false
	}
	spin.Until(func() bool { return !l.cc[1-i].Load() }) // 4
	return true
}

// await is line 6.
func (l *rwSafeBase) await(i int) {
	spin.Until(func() bool { return l.last.Load() != uint32(i) || !l.cc[1-i].Load() })
}

func (l *rwSafeBase) Lock(i int) {
	l.cc[i].Store(true) // 1
	for !l.alone(i) {   // 2-4
		l.cc[i].Store(false) // 5
		l.await(i)           // 6
		l.cc[i].Store(true)  // 7
	}
}

func (l *rwSafeBase) Unlock(i int) {
	if l.last.Load() != uint32(i) { // 8
		l.last.Store(uint32(i)) // 9
	}
	l.cc[i].Store(false) // 10
}

type rwSafeLooksOnce struct{ rwSafeBase }

func (l *rwSafeLooksOnce) Lock(i int) {
	l.cc[i].Store(true) // 1
	if !l.alone(i) {    // 2-4
		l.cc[i].Store(false) // 5
		l.await(i)           // 6
		l.cc[i].Store(true)  // 7
	}
}

type rwSafeKeepsBit struct{ rwSafeBase }

func (l *rwSafeKeepsBit) Lock(i int) {
	l.cc[i].Store(true) // 1
	for !l.alone(i) {   // 2-4
		l.await(i) // 6
	}
}

type rwSafeLastKept struct{ rwSafeBase }

func (l *rwSafeLastKept) Unlock(i int) {
	l.cc[i].Store(false) // 10
}

type rwSafeLastRewritten struct{ rwSafeBase }

func (l *rwSafeLastRewritten) Unlock(i int) {
	l.last.Store(uint32(i)) // 9
	l.cc[i].Store(false)    // 10
}

type rwSafeOneWayOut struct{ rwSafeBase }

func (l *rwSafeOneWayOut) Lock(i int) {
	l.cc[i].Store(true) // 1
	for !l.alone(i) {   // 2-4
		l.cc[i].Store(false)                                          // 5
		spin.Until(func() bool { return l.last.Load() != uint32(i) }) // 6
		l.cc[i].Store(true)                                           // 7
	}
}

type rwSafeAgainReleased struct{ rwSafeBase }

func (l *rwSafeAgainReleased) Lock(i int) {
	l.cc[i].Store(true) // 1
	for !l.alone(i) {   // 2-4
		l.cc[i].Store(false)       // 5
		l.await(i)                 // 6
		l.cc[i].StoreRelease(true) // 7
	}
}
