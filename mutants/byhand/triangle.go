package byhand

import (
	"shmbench/fast"
	"shmbench/register"
	"shmbench/shm"
	"shmbench/spin"
)

var (
	triangle         = fast.Triangle(shm.Packed, shm.Sequential)
	releasedTriangle = fast.Triangle(shm.Packed, shm.Released)
)

var triangles = []Mutant{
	mutate(triangle, "triangle-exit-reversed", "the exit section lowers b before it frees y, which by then is that of who waited for b", Safety, 2,
		func(n int) shm.Mutex { return &triangleExitReversed{newTriangle(n, 0)} }),
	mutate(triangle, "triangle-no-await", "who finds x changed does not wait for b, and so looks at y while another is still before writing it", Safety, 2,
		func(n int) shm.Mutex { return newTriangle(n, 18) }),
	mutate(triangle, "triangle-b-kept", "who finds y taken the second time goes to the slow lock with b up, for which others wait", Deadlock, 2,
		func(n int) shm.Mutex { return newTriangle(n, 14) }),
	mutate(triangle, "triangle-b-up", "who finds x changed waits for all b with its own up", Deadlock, 2,
		func(n int) shm.Mutex { return newTriangle(n, 17) }),
	mutate(triangle, "triangle-y-kept", "the exit section does not free y, so that all that come later go to the slow lock, and wait for nothing else", Equivalent, 2,
		func(n int) shm.Mutex { return newTriangle(n, 8) }),
	release(releasedTriangle, "triangle-x-released", "x is written by a released store, and y read before it shows",
		func(n int) shm.Mutex { return newTriangle(n, 12) }),
	release(releasedTriangle, "triangle-y-released", "y is written by a released store, and x read before it shows",
		func(n int) shm.Mutex { return newTriangle(n, 15) }),
}

// triangleBase is Triangle, and one of its lines is not as it should be:
//
//	entry section of process i:
//	1   a := 0; if not FAST(i): a := 1
//	2   if a = 0 then enter join as process 0
//	3   else enter slow as process i
//	4       enter join as process 1
//	exit section of process i:
//	5   if a = 1 then leave join as process 1
//	6       leave slow
//	7   else leave join as process 0
//	8       y := 0                         (wrong: left out)
//	9       b[i] := false
//	FAST(i):
//	10  if y is not 0 then return false
//	11  b[i] := true
//	12  x := i                             (wrong: released)
//	13  if y is not 0 then
//	14      b[i] := false; return false    (wrong: b is not written)
//	15  y := i                             (wrong: released)
//	16  if x = i then return true
//	17  b[i] := false                      (wrong: left out)
//	18  for k := 0 to n-1, while y = i:    (wrong: left out, with 19)
//	19      wait until y is not i or not b[k]
//	20  return whether y = i
type triangleBase struct {
	wrong int // the line, 0 for none
	f     [1]trianglePath
	join  petersonNode
	slow  tournamentBase
	a     []int
}

// trianglePath is the fast path.
type trianglePath struct {
	b    []register.Bool
	x, y register.Uint32
}

func newTriangle(n, wrong int) *triangleBase {
	l := &triangleBase{wrong: wrong, slow: newTournament(n), a: make([]int, n)}
	l.f[0].b = make([]register.Bool, n)
	return l
}

func (l *triangleBase) Lock(i int) {
	if l.enter(i) { // 1
		l.join.Lock(0) // 2
		l.a[i] = 0
	} else {
		l.slow.Lock(i) // 3
		l.join.Lock(1) // 4
		l.a[i] = 1
	}
}

func (l *triangleBase) Unlock(i int) {
	if l.leave(i) { // 5 to 7
		if l.wrong != 8 {
			l.f[0].y.Store(0) // 8
		}
		l.f[0].b[i].Store(false) // 9
	}
}

// leave is lines 5 to 7, and reports whether process i came by the fast path.
func (l *triangleBase) leave(i int) bool {
	if l.a[i] == 0 {
		l.join.Unlock(0) // 7
		return true
	}
	l.join.Unlock(1) // 5
	l.slow.Unlock(i) // 6
	return false
}

func (l *triangleBase) enter(i int) bool {
	f, me := &l.f[0], uint32(i+1)
	if f.y.Load() != 0 { // 10
		return false
	}
	f.b[i].Store(true)                    // 11
	f.x.StoreReleaseIf(l.wrong == 12, me) // 12
	if f.y.Load() != 0 {                  // 13
		if l.wrong != 14 {
			f.b[i].Store(false) // 14
		}
		return false
	}
	f.y.StoreReleaseIf(l.wrong == 15, me) // 15
	if f.x.Load() == me {                 // 16
		return true
	}
	if l.wrong != 17 {
		f.b[i].Store(false) // 17
	}
	for k := 0; k < len(f.b) && l.wrong != 18 && f.y.Load() == me; k++ { // 18
		spin.Until(func() bool { return f.y.Load() != me || !f.b[k].Load() }) // 19
	}
	return f.y.Load() == me // 20
}

type triangleExitReversed struct{ *triangleBase }

func (l *triangleExitReversed) Unlock(i int) {
	if l.leave(i) { // 5 to 7
		l.f[0].b[i].Store(false) // 9
		l.f[0].y.Store(0)        // 8
	}
}
