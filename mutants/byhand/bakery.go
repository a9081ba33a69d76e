package byhand

import (
	"sync/atomic"

	"shmbench/bakery"
	"shmbench/shm"
	"shmbench/spin"
)

var lamport = bakery.Lamport(shm.Packed, shm.Sequential)

var numbersOnly = shm.Space{{Name: "number", Count: shm.N, SingleWriter: true}}

var bakeries = []Mutant{
	mutate(lamport, "bakery-no-choosing", "the number is chosen in the open, without choosing", Safety, 2,
		func(n int) shm.Mutex { return &bakeryNoChoosing{newBakery(n)} }).with(numbersOnly),
	mutate(lamport, "bakery-choosing-not-awaited", "choosing is set and never awaited", Safety, 2,
		func(n int) shm.Mutex { return &bakeryChoosingNotAwaited{newBakery(n)} }),
	mutate(lamport, "bakery-tie-both", "in a tie both processes enter", Safety, 2,
		func(n int) shm.Mutex { return &bakeryTieBoth{newBakery(n)} }),
	mutate(lamport, "bakery-no-plus-one", "the number is the largest seen, not one more", Safety, 2,
		func(n int) shm.Mutex { return &bakeryNoPlusOne{newBakery(n)} }).with(shm.Space{lamport.Space[0],
		{Name: "number", Count: shm.N, Values: shm.Const(1), SingleWriter: true}}),
	mutate(lamport, "bakery-lower-ids-only", "a process waits only for those with smaller ids", Safety, 2,
		func(n int) shm.Mutex { return &bakeryLowerIDsOnly{newBakery(n)} }),
	mutate(lamport, "bakery-impatient", "a process enters after five polls of another's number", Safety, 2,
		func(n int) shm.Mutex { return &bakeryImpatient{newBakery(n)} }),
	mutate(lamport, "bakery-tie-nobody", "in a tie neither process enters", Deadlock, 2,
		func(n int) shm.Mutex { return &bakeryTieNobody{newBakery(n)} }),
	mutate(lamport, "bakery-no-reset", "the exit section leaves the number", Deadlock, 2,
		func(n int) shm.Mutex { return &bakeryNoReset{newBakery(n)} }),
	mutate(lamport, "bakery-choosing-not-cleared", "choosing stays true", Deadlock, 2,
		func(n int) shm.Mutex { return &bakeryChoosingNotCleared{newBakery(n)} }),
	mutate(lamport, "bakery-number-twice", "the other's number is read anew for each comparison", Equivalent, 2,
		func(n int) shm.Mutex { return &bakeryNumberTwice{newBakery(n)} }),
}

// bakeryBase is the correct bakery in pieces:
//
//	entry section of process i:
//	1  choosing[i] := true
//	2  number[i] := 1 + max(number[0], ..., number[n-1])
//	3  choosing[i] := false
//	4  for j := 0 to n-1, except i:
//	5      wait until choosing[j] = false
//	6      wait until number[j] = 0 or (number[j], j) > (number[i], i)
//	exit section:
//	7  number[i] := 0
type bakeryBase struct {
	choosing []atomic.Bool
	number   []atomic.Uint64
}

func newBakery(n int) bakeryBase {
	return bakeryBase{choosing: make([]atomic.Bool, n), number: make([]atomic.Uint64, n)}
}

// choose is lines 1 to 3 and returns the number.
func (l *bakeryBase) choose(i int) uint64 {
	l.choosing[i].Store(true)  // 1
	number := 1 + l.max()      // 2
	l.number[i].Store(number)  // 2
	l.choosing[i].Store(false) // 3
	return number
}

func (l *bakeryBase) max() uint64 {
	var m uint64
	for j := range l.number {
		m = max(m, l.number[j].Load())
	}
	return m
}

// awaitChoosing is line 5.
func (l *bakeryBase) awaitChoosing(j int) {
	spin.Until(func() bool { return !l.choosing[j].Load() })
}

// awaitNumber is line 6.
func (l *bakeryBase) awaitNumber(j, i int, number uint64) {
	spin.Until(func() bool {
		other := l.number[j].Load()
		return other == 0 || other > number || other == number && j > i
	})
}

func (l *bakeryBase) Unlock(i int) {
	l.number[i].Store(0) // 7
}

type bakeryNoChoosing struct{ bakeryBase }

func (l *bakeryNoChoosing) Lock(i int) {
	number := 1 + l.max()
	l.number[i].Store(number)
	for j := range l.number {
		if j != i {
			l.awaitNumber(j, i, number)
		}
	}
}

type bakeryChoosingNotAwaited struct{ bakeryBase }

func (l *bakeryChoosingNotAwaited) Lock(i int) {
	number := l.choose(i)
	for j := range l.number {
		if j != i {
			l.awaitNumber(j, i, number)
		}
	}
}

type bakeryTieBoth struct{ bakeryBase }

func (l *bakeryTieBoth) Lock(i int) {
	number := l.choose(i)
	for j := range l.number {
		if j == i {
			continue
		}
		l.awaitChoosing(j)
		spin.Until(func() bool {
			other := l.number[j].Load()
			return other == 0 || other >= number
		})
	}
}

type bakeryNoPlusOne struct{ bakeryBase }

func (l *bakeryNoPlusOne) Lock(i int) {
	l.choosing[i].Store(true)
	number := l.max()
	l.number[i].Store(number)
	l.choosing[i].Store(false)
	for j := range l.number {
		if j != i {
			l.awaitChoosing(j)
			l.awaitNumber(j, i, number)
		}
	}
}

type bakeryLowerIDsOnly struct{ bakeryBase }

func (l *bakeryLowerIDsOnly) Lock(i int) {
	number := l.choose(i)
	for j := range i {
		l.awaitChoosing(j)
		l.awaitNumber(j, i, number)
	}
}

type bakeryImpatient struct{ bakeryBase }

func (l *bakeryImpatient) Lock(i int) {
	number := l.choose(i)
	for j := range l.number {
		if j == i {
			continue
		}
		l.awaitChoosing(j)
		for range 5 {
			other := l.number[j].Load()
			if other == 0 || other > number || other == number && j > i {
				break
			}
			spin.Pause()
		}
	}
}

type bakeryTieNobody struct{ bakeryBase }

func (l *bakeryTieNobody) Lock(i int) {
	number := l.choose(i)
	for j := range l.number {
		if j == i {
			continue
		}
		l.awaitChoosing(j)
		spin.Until(func() bool {
			other := l.number[j].Load()
			return other == 0 || other > number
		})
	}
}

type bakeryNoReset struct{ bakeryBase }

func (l *bakeryNoReset) Lock(i int) {
	number := l.choose(i)
	for j := range l.number {
		if j != i {
			l.awaitChoosing(j)
			l.awaitNumber(j, i, number)
		}
	}
}

func (l *bakeryNoReset) Unlock(int) {}

type bakeryChoosingNotCleared struct{ bakeryBase }

func (l *bakeryChoosingNotCleared) Lock(i int) {
	l.choosing[i].Store(true)
	number := 1 + l.max()
	l.number[i].Store(number)
	for j := range l.number {
		if j != i {
			l.awaitChoosing(j)
			l.awaitNumber(j, i, number)
		}
	}
}

type bakeryNumberTwice struct{ bakeryBase }

func (l *bakeryNumberTwice) Lock(i int) {
	number := l.choose(i)
	for j := range l.number {
		if j == i {
			continue
		}
		l.awaitChoosing(j)
		spin.Until(func() bool {
			return l.number[j].Load() == 0 ||
				l.number[j].Load() > number ||
				l.number[j].Load() == number && j > i
		})
	}
}
