package byhand

import (
	"math/bits"

	"shmbench/register"
	"shmbench/shm"
	"shmbench/spin"
	"shmbench/tournament"
)

var (
	yangAndersonTree         = tournament.YangAnderson(shm.Packed, shm.Sequential)
	releasedYangAndersonTree = tournament.YangAnderson(shm.Packed, shm.Released)
)

var yangAndersonTrees = []Mutant{
	// What a rival wrote for the passage before lets a process in now.
	mutate(yangAndersonTree, "yangandersontree-keeps-p", "a process does not set its p to 0", Safety, 2,
		func(n int) shm.Mutex { return &yangAndersonKeepsP{newYangAndersonTree(n)} }),
	// A rival that has left has written 2, and writes no more.
	mutate(yangAndersonTree, "yangandersontree-always-1", "p of the rival is set to 1 whatever it is", Deadlock, 2,
		func(n int) shm.Mutex { return &yangAndersonAlways1{newYangAndersonTree(n)} }),
	// That t is the own id may only mean that the rival has not come so far.
	mutate(yangAndersonTree, "yangandersontree-settled", "a process does not wait until it is settled who came last", Deadlock, 2,
		func(n int) shm.Mutex { return &yangAndersonSettled{newYangAndersonTree(n)} }),
	// It is the fence before the look at the rival.
	release(releasedYangAndersonTree, "yangandersontree-p-released", "p is set to 0 by a released store, and the rival looked for before it can see c",
		func(n int) shm.Mutex { return &yangAndersonPReleased{newYangAndersonTree(n)} }),
}

// yangAndersonTreeBase is Yang and Anderson's tree in pieces:
//
//	entry section of process i, for each node from its leaf up to the root,
//	v being the child that it comes from, s the level:
//	1  c[v] := i
//	2  t[node] := i
//	3  p[s][i] := 0
//	4  rival := c[sibling of v]
//	   if rival is not nobody then
//	5      if t[node] = i then
//	6          if p[s][rival] = 0 then
//	7              p[s][rival] := 1
//	8          wait until p[s][i] >= 1
//	9          if t[node] = i then
//	10             wait until p[s][i] = 2
//	exit section, for each node from the root down to the leaf:
//	11 c[v] := nobody
//	12 rival := t[node]
//	13 if rival != i then p[s][rival] := 2
type yangAndersonTreeBase struct {
	n int
	c []register.Uint32 // an id plus 1, or 0 for nobody
	t []register.Uint32
	p [][]register.Uint32
}

func newYangAndersonTree(n int) yangAndersonTreeBase {
	l := yangAndersonTreeBase{n: n, c: make([]register.Uint32, 2*n), t: make([]register.Uint32, n), p: make([][]register.Uint32, bits.Len(uint(n-1)))}
	for s := range l.p {
		l.p[s] = make([]register.Uint32, n)
	}
	return l
}

// level is p at the level of the parent of v.
func (l *yangAndersonTreeBase) level(v int) []register.Uint32 { return l.p[bits.Len(uint(v))-2] }

// come is lines 1 and 2.
func (l *yangAndersonTreeBase) come(v, i int) {
	l.c[v].Store(uint32(i) + 1) // 1
	l.t[v/2].Store(uint32(i))   // 2
}

// rival is lines 4 and 5: the rival of a process that came last, or -1.
func (l *yangAndersonTreeBase) rival(v, i int) int {
	rival := int(l.c[v^1].Load()) - 1               // 4
	if rival >= 0 && l.t[v/2].Load() == uint32(i) { // 5
		return rival
	}
	return -1
}

// tell is lines 6 and 7.
func (l *yangAndersonTreeBase) tell(v, rival int) {
	if p := l.level(v); p[rival].Load() == 0 { // 6
		p[rival].Store(1) // 7
	}
}

// settle is line 8.
func (l *yangAndersonTreeBase) settle(v, i int) {
	p := l.level(v)
	spin.Until(func() bool { return p[i].Load() >= 1 }) // 8
}

// await is lines 9 and 10.
func (l *yangAndersonTreeBase) await(v, i int) {
	p := l.level(v)
	if l.t[v/2].Load() == uint32(i) { // 9
		spin.Until(func() bool { return p[i].Load() == 2 }) // 10
	}
}

func (l *yangAndersonTreeBase) Unlock(i int) {
	for below := bits.Len(uint(l.n+i)) - 2; below >= 0; below-- {
		v := (l.n + i) >> below
		l.c[v].Store(0)                                   // 11
		if rival := l.t[v/2].Load(); rival != uint32(i) { // 12
			l.level(v)[rival].Store(2) // 13
		}
	}
}

type yangAndersonKeepsP struct{ yangAndersonTreeBase }

func (l *yangAndersonKeepsP) Lock(i int) {
	for v := l.n + i; v > 1; v /= 2 {
		l.come(v, i)
		if rival := l.rival(v, i); rival >= 0 {
			l.tell(v, rival)
			l.settle(v, i)
			l.await(v, i)
		}
	}
}

type yangAndersonAlways1 struct{ yangAndersonTreeBase }

func (l *yangAndersonAlways1) Lock(i int) {
	for v := l.n + i; v > 1; v /= 2 {
		l.come(v, i)
		l.level(v)[i].Store(0) // 3
		if rival := l.rival(v, i); rival >= 0 {
			l.level(v)[rival].Store(1) // 7
			l.settle(v, i)
			l.await(v, i)
		}
	}
}

type yangAndersonSettled struct{ yangAndersonTreeBase }

func (l *yangAndersonSettled) Lock(i int) {
	for v := l.n + i; v > 1; v /= 2 {
		l.come(v, i)
		l.level(v)[i].Store(0) // 3
		if rival := l.rival(v, i); rival >= 0 {
			l.tell(v, rival)
			l.await(v, i)
		}
	}
}

type yangAndersonPReleased struct{ yangAndersonTreeBase }

func (l *yangAndersonPReleased) Lock(i int) {
	for v := l.n + i; v > 1; v /= 2 {
		l.c[v].StoreRelease(uint32(i) + 1) // 1
		l.t[v/2].StoreRelease(uint32(i))   // 2
		l.level(v)[i].StoreRelease(0)      // 3
		if rival := l.rival(v, i); rival >= 0 {
			l.tell(v, rival)
			l.settle(v, i)
			l.await(v, i)
		}
	}
}
