package byhand

import (
	"math"

	"shmbench/bakery"
	"shmbench/register"
	"shmbench/shm"
	"shmbench/spin"
)

var (
	hehner              = bakery.HehnerShyamasundar(shm.Packed)
	boulangerie2015     = bakery.Boulangerie(shm.Packed, shm.Sequential)
	releasedBoulangerie = bakery.Boulangerie(shm.Packed, shm.Released)
)

var hehners = []Mutant{
	mutate(hehner, "hehnershyamasundar-unannounced", "a process chooses with the ticket of one that is out", Safety, 2,
		func(n int) shm.Mutex { return &hehnerUnannounced{newHehner(n)} }),
	mutate(hehner, "hehnershyamasundar-tie-nobody", "of two equal tickets neither comes first", Deadlock, 2,
		func(n int) shm.Mutex { return &hehnerTieNobody{newHehner(n)} }),
}

// hehnerBase is Hehner and Shyamasundar's bakery in pieces:
//
//	entry section of process i:
//	1  ticket[i] := 0
//	2  mine := 1 + max of all ticket[j] that are not infinity
//	3  ticket[i] := mine
//	4  for j := 0 to n-1, except i:
//	5      wait until (ticket[j], j) > (mine, i)
//	exit section:
//	6  ticket[i] := infinity
type hehnerBase struct{ ticket []register.Uint64 }

const infinity = math.MaxUint64

func newHehner(n int) hehnerBase {
	l := hehnerBase{ticket: make([]register.Uint64, n)}
	for i := range l.ticket {
		l.ticket[i].Store(infinity)
	}
	return l
}

// next is line 2.
func (l *hehnerBase) next(i int) uint64 {
	var m uint64
	for j := range l.ticket {
		if j != i {
			if ticket := l.ticket[j].Load(); ticket != infinity {
				m = max(m, ticket)
			}
		}
	}
	return m + 1
}

// take is lines 3 to 5.
func (l *hehnerBase) take(i int, mine uint64) {
	l.ticket[i].Store(mine)   // 3
	for j := range l.ticket { // 4
		if j != i {
			spin.Until(func() bool { // 5
				ticket := l.ticket[j].Load()
				return ticket > mine || ticket == mine && j > i
			})
		}
	}
}

func (l *hehnerBase) Unlock(i int) {
	l.ticket[i].Store(infinity) // 6
}

type hehnerUnannounced struct{ hehnerBase }

func (l *hehnerUnannounced) Lock(i int) { l.take(i, l.next(i)) }

type hehnerTieNobody struct{ hehnerBase }

func (l *hehnerTieNobody) Lock(i int) {
	l.ticket[i].Store(0)      // 1
	mine := l.next(i)         // 2
	l.ticket[i].Store(mine)   // 3
	for j := range l.ticket { // 4
		if j != i {
			spin.Until(func() bool { return l.ticket[j].Load() > mine }) // 5
		}
	}
}

var boulangeries = []Mutant{
	mutate(boulangerie2015, "boulangerie-flag-unread", "flag is set and never awaited", Safety, 2,
		func(n int) shm.Mutex { return &boulangerieFlagUnread{newBoulangerie(n)} }),
	mutate(boulangerie2015, "boulangerie-number-two", "number 2 does not wait for larger ids either", Safety, 2,
		func(n int) shm.Mutex { return &boulangerieNumberTwo{newBoulangerie(n)} }),
	mutate(boulangerie2015, "boulangerie-never-resets", "the exit section leaves the number, and nobody sees it change", Deadlock, 2,
		func(n int) shm.Mutex { return &boulangerieNeverResets{newBoulangerie(n)} }),
	release(releasedBoulangerie, "boulangerie-flag-released", "flag is cleared by a released store too, and nothing takes the number to memory",
		func(n int) shm.Mutex {
			l := &boulangerieFlagReleased{newBoulangerie(n)}
			l.released = true
			return l
		}),
}

// boulangerieBase is the boulangerie in pieces:
//
//	entry section of process i:
//	1  flag[i] := true
//	2  num[i] := m := 1 + max of all num[j]
//	3  flag[i] := false
//	4  for j := 0 to n-1, except i; if m = 1, for j := 0 to i-1:
//	5      wait until flag[j] = false
//	6      mine, was := num[i], num[j]
//	       if was is not 0 and (was, j) < (mine, i) then
//	7          wait until num[j] is not was
//	exit section:
//	8  num[i] := 0
type boulangerieBase struct {
	flag     []register.Bool
	num      []register.Uint64
	released bool // line 2 is
}

func newBoulangerie(n int) boulangerieBase {
	return boulangerieBase{flag: make([]register.Bool, n), num: make([]register.Uint64, n)}
}

// choose is lines 1 and 2, and returns m.
func (l *boulangerieBase) choose(i int) uint64 {
	l.flag[i].Store(true) // 1
	var m uint64
	for j := range l.num {
		if j != i {
			m = max(m, l.num[j].Load())
		}
	}
	l.num[i].StoreReleaseIf(l.released, m+1) // 2
	return m + 1
}

// rivals is how many processes line 4 goes through where number alone is the
// largest number that waits for smaller ids only.
func (l *boulangerieBase) rivals(i int, m, alone uint64) int {
	if m <= alone {
		return i
	}
	return len(l.num)
}

// awaitFlag is line 5.
func (l *boulangerieBase) awaitFlag(j int) {
	spin.Until(func() bool { return !l.flag[j].Load() })
}

// awaitNumber is lines 6 and 7.
func (l *boulangerieBase) awaitNumber(i, j int) {
	mine, was := l.num[i].Load(), l.num[j].Load() // 6
	if was != 0 && (was < mine || was == mine && j < i) {
		spin.Until(func() bool { return l.num[j].Load() != was }) // 7
	}
}

// await is lines 4 to 7.
func (l *boulangerieBase) await(i, rivals int) {
	for j := range rivals { // 4
		if j != i {
			l.awaitFlag(j)      // 5
			l.awaitNumber(i, j) // 6, 7
		}
	}
}

func (l *boulangerieBase) Lock(i int) {
	m := l.choose(i)              // 1, 2
	l.flag[i].Store(false)        // 3
	l.await(i, l.rivals(i, m, 1)) // 4-7
}

func (l *boulangerieBase) Unlock(i int) {
	l.num[i].Store(0) // 8
}

type boulangerieFlagUnread struct{ boulangerieBase }

func (l *boulangerieFlagUnread) Lock(i int) {
	m := l.choose(i)                   // 1, 2
	l.flag[i].Store(false)             // 3
	for j := range l.rivals(i, m, 1) { // 4
		if j != i {
			l.awaitNumber(i, j) // 6, 7
		}
	}
}

type boulangerieNumberTwo struct{ boulangerieBase }

func (l *boulangerieNumberTwo) Lock(i int) {
	m := l.choose(i)              // 1, 2
	l.flag[i].Store(false)        // 3
	l.await(i, l.rivals(i, m, 2)) // 4-7
}

type boulangerieNeverResets struct{ boulangerieBase }

func (l *boulangerieNeverResets) Unlock(int) {}

type boulangerieFlagReleased struct{ boulangerieBase }

func (l *boulangerieFlagReleased) Lock(i int) {
	m := l.choose(i)              // 1, 2
	l.flag[i].StoreRelease(false) // 3
	l.await(i, l.rivals(i, m, 1)) // 4-7
}
