package byhand

import (
	"sync/atomic"

	"shmbench/dijkstra"
	"shmbench/shm"
	"shmbench/spin"
)

var dijkstra1965 = dijkstra.Dijkstra(shm.Packed, shm.Sequential)

var dijkstras = []Mutant{
	mutate(dijkstra1965, "dijkstra-turn-enough", "who has the turn enters without a look at the c of the others", Safety, 2,
		func(n int) shm.Mutex { return &dijkstraTurnEnough{newDijkstra(n)} }),
	mutate(dijkstra1965, "dijkstra-keeps-c", "who finds the turn gone leaves its c clear", Deadlock, 2,
		func(n int) shm.Mutex { return &dijkstraKeepsC{newDijkstra(n)} }),
	mutate(dijkstra1965, "dijkstra-takes-turn", "the turn is taken from a process that wants to enter, too", Deadlock, 2,
		func(n int) shm.Mutex { return &dijkstraTakesTurn{newDijkstra(n)} }),
	mutate(dijkstra1965, "dijkstra-keeps-b", "the exit section leaves b clear", Deadlock, 2,
		func(n int) shm.Mutex { return &dijkstraKeepsB{newDijkstra(n)} }),
}

// dijkstraBase is Dijkstra's lock in pieces:
//
//	entry section of process i:
//	1  b[i] := false
//	2  while k is not i:
//	3      c[i] := true
//	4      if b[k] then
//	5          k := i
//	6  c[i] := false
//	7  for j := 0 to n-1, except i: if not c[j] then goto 2
//	exit section:
//	8  c[i] := true
//	9  b[i] := true
type dijkstraBase struct {
	b, c []atomic.Bool
	k    atomic.Uint32
}

func newDijkstra(n int) *dijkstraBase {
	l := &dijkstraBase{b: make([]atomic.Bool, n), c: make([]atomic.Bool, n)}
	for i := range n {
		l.b[i].Store(true)
		l.c[i].Store(true)
	}
	return l
}

func (l *dijkstraBase) Lock(i int) {
	l.b[i].Store(false) // 1
	for {
		l.turn(i)           // 2
		l.c[i].Store(false) // 6
		if l.alone(i) {     // 7
			return
		}
		spin.Pause()
	}
}

// turn is lines 2 to 5.
func (l *dijkstraBase) turn(i int) {
	for l.k.Load() != uint32(i) { // 2
		l.c[i].Store(true)          // 3
		if l.b[l.k.Load()].Load() { // 4
			l.k.Store(uint32(i)) // 5
		} else {
			spin.Pause()
		}
	}
}

// alone is line 7.
func (l *dijkstraBase) alone(i int) bool {
	for j := range l.c {
		if j != i && !l.c[j].Load() {
			return false
		}
	}
	return true
}

func (l *dijkstraBase) Unlock(i int) {
	l.c[i].Store(true) // 8
	l.b[i].Store(true) // 9
}

type dijkstraTurnEnough struct{ *dijkstraBase }

func (l *dijkstraTurnEnough) Lock(i int) {
	l.b[i].Store(false) // 1
	l.turn(i)           // 2
	l.c[i].Store(false) // 6
}

type dijkstraKeepsC struct{ *dijkstraBase }

func (l *dijkstraKeepsC) Lock(i int) {
	l.b[i].Store(false) // 1
	for {
		for l.k.Load() != uint32(i) { // 2
			if l.b[l.k.Load()].Load() { // 4
				l.k.Store(uint32(i)) // 5
			} else {
				spin.Pause()
			}
		}
		l.c[i].Store(false) // 6
		if l.alone(i) {     // 7
			return
		}
		spin.Pause()
	}
}

type dijkstraTakesTurn struct{ *dijkstraBase }

func (l *dijkstraTakesTurn) Lock(i int) {
	l.b[i].Store(false) // 1
	for {
		for l.k.Load() != uint32(i) { // 2
			l.c[i].Store(true)   // 3
			l.k.Store(uint32(i)) // 5
		}
		l.c[i].Store(false) // 6
		if l.alone(i) {     // 7
			return
		}
		spin.Pause()
	}
}

type dijkstraKeepsB struct{ *dijkstraBase }

func (l *dijkstraKeepsB) Unlock(i int) {
	l.c[i].Store(true) // 8
}
