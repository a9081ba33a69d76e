package byhand

import (
	"shmbench/bakery"
	"shmbench/burns"
	"shmbench/peterson"
	"shmbench/register"
	"shmbench/shm"
	"shmbench/spin"
	"shmbench/tournament"
)

var (
	releasedBakery     = bakery.Lamport(shm.Packed, shm.Released)
	releasedBurnsLynch = burns.BurnsLynch(shm.Packed, shm.Released)
	releasedFilter     = peterson.Filter(shm.Packed, shm.Released)
	releasedTree       = tournament.Peterson(shm.Packed, shm.Released)
)

// releasedForMany are locks of n processes with a release too many.
var releasedForMany = []Mutant{
	release(releasedBakery, "bakery-choosing-released", "choosing is set by a released store, so that a number is read before it shows",
		func(n int) shm.Mutex {
			return &bakeryChoosingReleased{newBakeryReleased(n)}
		}).outOfReach("one store must stay in its buffer for as long as the other process takes to its critical section; a run meets that now and then"),
	release(releasedBakery, "bakery-number-released", "choosing is cleared by a released store too, so that nothing takes the number to memory",
		func(n int) shm.Mutex {
			return &bakeryNumberReleased{newBakeryReleased(n)}
		}),
	release(releasedBurnsLynch, "burnslynch-flag-released", "flag is set by a released store",
		func(n int) shm.Mutex { return &burnsLynchFlagReleased{make([]register.Bool, n)} }),
	release(releasedFilter, "filter-level-released", "a level is taken by released stores alone",
		func(n int) shm.Mutex {
			return &filterLevelReleased{q: make([]register.Uint32, n), turn: make([]register.Uint32, n-1)}
		}),
}

// bakeryReleased is the bakery, its lines as in bakeryBase.
type bakeryReleased struct {
	choosing []register.Bool
	number   []register.Uint64
}

func newBakeryReleased(n int) bakeryReleased {
	return bakeryReleased{choosing: make([]register.Bool, n), number: make([]register.Uint64, n)}
}

// next is the number that comes after all.
func (l *bakeryReleased) next() uint64 {
	var m uint64
	for j := range l.number {
		m = max(m, l.number[j].Load())
	}
	return m + 1
}

// await is lines 4 to 6.
func (l *bakeryReleased) await(i int, number uint64) {
	for j := range l.number { // 4
		if j == i {
			continue
		}
		spin.Until(func() bool { return !l.choosing[j].Load() }) // 5
		spin.Until(func() bool {                                 // 6
			other := l.number[j].Load()
			return other == 0 || other > number || other == number && j > i
		})
	}
}

func (l *bakeryReleased) Unlock(i int) {
	l.number[i].StoreRelease(0) // 7
}

type bakeryChoosingReleased struct{ bakeryReleased }

func (l *bakeryChoosingReleased) Lock(i int) {
	l.choosing[i].StoreRelease(true) // 1
	number := l.next()               // 2
	l.number[i].StoreRelease(number) // 2
	l.choosing[i].Store(false)       // 3
	l.await(i, number)
}

type bakeryNumberReleased struct{ bakeryReleased }

func (l *bakeryNumberReleased) Lock(i int) {
	l.choosing[i].Store(true)         // 1
	number := l.next()                // 2
	l.number[i].StoreRelease(number)  // 2
	l.choosing[i].StoreRelease(false) // 3
	l.await(i, number)
}

// burnsLynchFlagReleased has its lines as in burnsLynchBase.
type burnsLynchFlagReleased struct{ flag []register.Bool }

func (l *burnsLynchFlagReleased) Lock(i int) {
	for {
		l.flag[i].StoreRelease(false) // 1
		l.await(0, i)                 // 2
		l.flag[i].StoreRelease(true)  // 3
		if l.first(i) {               // 4
			break
		}
		spin.Pause()
	}
	l.await(i+1, len(l.flag)) // 5
}

func (l *burnsLynchFlagReleased) await(from, to int) {
	for j := from; j < to; j++ { // 2, 5
		spin.Until(func() bool { return !l.flag[j].Load() })
	}
}

func (l *burnsLynchFlagReleased) first(i int) bool {
	for j := range i { // 4
		if l.flag[j].Load() {
			return false
		}
	}
	return true
}

func (l *burnsLynchFlagReleased) Unlock(i int) {
	l.flag[i].StoreRelease(false) // 6
}

// filterLevelReleased has its lines as in filterBase.
type filterLevelReleased struct {
	q    []register.Uint32
	turn []register.Uint32 // turn[j] is at j-1
}

func (l *filterLevelReleased) Lock(i int) {
	for j := 1; j < len(l.q); j++ { // 1
		l.q[i].StoreRelease(uint32(j))      // 2
		l.turn[j-1].StoreRelease(uint32(i)) // 3
		spin.Until(func() bool {            // 4
			return l.below(i, uint32(j)) || l.turn[j-1].Load() != uint32(i)
		})
	}
}

// below reports whether every process other than i is below the level.
func (l *filterLevelReleased) below(i int, level uint32) bool {
	for k := range l.q {
		if k != i && l.q[k].Load() >= level {
			return false
		}
	}
	return true
}

func (l *filterLevelReleased) Unlock(i int) {
	l.q[i].StoreRelease(0) // 5
}
