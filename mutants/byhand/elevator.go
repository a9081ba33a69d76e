package byhand

import (
	"math/bits"

	"shmbench/elevator"
	"shmbench/register"
	"shmbench/shm"
	"shmbench/spin"
)

var (
	linearElevator   = elevator.Linear(shm.Packed, shm.Sequential)
	linearElevatorBL = elevator.LinearBL(shm.Packed, shm.Sequential)
	releasedElevator = elevator.Linear(shm.Packed, shm.Released)
	treeElevator     = elevator.Tree(shm.Packed, shm.Sequential)
)

var elevators = []Mutant{
	mutate(linearElevator, "elevator-first-then-apply", "the exit section gives the turn away before it takes apply back", Deadlock, 2,
		func(n int) shm.Mutex { return &elevatorFirstThenApply{newElevator(n)} }).
		outOfReach("the next must enter, leave and call between two stores of the process that leaves"),
	mutate(linearElevator, "elevator-fast-then-first", "a leader lets others lead before it takes the turn", Safety, 2,
		func(n int) shm.Mutex { return &elevatorFastThenFirst{newElevator(n)} }),
	mutate(linearElevator, "elevator-no-turn", "a leader enters without waiting for the turn", Safety, 2,
		func(n int) shm.Mutex { return &elevatorNoTurn{newElevator(n)} }),
	mutate(linearElevator, "elevator-lowest", "who leaves gives the turn to the lowest that has applied", Starvation, 3,
		func(n int) shm.Mutex { return &elevatorLowest{newElevator(n)} }),
	mutate(releasedElevator, "elevator-fast-released", "fast is reset by a released store, and a process may wait that nobody has seen", Deadlock, 2,
		func(n int) shm.Mutex { return &elevatorFastReleased{newElevator(n)} }).
		outOfReach("a whole critical section must be over before one store reaches memory"),
	mutate(linearElevatorBL, "elevator-bl-no-wait-higher", "the trylock does not wait for the higher processes", Safety, 2,
		func(n int) shm.Mutex { return &elevatorBLNoWaitHigher{newElevator(n), make([]register.Bool, n)} }),
	mutate(linearElevatorBL, "elevator-bl-keeps-b", "who loses the trylock leaves b set", Deadlock, 2,
		func(n int) shm.Mutex { return &elevatorBLKeepsB{newElevator(n), make([]register.Bool, n)} }),
	mutate(treeElevator, "elevator-tree-leaf-kept", "who enters leaves its id in its leaf, and is put into the queue again", Deadlock, 2,
		func(n int) shm.Mutex { return &treeLeafKept{newTreeElevator(n)} }),
	mutate(treeElevator, "elevator-tree-no-mark", "who leaves does not mark those that it puts into the queue, which come to be there twice", Deadlock, 3,
		func(n int) shm.Mutex { return &treeNoMark{newTreeElevator(n)} }),
}

// elevatorBase is the linear elevator in pieces:
//
//	entry section of process i:
//	1  apply[i] := true
//	2  if trylock(i) then
//	3      wait until first = i or first = n
//	4      first := i
//	5      fast := false
//	   else
//	6      wait until first = i
//	exit section:
//	7  k := the first of i+1, ..., n-1, 0, ..., i-1 with apply[k]; n if there is none
//	8  apply[i] := false
//	9  first := k
type elevatorBase struct {
	apply []register.Bool
	fast  register.Bool
	first register.Uint32
}

func newElevator(n int) *elevatorBase {
	l := &elevatorBase{apply: make([]register.Bool, n)}
	l.first.Store(uint32(n))
	return l
}

func (l *elevatorBase) try() bool {
	return l.fast.CompareAndSwap(false, true) // 2
}

// await is line 3, and with another value of nobody line 6.
func (l *elevatorBase) await(i, nobody int) {
	spin.Until(func() bool {
		first := l.first.Load() // 3, 6
		return first == uint32(i) || first == uint32(nobody)
	})
}

// enter is lines 3 to 6.
func (l *elevatorBase) enter(i int, leads bool) {
	if leads {
		l.await(i, len(l.apply))
		l.first.Store(uint32(i)) // 4
		l.fast.Store(false)      // 5
	} else {
		l.await(i, i)
	}
}

func (l *elevatorBase) Lock(i int) {
	l.apply[i].Store(true) // 1
	l.enter(i, l.try())
}

// next is line 7.
func (l *elevatorBase) next(i int) uint32 {
	for d := 1; d < len(l.apply); d++ {
		if k := (i + d) % len(l.apply); l.apply[k].Load() { // 7
			return uint32(k)
		}
	}
	return uint32(len(l.apply))
}

func (l *elevatorBase) Unlock(i int) {
	k := l.next(i)
	l.apply[i].Store(false) // 8
	l.first.Store(k)        // 9
}

type elevatorFirstThenApply struct{ *elevatorBase }

func (l *elevatorFirstThenApply) Unlock(i int) {
	k := l.next(i)
	l.first.Store(k)        // 9
	l.apply[i].Store(false) // 8
}

type elevatorFastThenFirst struct{ *elevatorBase }

