package byhand

import (
	"shmbench/register"
	"shmbench/shm"
	"shmbench/spin"
	"shmbench/szymanski"
)

var szymanskiMended = szymanski.Mended(shm.Packed, shm.Sequential)

var mendeds = []Mutant{
	mutate(szymanskiMended, "mended-w-first", "the second door is looked at with w before s", Safety, 3,
		func(n int) shm.Mutex { return &mendedWFirst{newMended(n)} }).
		outOfReach("the shortest execution is of three processes and 40 accesses, in an order that is rare"),
	mutate(szymanskiMended, "mended-straight-on", "who finds the second door open does not wait for those still inside", Safety, 3,
		func(n int) shm.Mutex { return &mendedStraightOn{newMended(n)} }).
		outOfReach("the shortest execution is of three processes and 34 accesses, in an order that is rare"),
	mutate(szymanskiMended, "mended-one-look", "nobody looks again at those in front of the first door", Safety, 2,
		func(n int) shm.Mutex { return &mendedOneLook{newMended(n)} }),
	mutate(szymanskiMended, "mended-keeps-s", "the exit section leaves s", Deadlock, 2,
		func(n int) shm.Mutex { return &mendedKeepsS{newMended(n)} }),
}

// mendedBase is the mended lock in pieces:
//
//	entry section of process i:
//	1  a[i] := true
//	2  for all j other than i: wait until s[j] = false
//	3  w[i] := true
//	4  a[i] := false
//	5  if a[j] = true for some j other than i then go to 9
//	6  s[i] := true
//	7  if a[j] = false for all j other than i then go to 11
//	8  s[i] := false
//	9  if there is no j other than i with s[j] = true and then w[j] = false then go to 5
//	10 s[i] := true
//	11 w[i] := false
//	12 for all j other than i: wait until w[j] = false
//	13 for j := 0 to i-1: wait until s[j] = false
//	exit section:
//	14 s[i] := false
type mendedBase struct{ a, w, s []register.Bool }

func newMended(n int) mendedBase {
	return mendedBase{make([]register.Bool, n), make([]register.Bool, n), make([]register.Bool, n)}
}

// any reports whether a condition holds of some other process.
func (l *mendedBase) any(i int, is func(j int) bool) bool {
	for j := range l.a {
		if j != i && is(j) {
			return true
		}
	}
	return false
}

func (l *mendedBase) inFront(j int) bool { return l.a[j].Load() }                   // 5, 7
func (l *mendedBase) through(j int) bool { return l.s[j].Load() && !l.w[j].Load() } // 9

// await is lines 2, 12 and 13.
func (l *mendedBase) await(i, up int, bits []register.Bool) {
	for j := range up {
		if j != i {
			spin.Until(func() bool { return !bits[j].Load() }) // 2, 12, 13
		}
	}
}

// come is lines 1 to 4.
func (l *mendedBase) come(i int) {
	l.a[i].Store(true) // 1
	l.await(i, len(l.s), l.s)
	l.w[i].Store(true)  // 3
	l.a[i].Store(false) // 4
}

// room is lines 5 to 10, and reports whether the process has opened the second door.
func (l *mendedBase) room(i int, open func(j int) bool) bool {
	for {
		if !l.any(i, l.inFront) {
			l.s[i].Store(true) // 6
			if !l.any(i, l.inFront) {
				return true
			}
			l.s[i].Store(false) // 8
		}
		if l.any(i, open) {
			l.s[i].Store(true) // 10
			return false
		}
		spin.Pause()
	}
}

func (l *mendedBase) Lock(i int) {
	l.come(i)
	l.room(i, l.through)
	l.w[i].Store(false) // 11
	l.await(i, len(l.w), l.w)
	l.await(i, i, l.s)
}

func (l *mendedBase) Unlock(i int) {
	l.s[i].Store(false) // 14
}

type mendedWFirst struct{ mendedBase }

func (l *mendedWFirst) Lock(i int) {
	l.come(i)
	l.room(i, func(j int) bool { return !l.w[j].Load() && l.s[j].Load() }) // 9
	l.w[i].Store(false)                                                    // 11
	l.await(i, len(l.w), l.w)
	l.await(i, i, l.s)
}

type mendedStraightOn struct{ mendedBase }

func (l *mendedStraightOn) Lock(i int) {
	l.come(i)
	opened := l.room(i, l.through)
	l.w[i].Store(false) // 11
	if opened {
		l.await(i, len(l.w), l.w)
	}
	l.await(i, i, l.s)
}

type mendedOneLook struct{ mendedBase }

func (l *mendedOneLook) Lock(i int) {
	l.come(i)
	for {
		if !l.any(i, l.inFront) || l.any(i, l.through) {
			break
		}
		spin.Pause()
	}
	l.s[i].Store(true)  // 6, 10
	l.w[i].Store(false) // 11
	l.await(i, len(l.w), l.w)
	l.await(i, i, l.s)
}

type mendedKeepsS struct{ mendedBase }

func (l *mendedKeepsS) Unlock(int) {}
