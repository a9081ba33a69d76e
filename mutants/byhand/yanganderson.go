package byhand

import (
	"shmbench/fast"
	"shmbench/register"
	"shmbench/shm"
)

var (
	yangAnderson         = fast.YangAnderson(shm.Packed, shm.Sequential)
	releasedYangAnderson = fast.YangAnderson(shm.Packed, shm.Released)
)

var yangAndersons = []Mutant{
	mutate(yangAnderson, "yanganderson-no-z", "nobody looks at z, so that who sets b after it was read goes on although y is about to be freed", Safety, 2,
		func(n int) shm.Mutex { return newYangAnderson(n, 6) }),
	mutate(yangAnderson, "yanganderson-no-y", "nobody looks at y again, which may have been freed before b was set", Safety, 2,
		func(n int) shm.Mutex { return newYangAnderson(n, 7) }),
	mutate(yangAnderson, "yanganderson-no-scan", "a slow process frees y without a look at b, while another is on the fast way", Safety, 2,
		func(n int) shm.Mutex { return newYangAnderson(n, 16) }),
	mutate(yangAnderson, "yanganderson-y-early", "the exit section of the fast way frees y before it leaves join, of which the next then takes the same side", Safety, 2,
		func(n int) shm.Mutex { return newYangAnderson(n, 11) }).
		outOfReach("the process must stop between two writes of its exit section for as long as another takes to its critical section"),
	release(releasedYangAnderson, "yanganderson-x-released", "x is written by a released store, and y read before it shows",
		func(n int) shm.Mutex { return newYangAnderson(n, 1) }),
	release(releasedYangAnderson, "yanganderson-b-released", "b is set by a released store, and z and y are read before it shows",
		func(n int) shm.Mutex { return newYangAnderson(n, 5) }),
	release(releasedYangAnderson, "yanganderson-z-released", "z is set by a released store, and b read before it shows",
		func(n int) shm.Mutex { return newYangAnderson(n, 15) }),
}

// yangAndersonMutant is Yang and Anderson's fast path, and one of its lines is not as
// it should be:
//
//	entry section of process i:
//	1  x := i                               (wrong: released)
//	2  if y is not 0 then go to SLOW
//	3  y := i
//	4  if x is not i then go to SLOW
//	5  b[i] := true                         (wrong: released)
//	6  if z then go to SLOW                 (wrong: left out)
//	7  if y is not i then go to SLOW        (wrong: left out)
//	8  enter join as process 1
//	SLOW:
//	9  enter slow as process i; enter join as process 0
//	exit section of process i, by the way it came:
//	10 leave join as process 1
//	11 y := 0                               (wrong: before 10)
//	12 b[i] := false
//	SLOW:
//	13 b[i] := false
//	14 if x = i then
//	15     z := true                        (wrong: released)
//	16     flag := no b[k] is up            (wrong: true)
//	17     if flag then y := 0
//	18     z := false
//	19 leave join as process 0; leave slow as process i
type yangAndersonMutant struct {
	wrong int // the line
	x, y  register.Uint32
	z     register.Bool
	b     []register.Bool
	join  petersonNode
	slow  tournamentBase
	fast  []bool
}

func newYangAnderson(n, wrong int) *yangAndersonMutant {
	return &yangAndersonMutant{wrong: wrong, b: make([]register.Bool, n), slow: newTournament(n), fast: make([]bool, n)}
}

func (l *yangAndersonMutant) Lock(i int) {
	fast := l.enter(i)
	if fast {
		l.join.Lock(1) // 8
	} else {
		l.slow.Lock(i) // 9
		l.join.Lock(0) // 9
	}
	l.fast[i] = fast
}

// enter is lines 1 to 7.
func (l *yangAndersonMutant) enter(i int) bool {
	me := uint32(i + 1)
	l.x.StoreReleaseIf(l.wrong == 1, me) // 1
	if l.y.Load() != 0 {                 // 2
		return false
	}
	l.y.Store(me)         // 3
	if l.x.Load() != me { // 4
		return false
	}
	l.b[i].StoreReleaseIf(l.wrong == 5, true) // 5
	if l.wrong != 6 && l.z.Load() {           // 6
		return false
	}
	return l.wrong == 7 || l.y.Load() == me // 7
}

func (l *yangAndersonMutant) Unlock(i int) {
	if l.fast[i] {
		if l.wrong == 11 {
			l.y.Store(0) // 11
		}
		l.join.Unlock(1) // 10
		if l.wrong != 11 {
			l.y.Store(0) // 11
		}
		l.b[i].Store(false) // 12
		return
	}
	l.b[i].Store(false)            // 13
	if l.x.Load() == uint32(i+1) { // 14
		l.z.StoreReleaseIf(l.wrong == 15, true) // 15
		if l.wrong == 16 || l.nobody() {        // 16
			l.y.Store(0) // 17
		}
		l.z.Store(false) // 18
	}
	l.join.Unlock(0) // 19
	l.slow.Unlock(i) // 19
}

// nobody is line 16.
func (l *yangAndersonMutant) nobody() bool {
	flag := true
	for k := range l.b {
		if l.b[k].Load() {
			flag = false
		}
	}
	return flag
}
