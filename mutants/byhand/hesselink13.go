package byhand

import (
	"sync/atomic"

	"shmbench/burns"
	"shmbench/fcfs"
	"shmbench/shm"
	"shmbench/spin"
)

var (
	hesselink13 = fcfs.Hesselink13(shm.Packed)
	aravindF3   = fcfs.AravindF3(shm.Packed, shm.Sequential)
)

var hesselink13s = []Mutant{
	mutate(hesselink13, "hesselink13-two-bits", "two bits are shown in turn: a slow process copies both in different passages, and waits for a third, which waits for it", Deadlock, 2,
		func(n int) shm.Mutex { return &hesselink13Fewer{newHesselink13(n)} }).with(twoShown).
		outOfReach("a process must stop in the middle of its doorway for just two passages of another"),
	mutate(hesselink13, "hesselink13-cleared-first", "the exit section clears the bit before it leaves the inner lock", Equivalent, 2,
		func(n int) shm.Mutex { return &hesselink13ClearedFirst{newHesselink13(n)} }),
	mutate(hesselink13, "hesselink13-no-doorway", "nobody sets its flag in the doorway", Deadlock, 2,
		func(n int) shm.Mutex { return &hesselink13NoDoorway{newHesselink13(n)} }).
		outOfReach("a process must stop in the middle of its doorway for just two passages of another"),
	mutate(aravindF3, "aravindf3-two-turns", "the turns are 1 and 2", Deadlock, 2,
		func(n int) shm.Mutex { return &aravindF3Fewer{newAravindF3(n)} }).with(twoTurns).
		outOfReach("a process must stop in the middle of its doorway for just two passages of another"),
	mutate(aravindF3, "aravindf3-waits-for-nobody", "who saw that another does not wait waits until it does", Deadlock, 2,
		func(n int) shm.Mutex { return &aravindF3WaitsForNobody{newAravindF3(n)} }),
}

var (
	twoShown = shm.Space{
		{Name: "turn", Count: shm.Formula{Text: "2n", At: func(n int) int { return 2 * n }}, Values: shm.Const(2), SingleWriter: true},
		hesselink13.Space[1],
	}
	twoTurns = shm.Space{
		{Name: "T", Count: shm.N, Values: shm.Const(3), SingleWriter: true},
		aravindF3.Space[1],
	}
)

// hesselink13Base is Hesselink's simplification in pieces:
//
//	entry section of process i:
//	1  flag[i] := true
//	2  for each q but i, each b: copy[q][b] := turn[q][b]
//	3  turn[i][nx] := true
//	4  flag[i] := false
//	5  for each q, b with copy[q][b]: wait until not turn[q][b]
//	6  enter Burns and Lynch's lock
//	exit section:
//	7  leave Burns and Lynch's lock
//	8  turn[i][nx] := false; nx := (nx + 1) mod 3
type hesselink13Base struct {
	turn   [][3]atomic.Bool
	copied [][][3]bool // copied[i] is used by process i only
	nx     []int       // and so is nx[i]
	inner  *burns.BurnsLynchMutex
}

func newHesselink13(n int) hesselink13Base {
	return hesselink13Base{make([][3]atomic.Bool, n), square[[3]bool](n), make([]int, n), innerLock(n)}
}

// mark is lines 2 and 3 with some of the bits.
func (l *hesselink13Base) mark(i, bits int) {
	for q := range l.turn { // 2
		if q != i {
			for b := range bits {
				l.copied[i][q][b] = l.turn[q][b].Load()
			}
		}
	}
	l.turn[i][l.nx[i]].Store(true) // 3
}

// await is lines 5 and 6.
func (l *hesselink13Base) await(i int) {
	for q := range l.turn { // 5
		if q != i {
			for b, shown := range l.copied[i][q] {
				if shown {
					spin.Until(func() bool { return !l.turn[q][b].Load() })
				}
			}
		}
	}
	l.inner.Lock(i) // 6
}

func (l *hesselink13Base) lock(i, bits int) {
	l.inner.Flag(i).Store(true) // 1
	l.mark(i, bits)
	l.inner.Flag(i).Store(false) // 4
	l.await(i)
}

func (l *hesselink13Base) clear(i, bits int) {
	l.turn[i][l.nx[i]].Store(false) // 8
	l.nx[i] = (l.nx[i] + 1) % bits
}

func (l *hesselink13Base) Unlock(i int) {
	l.inner.Unlock(i) // 7
	l.clear(i, 3)
}

type hesselink13Fewer struct{ hesselink13Base }

func (l *hesselink13Fewer) Lock(i int) { l.lock(i, 2) }

func (l *hesselink13Fewer) Unlock(i int) {
	l.inner.Unlock(i) // 7
	l.clear(i, 2)
}

type hesselink13ClearedFirst struct{ hesselink13Base }

func (l *hesselink13ClearedFirst) Lock(i int) { l.lock(i, 3) }

func (l *hesselink13ClearedFirst) Unlock(i int) {
	l.clear(i, 3)
	l.inner.Unlock(i) // 7
}

type hesselink13NoDoorway struct{ hesselink13Base }

func (l *hesselink13NoDoorway) Lock(i int) {
	l.mark(i, 3)
	l.await(i)
}

// aravindF3Base is Aravind's lock of two registers a process in pieces, of which the
// other lines are those of hesselink13Base:
//
//	2  for each j but i: S[j] := T[j]
//	3  T[i] := t
//	5  for each j but i with S[j] ≠ 0: wait until T[j] ≠ S[j]
//	8  T[i] := 0; t := t mod 3 + 1
type aravindF3Base struct {
	T     []atomic.Uint32
	S     [][]uint32 // S[i] is used by process i only
	t     []uint32   // and so is t[i], 0 to 2
	inner *burns.BurnsLynchMutex
}

func newAravindF3(n int) aravindF3Base {
	return aravindF3Base{make([]atomic.Uint32, n), square[uint32](n), make([]uint32, n), innerLock(n)}
}

// lock is the entry section in which a process waits for whom it saw wait, or for all.
func (l *aravindF3Base) lock(i int, all bool) {
	l.inner.Flag(i).Store(true) // 1
	for j := range l.T {        // 2
		l.S[i][j] = l.T[j].Load()
	}
	l.T[i].Store(l.t[i] + 1)     // 3
	l.inner.Flag(i).Store(false) // 4
	for j := range l.T {         // 5
		if turn := l.S[i][j]; j != i && (all || turn != 0) {
			spin.Until(func() bool { return l.T[j].Load() != turn })
		}
	}
	l.inner.Lock(i) // 6
}

func (l *aravindF3Base) unlock(i int, turns uint32) {
	l.inner.Unlock(i) // 7
	l.T[i].Store(0)   // 8
	l.t[i] = (l.t[i] + 1) % turns
}

type aravindF3Fewer struct{ aravindF3Base }

func (l *aravindF3Fewer) Lock(i int)   { l.lock(i, false) }
func (l *aravindF3Fewer) Unlock(i int) { l.unlock(i, 2) }

type aravindF3WaitsForNobody struct{ aravindF3Base }

func (l *aravindF3WaitsForNobody) Lock(i int)   { l.lock(i, true) }
func (l *aravindF3WaitsForNobody) Unlock(i int) { l.unlock(i, 3) }
