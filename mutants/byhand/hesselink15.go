package byhand

import (
	"sync/atomic"

	"shmbench/burns"
	"shmbench/fcfs"
	"shmbench/shm"
	"shmbench/spin"
)

var (
	hesselink15     = fcfs.Hesselink15(shm.Packed, shm.Sequential)
	hesselink15Exit = fcfs.Hesselink15Exit(shm.Packed, shm.Sequential)
	aravindF4       = fcfs.AravindF4(shm.Packed, shm.Sequential)
)

var hesselink15s = []Mutant{
	mutate(hesselink15, "hesselink15-no-wait-for-doorways", "who is about to enter does not wait for doorways: a slow process may wait for a bit that is shown again", Deadlock, 2,
		func(n int) shm.Mutex { return &hesselink15NoWait{newHesselink15(n)} }),
	mutate(hesselink15, "hesselink15-shown-late", "the bit is shown when the doorway is over", Deadlock, 2,
		func(n int) shm.Mutex { return &hesselink15ShownLate{newHesselink15(n)} }),
	mutate(hesselink15Exit, "hesselink15exit-after-inner", "the bit is cleared, and doorways are waited for, when the inner lock has been left", Deadlock, 2,
		func(n int) shm.Mutex { return &hesselink15AfterInner{newHesselink15(n)} }).
		outOfReach("the process that leaves must look while the other is in its doorway, each time"),
	mutate(hesselink15Exit, "hesselink15exit-no-wait-for-doorways", "who leaves does not wait for doorways: a slow process may wait for a bit that is shown again", Deadlock, 2,
		func(n int) shm.Mutex { return &hesselink15ExitNoWait{newHesselink15(n)} }),
	mutate(aravindF4, "aravindf4-waits-for-nobody", "who saw that another does not wait waits until it does", Deadlock, 2,
		func(n int) shm.Mutex { return &aravindF4WaitsForNobody{newHesselink15(n)} }),
	mutate(aravindF4, "aravindf4-no-inner", "who has waited enters, with all that came at the same time", Safety, 2,
		func(n int) shm.Mutex { return &aravindF4NoInner{newHesselink15(n)} }).with(aravindF4.Space[:2]),
}

// hesselink15Base is Hesselink's lock of four bits, and Aravind's, in pieces:
//
//	entry section of process i:
//	1  dw[i] := true
//	2  for each q but i, each b: copy[q][b] := turn[q][b]
//	3  turn[i][nx] := true
//	4  dw[i] := false
//	5  for each q, b with copy[q][b]: wait until not turn[q][b]
//	6  enter Burns and Lynch's lock
//	7  turn[i][nx] := false; nx := 1 - nx
//	8  for each q but i: wait until not dw[q]
//	exit section:
//	9  leave Burns and Lynch's lock
type hesselink15Base struct {
	dw     []atomic.Bool
	turn   [][2]atomic.Bool
	copied [][][2]bool // copied[i] is used by process i only
	nx     []int       // and so is nx[i]
	inner  shm.Mutex
}

func newHesselink15(n int) hesselink15Base {
	return hesselink15Base{make([]atomic.Bool, n), make([][2]atomic.Bool, n), square[[2]bool](n), make([]int, n), innerLock(n)}
}

// square returns for each of n processes as many words that only it uses.
func square[T any](n int) [][]T {
	all := make([][]T, n)
	for i := range all {
		all[i] = make([]T, n)
	}
	return all
}

// innerLock is the lock inside a wrapper.
func innerLock(n int) *burns.BurnsLynchMutex {
	l, err := burns.NewBurnsLynch(n, shm.Packed, shm.Sequential)
	if err != nil {
		panic(err)
	}
	return l
}

func (l *hesselink15Base) read(q int) [2]bool {
	return [2]bool{l.turn[q][0].Load(), l.turn[q][1].Load()}
}

func (l *hesselink15Base) copyTurns(i int) {
	for q := range l.turn { // 2
		if q != i {
			l.copied[i][q] = l.read(q)
		}
	}
}

func (l *hesselink15Base) show(i int) {
	l.turn[i][l.nx[i]].Store(true) // 3
}

func (l *hesselink15Base) await(i int) {
	for q := range l.turn { // 5
		if q != i {
			for b, shown := range l.copied[i][q] {
				if shown {
					spin.Until(func() bool { return !l.turn[q][b].Load() })
				}
			}
		}
	}
}

func (l *hesselink15Base) clear(i int) {
	l.turn[i][l.nx[i]].Store(false) // 7
	l.nx[i] = 1 - l.nx[i]
}

func (l *hesselink15Base) doorways(i int) {
	for q := range l.dw { // 8
		if q != i {
			spin.Until(func() bool { return !l.dw[q].Load() })
		}
	}
}

func (l *hesselink15Base) doorway(i int) {
	l.dw[i].Store(true) // 1
	l.copyTurns(i)
	l.show(i)
	l.dw[i].Store(false) // 4
}

func (l *hesselink15Base) Unlock(i int) {
	l.inner.Unlock(i) // 9
}

type hesselink15NoWait struct{ hesselink15Base }

func (l *hesselink15NoWait) Lock(i int) {
	l.doorway(i)
	l.await(i)
	l.inner.Lock(i) // 6
	l.clear(i)
}

type hesselink15ShownLate struct{ hesselink15Base }

func (l *hesselink15ShownLate) Lock(i int) {
	l.dw[i].Store(true) // 1
	l.copyTurns(i)
	l.dw[i].Store(false) // 4
	l.show(i)
	l.await(i)
	l.inner.Lock(i) // 6
	l.clear(i)
	l.doorways(i)
}

type hesselink15AfterInner struct{ hesselink15Base }

func (l *hesselink15AfterInner) Lock(i int) {
	l.doorway(i)
	l.await(i)
	l.inner.Lock(i) // 6
}

func (l *hesselink15AfterInner) Unlock(i int) {
	l.inner.Unlock(i) // 9
	l.clear(i)
	l.doorways(i)
}

type hesselink15ExitNoWait struct{ hesselink15Base }

func (l *hesselink15ExitNoWait) Lock(i int) {
	l.doorway(i)
	l.await(i)
	l.inner.Lock(i) // 6
}

func (l *hesselink15ExitNoWait) Unlock(i int) {
	l.clear(i)
	l.inner.Unlock(i) // 9
}

type aravindF4WaitsForNobody struct{ hesselink15Base }

func (l *aravindF4WaitsForNobody) Lock(i int) {
	l.doorway(i)
	for q := range l.turn { // 5
		if q != i {
			spin.Until(func() bool { return l.read(q) != l.copied[i][q] })
		}
	}
	l.inner.Lock(i) // 6
	l.clear(i)
	l.doorways(i)
}

type aravindF4NoInner struct{ hesselink15Base }

func (l *aravindF4NoInner) Lock(i int) {
	l.doorway(i)
	l.await(i)
	l.clear(i)
	l.doorways(i)
}

func (l *aravindF4NoInner) Unlock(int) {}
