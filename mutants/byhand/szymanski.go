package byhand

import (
	"shmbench/register"
	"shmbench/shm"
	"shmbench/spin"
	"shmbench/szymanski"
)

var (
	szymanskiFlag = szymanski.Flag(shm.Packed, shm.Sequential)
	releasedFlag  = szymanski.Flag(shm.Packed, shm.Released)
	szymanskiBits = szymanski.Bits(shm.Packed, shm.Sequential)
)

var szymanskis = []Mutant{
	mutate(szymanskiFlag, "szymanski-no-first-door", "nobody waits in front of the first door", Safety, 2,
		func(n int) shm.Mutex { return &szymanskiNoFirstDoor{newSzymanski(n)} }),
	mutate(szymanskiFlag, "szymanski-no-room", "nobody waits for those who are still in front of the first door", Safety, 2,
		func(n int) shm.Mutex { return &szymanskiNoRoom{newSzymanski(n)} }),
	mutate(szymanskiFlag, "szymanski-no-numbers", "nobody waits for the lower numbers", Safety, 2,
		func(n int) shm.Mutex { return &szymanskiNoNumbers{newSzymanski(n)} }),
	mutate(szymanskiFlag, "szymanski-door-let-go", "the exit section does not hold the second door open", Safety, 2,
		func(n int) shm.Mutex { return &szymanskiDoorLetGo{newSzymanski(n)} }),
	mutate(szymanskiFlag, "szymanski-never-lowers", "the exit section leaves flag", Deadlock, 2,
		func(n int) shm.Mutex { return &szymanskiNeverLowers{newSzymanski(n)} }),
	release(releasedFlag, "szymanski-first-released", "flag becomes 1 by a released store",
		func(n int) shm.Mutex { return &szymanskiFirstReleased{newSzymanski(n)} }),
	release(releasedFlag, "szymanski-door-released", "flag becomes 3 by a released store",
		func(n int) shm.Mutex { return &szymanskiDoorReleased{newSzymanski(n)} }),
	mutate(szymanskiBits, "szymanski-bits-intent-kept", "who waits in the room keeps intent", Deadlock, 2,
		func(n int) shm.Mutex { return &szymanskiBitsIntentKept{newSzymanskiBits(n)} }),
	mutate(szymanskiBits, "szymanski-bits-intent-lost", "who has waited in the room does not set intent again", Safety, 2,
		func(n int) shm.Mutex { return &szymanskiBitsIntentLost{newSzymanskiBits(n)} }),
}

// szymanskiBase is Szymański's lock in pieces:
//
//	entry section of process i:
//	1  flag[i] := 1
//	2  for all j other than i: wait until flag[j] < 3
//	3  flag[i] := 3
//	4  if flag[j] = 1 for some j other than i then
//	5      flag[i] := 2
//	6      wait until flag[j] = 4 for some j other than i
//	7  flag[i] := 4
//	8  for j := 0 to i-1: wait until flag[j] < 2
//	exit section:
//	9  for j := i+1 to n-1: wait until flag[j] < 2 or flag[j] > 3
//	10 flag[i] := 0
type szymanskiBase struct{ flag []register.Uint32 }

func newSzymanski(n int) szymanskiBase { return szymanskiBase{make([]register.Uint32, n)} }

// any reports whether some other flag has a value.
func (l *szymanskiBase) any(i int, value uint32) bool {
	for j := range l.flag {
		if j != i && l.flag[j].Load() == value { // 4, 6
			return true
		}
	}
	return false
}

func (l *szymanskiBase) firstDoor(i int) {
	for j := range l.flag {
		if j != i {
			spin.Until(func() bool { return l.flag[j].Load() < 3 }) // 2
		}
	}
}

// room is lines 4 to 6.
func (l *szymanskiBase) room(i int) {
	if l.any(i, 1) {
		l.flag[i].Store(2)                             // 5
		spin.Until(func() bool { return l.any(i, 4) }) // 6
	}
}

// lower is line 8.
func (l *szymanskiBase) lower(i int) {
	for j := range i {
		spin.Until(func() bool { return l.flag[j].Load() < 2 }) // 8
	}
}

// higher is line 9.
func (l *szymanskiBase) higher(i int) {
	for j := i + 1; j < len(l.flag); j++ {
		spin.Until(func() bool {
			flag := l.flag[j].Load() // 9
			return flag < 2 || flag > 3
		})
	}
}

func (l *szymanskiBase) Lock(i int) {
	l.flag[i].Store(1) // 1
	l.firstDoor(i)
	l.flag[i].Store(3) // 3
	l.room(i)
	l.flag[i].Store(4) // 7
	l.lower(i)
}

func (l *szymanskiBase) Unlock(i int) {
	l.higher(i)
	l.flag[i].Store(0) // 10
}

type szymanskiNoFirstDoor struct{ szymanskiBase }

