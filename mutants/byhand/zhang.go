package byhand

import (
	"math/bits"

	"shmbench/register"
	"shmbench/shm"
	"shmbench/spin"
	"shmbench/tournament"
)

var (
	zhang         = tournament.Zhang(shm.Packed, shm.Sequential)
	releasedZhang = tournament.Zhang(shm.Packed, shm.Released)
)

var zhangs = []Mutant{
	// The rival's 0 may come before, and is lost.
	mutate(zhang, "zhang-closes-late", "the left side sets its bit after it has looked for a rival", Deadlock, 2,
		func(n int) shm.Mutex { return &zhangClosesLate{newZhang(n)} }).
		outOfReach("a rival that comes back writes another 0, so that all stands still only when none does; a run meets that by luck"),
	// What lets the right side go may be the left side's greeting.
	mutate(zhang, "zhang-looks-once", "the right side enters when it is let go, without another look", Safety, 2,
		func(n int) shm.Mutex { return &zhangLooksOnce{newZhang(n)} }),
	// It is the fence before the right side's look.
	release(releasedZhang, "zhang-x-released", "x is written by a released store, and the right side looks before it can be seen",
		func(n int) shm.Mutex { return &zhangXReleased{newZhang(n)} }).
		outOfReach("the right side's store must stay in its buffer for as long as the left side takes to two stores with fences and a look; a run meets that by luck"),
}

// zhangBase is Zhang, Yan and Castañeda's two-ary tree in pieces:
//
//	entry section of process i, for each node from its leaf up to the root, v being the
//	child that it comes from, s the level:
//	1  x[v] := i
//	   if v is a left child then
//	2      c[s][i] := 1
//	3      rival := x[right sibling]
//	       if rival is not nobody then
//	4          c[s][rival] := 0
//	5          wait until c[s][i] = 0
//	   else for ever:
//	6      rival := x[left sibling]; if rival is nobody then leave the loop
//	7      c[s][rival] := 0
//	8      wait until c[s][i] = 0
//	9      c[s][i] := 1
//	exit section, for each node from the root down to the leaf:
//	10 x[v] := nobody
//	11 rival := x[sibling of v]
//	12 if rival is not nobody then c[s][rival] := 0
type zhangBase struct {
	leaf int
	x    []register.Uint32 // an id plus 1, or 0 for nobody
	c    [][]register.Uint32
}

func newZhang(n int) zhangBase {
	k := bits.Len(uint(n - 1))
	l := zhangBase{leaf: 1 << k, x: make([]register.Uint32, 2<<k), c: make([][]register.Uint32, k)}
	for s := range l.c {
		l.c[s] = make([]register.Uint32, n)
	}
	return l
}

// level is c at the level of the parent of v.
func (l *zhangBase) level(v int) []register.Uint32 { return l.c[bits.Len(uint(v))-2] }

// greet is lines 4 and 5, or 7 and 8.
func (l *zhangBase) greet(v, i int, rival uint32) {
	c := l.level(v)
	c[rival-1].Store(0)                                 // 4, 7
	spin.Until(func() bool { return c[i].Load() == 0 }) // 5, 8
}

// right is lines 6 to 9.
func (l *zhangBase) right(v, i int) {
	for rival := l.x[v^1].Load(); rival > 0; rival = l.x[v^1].Load() { // 6
		l.greet(v, i, rival)
		l.level(v)[i].Store(1) // 9
		spin.Pause()
	}
}

func (l *zhangBase) Unlock(i int) {
	for below := bits.Len(uint(l.leaf+i)) - 2; below >= 0; below-- {
		v := (l.leaf + i) >> below
		l.x[v].Store(0)                          // 10
		if rival := l.x[v^1].Load(); rival > 0 { // 11
			l.level(v)[rival-1].Store(0) // 12
		}
	}
}

type zhangClosesLate struct{ zhangBase }

func (l *zhangClosesLate) Lock(i int) {
	for v := l.leaf + i; v > 1; v /= 2 {
		l.x[v].Store(uint32(i) + 1) // 1
		if v%2 == 1 {
			l.right(v, i)
			continue
		}
		rival := l.x[v^1].Load() // 3
		l.level(v)[i].Store(1)   // 2
		if rival > 0 {
			l.greet(v, i, rival)
		}
	}
}

type zhangLooksOnce struct{ zhangBase }

func (l *zhangLooksOnce) Lock(i int) {
	for v := l.leaf + i; v > 1; v /= 2 {
		l.x[v].Store(uint32(i) + 1) // 1
		if v%2 == 0 {
			l.level(v)[i].Store(1) // 2
		}
		if rival := l.x[v^1].Load(); rival > 0 { // 3, 6
			l.greet(v, i, rival)
		}
	}
}

type zhangXReleased struct{ zhangBase }

func (l *zhangXReleased) Lock(i int) {
	for v := l.leaf + i; v > 1; v /= 2 {
		l.x[v].StoreRelease(uint32(i) + 1) // 1
		if v%2 == 1 {
			l.right(v, i)
			continue
		}
		l.level(v)[i].Store(1)                   // 2
		if rival := l.x[v^1].Load(); rival > 0 { // 3
			l.greet(v, i, rival)
		}
	}
}