func (l *elevatorFastThenFirst) Lock(i int) {
	l.apply[i].Store(true) // 1
	if l.try() {
		l.await(i, len(l.apply))
		l.fast.Store(false)      // 5
		l.first.Store(uint32(i)) // 4
	} else {
		l.await(i, i)
	}
}

type elevatorNoTurn struct{ *elevatorBase }

func (l *elevatorNoTurn) Lock(i int) {
	l.apply[i].Store(true) // 1
	if l.try() {
		l.first.Store(uint32(i)) // 4
		l.fast.Store(false)      // 5
	} else {
		l.await(i, i)
	}
}

type elevatorLowest struct{ *elevatorBase }

func (l *elevatorLowest) Unlock(i int) {
	next := uint32(len(l.apply))
	for k := range l.apply {
		if k != i && l.apply[k].Load() { // 7
			next = uint32(k)
			break
		}
	}
	l.apply[i].Store(false) // 8
	l.first.Store(next)     // 9
}

type elevatorFastReleased struct{ *elevatorBase }

func (l *elevatorFastReleased) Lock(i int) {
	l.apply[i].Store(true) // 1
	if l.try() {
		l.await(i, len(l.apply))
		l.first.Store(uint32(i))   // 4
		l.fast.StoreRelease(false) // 5
	} else {
		l.await(i, i)
	}
}

type elevatorBLNoWaitHigher struct {
	*elevatorBase
	b []register.Bool
}

func (l *elevatorBLNoWaitHigher) Lock(i int) {
	l.apply[i].Store(true) // 1
	l.enter(i, l.try(i))
}

func (l *elevatorBLNoWaitHigher) try(i int) bool {
	l.b[i].Store(true) // B1
	for j := range i {
		if l.b[j].Load() { // B2
			l.b[i].Store(false) // B3
			return false
		}
	}
	won := !l.fast.Load() // B5
	if won {
		l.fast.Store(true) // B6
	}
	l.b[i].Store(false) // B7
	return won
}

type elevatorBLKeepsB struct {
	*elevatorBase
	b []register.Bool
}

func (l *elevatorBLKeepsB) Lock(i int) {
	l.apply[i].Store(true) // 1
	l.enter(i, l.try(i))
}

func (l *elevatorBLKeepsB) try(i int) bool {
	l.b[i].Store(true) // B1
	for j := range i {
		if l.b[j].Load() { // B2
			return false
		}
	}
	for j := i + 1; j < len(l.b); j++ {
		spin.Until(func() bool { return !l.b[j].Load() }) // B4
	}
	won := !l.fast.Load() // B5
	if won {
		l.fast.Store(true) // B6
	}
	l.b[i].Store(false) // B7
	return won
}

// treeElevatorBase is the tree elevator in pieces, with lines 2 to 6 as above:
//
//	1  for v := n+i, and then v/2, while v > 1: vals[v] := i
//	7  vals[n+i] := n
//	exit section:
//	8  for each node v on the path from the root to n+i, but the root:
//	9      k := vals[the sibling of v]
//	10     if vals[n+k] < n then
//	11         vals[n+k] := n; append k to the queue
//	12 first := the head of the queue, removed, or n if there is none
type treeElevatorBase struct {
	*elevatorBase
	vals        []register.Uint32
	queue       []uint32
	front, rear int
}

func newTreeElevator(n int) *treeElevatorBase {
	l := &treeElevatorBase{elevatorBase: newElevator(n), vals: make([]register.Uint32, 2*n+1), queue: make([]uint32, n)}
	for v := range l.vals {
		l.vals[v].Store(uint32(n))
	}
	return l
}

// climb is line 1.
func (l *treeElevatorBase) climb(i int) {
	for v := len(l.queue) + i; v > 1; v /= 2 {
		l.vals[v].Store(uint32(i)) // 1
	}
}

func (l *treeElevatorBase) Lock(i int) {
	l.climb(i)
	l.enter(i, l.try())
	l.vals[len(l.queue)+i].Store(uint32(len(l.queue))) // 7
}

func (l *treeElevatorBase) Unlock(i int) {
	l.look(i, func(leaf int) { l.vals[leaf].Store(uint32(len(l.queue))) }) // 11
}

// look is the exit section, in which mark is the first half of line 11.
func (l *treeElevatorBase) look(i int, mark func(leaf int)) {
	n := len(l.queue)
	for d := bits.Len(uint(n+i)) - 2; d >= 0; d-- { // 8
		k := l.vals[(n+i)>>d^1].Load()           // 9
		if l.vals[n+int(k)].Load() < uint32(n) { // 10
			mark(n + int(k))
			l.queue[l.rear] = k // 11
			l.rear = (l.rear + 1) % n
		}
	}
	next := uint32(n)
	if l.front != l.rear { // 12
		next = l.queue[l.front]
		l.front = (l.front + 1) % n
	}
	l.first.Store(next) // 12
}

type treeLeafKept struct{ *treeElevatorBase }

func (l *treeLeafKept) Lock(i int) {
	l.climb(i)
	l.enter(i, l.try())
}

type treeNoMark struct{ *treeElevatorBase }

func (l *treeNoMark) Unlock(i int) { l.look(i, func(int) {}) }
