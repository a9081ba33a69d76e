package byhand

import (
	"shmbench/fcfs"
	"shmbench/register"
	"shmbench/shm"
	"shmbench/spin"
)

var (
	hesselink24         = fcfs.Hesselink24(shm.Packed, shm.Sequential)
	releasedHesselink24 = fcfs.Hesselink24(shm.Packed, shm.Released)
)

var hesselink24s = []Mutant{
	mutate(hesselink24, "hesselink24-modulo-4", "two odd turns follow one another instead of three", Deadlock, 2,
		func(n int) shm.Mutex { return &hesselink24Modulo4{newHesselink24(n)} }).with(ofTurns(5)),
	mutate(hesselink24, "hesselink24-no-mark", "nobody shows that it is in its doorway", Deadlock, 2,
		func(n int) shm.Mutex { return &hesselink24NoMark{newHesselink24(n)} }).with(ofTurns(6)).
		outOfReach("a process must stop in the middle of its doorway for just two passages of another"),
	mutate(releasedHesselink24, "hesselink24-mark-released", "the mark of the doorway is a released store: turns are copied before it can be seen", Deadlock, 2,
		func(n int) shm.Mutex { return &hesselink24MarkReleased{newHesselink24(n)} }).
		outOfReach("two processes must be in their doorways at once, twice, and one of them for two passages of the other"),
	mutate(hesselink24, "hesselink24-no-inner", "who has waited enters, with all that came at the same time", Safety, 2,
		func(n int) shm.Mutex { return &hesselink24NoInner{newHesselink24(n)} }).with(hesselink24.Space[:1]),
}

// ofTurns are the registers with other turns.
func ofTurns(values int) shm.Space {
	return shm.Space{{Name: "turn", Count: shm.N, Values: shm.Const(values), SingleWriter: true}, hesselink24.Space[1]}
}

// hesselink24Base is Hesselink's lock of small registers in pieces:
//
//	entry section of process i:
//	1  nx := turn[i] + 1; turn[i] := -1
//	2  for each k but i: copy[k] := turn[k]
//	3  turn[i] := nx
//	4  for each k but i with copy[k] odd: wait until turn[k] ≠ copy[k]
//	5  enter Burns and Lynch's lock
//	6  turn[i] := (nx + 1) mod 6
//	exit section:
//	7  leave Burns and Lynch's lock
type hesselink24Base struct {
	turn   []register.Int32
	copied [][]int32 // copied[i] is used by process i only
	own    []int32   // and so is own[i], what it wrote to turn[i]
	inner  shm.Mutex
}

func newHesselink24(n int) hesselink24Base {
	return hesselink24Base{make([]register.Int32, n), square[int32](n), make([]int32, n), innerLock(n)}
}

// pass is lines 2 to 4.
func (l *hesselink24Base) pass(i int) {
	for k := range l.turn { // 2
		l.copied[i][k] = l.turn[k].Load()
	}
	l.own[i]++
	l.turn[i].Store(l.own[i]) // 3
	for k := range l.turn {   // 4
		if turn := l.copied[i][k]; k != i && turn&1 != 0 {
			spin.Until(func() bool { return l.turn[k].Load() != turn })
		}
	}
}

// done is line 6 with turns below a modulus.
func (l *hesselink24Base) done(i int, modulus int32) {
	l.own[i] = (l.own[i] + 1) % modulus
	l.turn[i].Store(l.own[i]) // 6
}

func (l *hesselink24Base) Unlock(i int) {
	l.inner.Unlock(i) // 7
}

type hesselink24Modulo4 struct{ hesselink24Base }

func (l *hesselink24Modulo4) Lock(i int) {
	l.turn[i].Store(-1) // 1
	l.pass(i)
	l.inner.Lock(i) // 5
	l.done(i, 4)
}

type hesselink24MarkReleased struct{ hesselink24Base }

func (l *hesselink24MarkReleased) Lock(i int) {
	l.turn[i].StoreRelease(-1) // 1
	l.pass(i)
	l.inner.Lock(i) // 5
	l.done(i, 6)
}

type hesselink24NoMark struct{ hesselink24Base }

func (l *hesselink24NoMark) Lock(i int) {
	l.pass(i)
	l.inner.Lock(i) // 5
	l.done(i, 6)
}

type hesselink24NoInner struct{ hesselink24Base }

func (l *hesselink24NoInner) Lock(i int) {
	l.turn[i].Store(-1) // 1
	l.pass(i)
	l.done(i, 6)
}

func (l *hesselink24NoInner) Unlock(int) {}
