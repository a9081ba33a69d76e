package byhand

import (
	"shmbench/bakery"
	"shmbench/register"
	"shmbench/shm"
	"shmbench/spin"
)

var bounded2001 = bakery.Bounded(shm.Packed, shm.Sequential)

var boundeds = []Mutant{
	mutate(bounded2001, "bounded-exit-swapped", "the token is given back before x follows it", Safety, 2,
		func(n int) shm.Mutex { return newBounded(n, boundedFault{exitSwapped: true}) }),
	mutate(bounded2001, "bounded-getting-unread", "getting is set and never awaited", Safety, 2,
		func(n int) shm.Mutex { return newBounded(n, boundedFault{gettingUnread: true}) }),
	mutate(bounded2001, "bounded-x-stays", "x does not follow the tokens", Safety, 2,
		func(n int) shm.Mutex { return newBounded(n, boundedFault{xStays: true}) }),
}

// boundedFault is what is wrong with a bounded bakery.
type boundedFault struct{ exitSwapped, gettingUnread, xStays bool }

// boundedBase is the bounded bakery but for its fault:
//
//	entry section of process i, where dist(a, b) = (b - a) mod (2n-1):
//	1  getting[i] := true
//	2  seen[j] := token[j] for all j
//	3  far := the largest dist(x, seen[j]) that is less than n, 0 if there is none
//	4  token[i] := the one that comes far + 1 after x
//	5  getting[i] := false
//	6  for j := 0 to n-1, except i:
//	7      wait until getting[j] = false
//	8      wait until token[j] = 0, or token[j] = token[i] and i < j,
//	           or token[j] is not token[i] and dist(token[i], token[j]) < n
//	exit section:
//	9  x := token[i]
//	10 token[i] := 0
type boundedBase struct {
	fault   boundedFault
	x       register.Uint32
	getting []register.Bool
	token   []register.Uint32
	seen    [][]uint32
}

func newBounded(n int, fault boundedFault) *boundedBase {
	l := &boundedBase{fault: fault, getting: make([]register.Bool, n), token: make([]register.Uint32, n), seen: make([][]uint32, n)}
	l.x.Store(1)
	for i := range n {
		l.seen[i] = make([]uint32, n)
	}
	return l
}

func (l *boundedBase) Lock(i int) {
	n := uint32(len(l.token))
	l.getting[i].Store(true)  // 1
	mine := l.next(i)         // 2, 3
	l.token[i].Store(mine)    // 4
	l.getting[i].Store(false) // 5
	for j := range l.token {  // 6
		if j == i {
			continue
		}
		if !l.fault.gettingUnread {
			spin.Until(func() bool { return !l.getting[j].Load() }) // 7
		}
		spin.Until(func() bool { // 8
			token := l.token[j].Load()
			return token == 0 || token == mine && i < j || token != mine && l.dist(mine, token) < n
		})
	}
	l.seen[i][i] = mine
}

func (l *boundedBase) Unlock(i int) {
	if l.fault.exitSwapped {
		l.token[i].Store(0) // 10
	}
	if !l.fault.xStays {
		l.x.Store(l.seen[i][i]) // 9
	}
	if !l.fault.exitSwapped {
		l.token[i].Store(0) // 10
	}
}

// next is the token that process i takes.
func (l *boundedBase) next(i int) uint32 {
	for j := range l.token {
		if j != i {
			l.seen[i][j] = l.token[j].Load() // 2
		}
	}
	x, far := l.x.Load(), uint32(0) // 3
	for j, token := range l.seen[i] {
		if j == i || token == 0 {
			continue
		}
		if d := l.dist(x, token); d < uint32(len(l.token)) {
			far = max(far, d)
		}
		l.seen[i][j] = 0
	}
	return (x+far)%l.modulus() + 1
}

func (l *boundedBase) modulus() uint32 { return uint32(2*len(l.token) - 1) }

func (l *boundedBase) dist(a, b uint32) uint32 { return (b + l.modulus() - a) % l.modulus() }
