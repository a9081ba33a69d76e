package byhand

import (
	"sync/atomic"

	"shmbench/burns"
	"shmbench/shm"
	"shmbench/spin"
)

var (
	oneBit1986   = burns.OneBit(shm.Packed, shm.Sequential)
	threeBit1986 = burns.ThreeBit(shm.Packed, shm.Sequential)
)

var lamport1986 = []Mutant{
	mutate(oneBit1986, "onebit-forgets", "who has waited for a lower process goes on without setting its bit again", Safety, 2,
		func(n int) shm.Mutex { return &oneBitForgets{newLamportOneBit(n)} }),
	mutate(oneBit1986, "onebit-keeps-bit", "who finds a lower process waits for it without taking its bit back", Deadlock, 2,
		func(n int) shm.Mutex { return &oneBitKeepsBit{newLamportOneBit(n)} }),

	mutate(threeBit1986, "threebit-no-second-look", "whoever is first does not wait for the x of those behind it", Safety, 2,
		func(n int) shm.Mutex { return &threeBitNoSecondLook{newThreeBit(n)} }),
	mutate(threeBit1986, "threebit-keeps-z", "the exit section leaves z", Starvation, 2,
		func(n int) shm.Mutex { return &threeBitKeepsZ{newThreeBit(n)} }),
	mutate(threeBit1986, "threebit-keeps-x", "whoever stands behind another leaves x set", Deadlock, 2,
		func(n int) shm.Mutex { return &threeBitKeepsX{newThreeBit(n)} }),
	mutate(threeBit1986, "threebit-from-the-lowest", "the ring always begins with the lowest process", Starvation, 2,
		func(n int) shm.Mutex { return &threeBitFromTheLowest{newThreeBit(n)} }),
}

// lamportOneBit is Lamport's one-bit lock in pieces:
//
//	entry section of process i:
//	1  x[i] := true
//	2  for j := 0 to i-1: if x[j] then
//	3      x[i] := false
//	4      wait until x[j] = false; goto 1
//	5  for j := i+1 to n-1: wait until x[j] = false
//	exit section:
//	6  x[i] := false
type lamportOneBit struct{ x []atomic.Bool }

func newLamportOneBit(n int) lamportOneBit { return lamportOneBit{make([]atomic.Bool, n)} }

// await is line 4, or one round of line 5.
func (l *lamportOneBit) await(j int) {
	spin.Until(func() bool { return !l.x[j].Load() })
}

// higher is line 5.
func (l *lamportOneBit) higher(i int) {
	for j := i + 1; j < len(l.x); j++ {
		l.await(j)
	}
}

func (l *lamportOneBit) Unlock(i int) {
	l.x[i].Store(false) // 6
}

type oneBitForgets struct{ lamportOneBit }

func (l *oneBitForgets) Lock(i int) {
	l.x[i].Store(true) // 1
	for j := range i { // 2
		if l.x[j].Load() {
			l.x[i].Store(false) // 3
			l.await(j)          // 4
		}
	}
	l.higher(i) // 5
}

type oneBitKeepsBit struct{ lamportOneBit }

func (l *oneBitKeepsBit) Lock(i int) {
	l.x[i].Store(true) // 1
	for j := range i { // 2
		l.await(j) // 4
	}
	l.higher(i) // 5
}

// threeBitBase is Lamport's three-bit lock in pieces:
//
//	entry section of process i:
//	1  y[i] := true
//	2  x[i] := true
//	3  f := the first of those that have y set
//	4  for j := f, f+1, ..., round to i-1: if y[j] then
//	5      if x[i] then x[i] := false
//	       goto 3
//	6  if not x[i] then goto 2
//	7  for j := i+1, i+2, ..., round to f-1: if x[j] then goto 3
//	exit section:
//	8  z[i] := not z[i]
//	9  x[i] := false
//	10 y[i] := false
type threeBitBase struct{ x, y, z []atomic.Bool }

func newThreeBit(n int) *threeBitBase {
	return &threeBitBase{make([]atomic.Bool, n), make([]atomic.Bool, n), make([]atomic.Bool, n)}
}

// enter is lines 1 to 7, with other lines 3, 5 and 7.
func (l *threeBitBase) enter(i int, first func() int, back func(), none func(f int) bool) {
	l.y[i].Store(true) // 1
	l.x[i].Store(true) // 2
	for ; ; spin.Pause() {
		f := first() // 3
		j := f
		for j != i && !l.y[j].Load() { // 4
			j = (j + 1) % len(l.x)
		}
		switch {
		case j != i:
			back() // 5
		case !l.x[i].Load(): // 6
			l.x[i].Store(true) // 2
		case none(f): // 7
			return
		}
	}
}

// first is line 3.
func (l *threeBitBase) first() int {
	lowest, change := -1, -1
	var atLowest, before bool
	for j := range l.y {
		if !l.y[j].Load() {
			continue
		}
		z := l.z[j].Load()
		if lowest < 0 {
			lowest, atLowest = j, z
		} else if change < 0 && z != before {
			change = j
		}
		before = z
	}
	if atLowest == before {
		return lowest
	}
	return change
}

// back is line 5.
func (l *threeBitBase) back(i int) {
	if l.x[i].Load() {
		l.x[i].Store(false)
	}
}

// none is line 7.
func (l *threeBitBase) none(i, f int) bool {
	for j := (i + 1) % len(l.x); j != f; j = (j + 1) % len(l.x) {
		if l.x[j].Load() {
			return false
		}
	}
	return true
}

func (l *threeBitBase) Lock(i int) {
	l.enter(i, l.first, func() { l.back(i) }, func(f int) bool { return l.none(i, f) })
}

func (l *threeBitBase) Unlock(i int) {
	l.z[i].Store(!l.z[i].Load()) // 8
	l.x[i].Store(false)          // 9
	l.y[i].Store(false)          // 10
}

type threeBitNoSecondLook struct{ *threeBitBase }

func (l *threeBitNoSecondLook) Lock(i int) {
	l.enter(i, l.first, func() { l.back(i) }, func(int) bool { return true })
}

type threeBitKeepsZ struct{ *threeBitBase }

func (l *threeBitKeepsZ) Unlock(i int) {
	l.x[i].Store(false) // 9
	l.y[i].Store(false) // 10
}

type threeBitKeepsX struct{ *threeBitBase }

func (l *threeBitKeepsX) Lock(i int) {
	l.enter(i, l.first, func() {}, func(f int) bool { return l.none(i, f) })
}

type threeBitFromTheLowest struct{ *threeBitBase }

func (l *threeBitFromTheLowest) Lock(i int) {
	l.enter(i, func() int { return 0 }, func() { l.back(i) }, func(f int) bool { return l.none(i, f) })
}