func (l *szymanskiNoFirstDoor) Lock(i int) {
	l.flag[i].Store(1) // 1
	l.flag[i].Store(3) // 3
	l.room(i)
	l.flag[i].Store(4) // 7
	l.lower(i)
}

type szymanskiNoRoom struct{ szymanskiBase }

func (l *szymanskiNoRoom) Lock(i int) {
	l.flag[i].Store(1) // 1
	l.firstDoor(i)
	l.flag[i].Store(3) // 3
	l.flag[i].Store(4) // 7
	l.lower(i)
}

type szymanskiNoNumbers struct{ szymanskiBase }

func (l *szymanskiNoNumbers) Lock(i int) {
	l.flag[i].Store(1) // 1
	l.firstDoor(i)
	l.flag[i].Store(3) // 3
	l.room(i)
	l.flag[i].Store(4) // 7
}

type szymanskiDoorLetGo struct{ szymanskiBase }

func (l *szymanskiDoorLetGo) Unlock(i int) {
	l.flag[i].Store(0) // 10
}

type szymanskiNeverLowers struct{ szymanskiBase }

func (l *szymanskiNeverLowers) Unlock(i int) {
	l.higher(i)
}

type szymanskiFirstReleased struct{ szymanskiBase }

func (l *szymanskiFirstReleased) Lock(i int) {
	l.flag[i].StoreRelease(1) // 1
	l.firstDoor(i)
	l.flag[i].Store(3) // 3
	l.room(i)
	l.flag[i].Store(4) // 7
	l.lower(i)
}

type szymanskiDoorReleased struct{ szymanskiBase }

func (l *szymanskiDoorReleased) Lock(i int) {
	l.flag[i].Store(1) // 1
	l.firstDoor(i)
	l.flag[i].StoreRelease(3) // 3
	l.room(i)
	l.flag[i].StoreRelease(4) // 7
	l.lower(i)
}

// szymanskiBitsBase is the lock with bits in pieces:
//
//	entry section of process i:
//	1  intent[i] := true
//	2  for all j other than i: wait until intent[j] = false or doorIn[j] = false
//	3  doorIn[i] := true
//	4  if intent[j] = true and doorIn[j] = false for some j other than i then
//	5      intent[i] := false
//	6      wait until doorOut[j] = true for some j other than i
//	7      intent[i] := true
//	8  doorOut[i] := true
//	9  for j := 0 to i-1: wait until doorIn[j] = false
//	exit section:
//	10 for j := i+1 to n-1: wait until doorIn[j] = false or doorOut[j] = true
//	11 doorOut[i] := false
//	12 intent[i] := false
//	13 doorIn[i] := false
type szymanskiBitsBase struct{ intent, doorIn, doorOut []register.Bool }

func newSzymanskiBits(n int) szymanskiBitsBase {
	return szymanskiBitsBase{make([]register.Bool, n), make([]register.Bool, n), make([]register.Bool, n)}
}

// enter is the entry section, in which down is line 5 and up line 7.
func (l *szymanskiBitsBase) enter(i int, down, up func()) {
	l.intent[i].Store(true) // 1
	for j := range l.intent {
		if j != i {
			spin.Until(func() bool { return !l.intent[j].Load() || !l.doorIn[j].Load() }) // 2
		}
	}
	l.doorIn[i].Store(true) // 3
	if l.anyInFront(i) {
		down()                                       // 5
		spin.Until(func() bool { return l.open(i) }) // 6
		up()                                         // 7
	}
	l.doorOut[i].Store(true) // 8
	for j := range i {
		spin.Until(func() bool { return !l.doorIn[j].Load() }) // 9
	}
}

// anyInFront is line 4.
func (l *szymanskiBitsBase) anyInFront(i int) bool {
	for j := range l.intent {
		if j != i && l.intent[j].Load() && !l.doorIn[j].Load() { // 4
			return true
		}
	}
	return false
}

// open is line 6.
func (l *szymanskiBitsBase) open(i int) bool {
	for j := range l.intent {
		if j != i && l.doorOut[j].Load() { // 6
			return true
		}
	}
	return false
}

// higher is line 10.
func (l *szymanskiBitsBase) higher(i int) {
	for j := i + 1; j < len(l.intent); j++ {
		spin.Until(func() bool { return !l.doorIn[j].Load() || l.doorOut[j].Load() }) // 10
	}
}

func (l *szymanskiBitsBase) Unlock(i int) {
	l.higher(i)
	l.doorOut[i].Store(false) // 11
	l.intent[i].Store(false)  // 12
	l.doorIn[i].Store(false)  // 13
}

type szymanskiBitsIntentKept struct{ szymanskiBitsBase }

func (l *szymanskiBitsIntentKept) Lock(i int) { l.enter(i, func() {}, func() {}) }

type szymanskiBitsIntentLost struct{ szymanskiBitsBase }

func (l *szymanskiBitsIntentLost) Lock(i int) {
	l.enter(i, func() { l.intent[i].Store(false) }, func() {})
}
