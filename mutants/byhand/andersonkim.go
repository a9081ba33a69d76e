package byhand

import (
	"sync/atomic"

	"shmbench/fast"
	"shmbench/shm"
)

var andersonKim = fast.AndersonKim(shm.Packed)

// stillOnItsWay is what it takes to show the faults of this lock.
const stillOnItsWay = "a process must stand still on its way in while others open the fast way again"

var andersonKims = []Mutant{
	mutate(andersonKim, "andersonkim-no-obstacle", "the fast way is opened again without a look at obstacle, while the process of that name is still on its way", Safety, 2,
		func(n int) shm.Mutex { return newAndersonKim(n, 14) }).outOfReach(stillOnItsWay),
	mutate(andersonKim, "andersonkim-no-infast", "nobody looks at infast, so that a second comes while the first is on the fast way", Safety, 2,
		func(n int) shm.Mutex { return newAndersonKim(n, 5) }).outOfReach(stillOnItsWay),
	mutate(andersonKim, "andersonkim-no-reset", "who has taken a name does not look at reset, and so may have taken an old one", Safety, 2,
		func(n int) shm.Mutex { return newAndersonKim(n, 7) }).outOfReach(stillOnItsWay),
	mutate(andersonKim, "andersonkim-y-kept", "the exit section of the fast way opens it in reset only, and after it only a slow process does", Equivalent, 2,
		func(n int) shm.Mutex { return newAndersonKim(n, 16) }),
}

// andersonKimMutant is Anderson and Kim's fast path, and one of its lines is not as it
// should be:
//
//	entry section of process i:
//	1  x := i
//	2  y' := y; if not y'.free then go to SLOW1
//	3  y := (false, 0)
//	4  obstacle[i] := true
//	5  if x is not i or infast then go to SLOW2      (wrong: without infast)
//	6  nameTaken[y'.indx] := true
//	7  if reset is not y' then                       (wrong: left out, with 8)
//	8      nameTaken[y'.indx] := false; go to SLOW2
//	9  infast := true
//	10 enter join as process 1
//	SLOW1, SLOW2:
//	11 enter slow as process i; enter join as process 0
//	exit section of process i, by the way it came:
//	12 obstacle[i] := false
//	13 reset := (false, y'.indx)
//	14 if not obstacle[y'.indx] then                 (wrong: always)
//	15     reset := (true, y'.indx + 1 mod n)
//	16     y := (true, y'.indx + 1 mod n)            (wrong: left out)
//	17 nameTaken[y'.indx] := false
//	18 leave join as process 1
//	19 infast := false
//	SLOW2:
//	20 y := (false, 0)
//	21 x := i
//	22 y' := reset
//	23 obstacle[i] := false
//	24 reset := (false, y'.indx)
//	25 if not nameTaken[y'.indx] and not obstacle[y'.indx] then
//	26     reset := (true, y'.indx + 1 mod n)
//	27     y := (true, y'.indx + 1 mod n)
//	SLOW1, SLOW2:
//	28 leave join as process 0; leave slow as process i
type andersonKimMutant struct {
	wrong     int // the line
	x         atomic.Uint32
	y, reset  atomic.Uint32 // (free, indx) is 2 indx + free
	infast    atomic.Bool
	nameTaken []atomic.Bool
	obstacle  []atomic.Bool
	join      petersonNode
	slow      tournamentBase
	way       []andersonKimWay
}

// andersonKimWay is how a process came.
type andersonKimWay struct {
	fast, slow2 bool
	indx        uint32
}

func newAndersonKim(n, wrong int) *andersonKimMutant {
	l := &andersonKimMutant{
		wrong:     wrong,
		nameTaken: make([]atomic.Bool, n),
		obstacle:  make([]atomic.Bool, n),
		slow:      newTournament(n),
		way:       make([]andersonKimWay, n),
	}
	l.y.Store(1)
	l.reset.Store(1)
	return l
}

func (l *andersonKimMutant) Lock(i int) {
	w := l.enter(i)
	if w.fast {
		l.join.Lock(1) // 10
	} else {
		l.slow.Lock(i) // 11
		l.join.Lock(0) // 11
	}
	l.way[i] = w
}

// enter is lines 1 to 9.
func (l *andersonKimMutant) enter(i int) andersonKimWay {
	l.x.Store(uint32(i)) // 1
	y := l.y.Load()      // 2
	if y%2 == 0 {
		return andersonKimWay{}
	}
	l.y.Store(0)                                                    // 3
	l.obstacle[i].Store(true)                                       // 4
	if l.x.Load() != uint32(i) || l.wrong != 5 && l.infast.Load() { // 5
		return andersonKimWay{slow2: true}
	}
	l.nameTaken[y/2].Store(true)             // 6
	if l.wrong != 7 && l.reset.Load() != y { // 7
		l.nameTaken[y/2].Store(false) // 8
		return andersonKimWay{slow2: true}
	}
	l.infast.Store(true) // 9
	return andersonKimWay{fast: true, indx: y / 2}
}

func (l *andersonKimMutant) Unlock(i int) {
	w := l.way[i]
	if w.fast {
		l.obstacle[i].Store(false)                       // 12
		l.reset.Store(2 * w.indx)                        // 13
		if l.wrong == 14 || !l.obstacle[w.indx].Load() { // 14
			l.open(w.indx, l.wrong != 16)
		}
		l.nameTaken[w.indx].Store(false) // 17
		l.join.Unlock(1)                 // 18
		l.infast.Store(false)            // 19
		return
	}
	if w.slow2 {
		l.y.Store(0)                                               // 20
		l.x.Store(uint32(i))                                       // 21
		indx := l.reset.Load() / 2                                 // 22
		l.obstacle[i].Store(false)                                 // 23
		l.reset.Store(2 * indx)                                    // 24
		if !l.nameTaken[indx].Load() && !l.obstacle[indx].Load() { // 25
			l.open(indx, true)
		}
	}
	l.join.Unlock(0) // 28
	l.slow.Unlock(i) // 28
}

// open is lines 15 and 16, and 26 and 27.
func (l *andersonKimMutant) open(indx uint32, y bool) {
	next := (indx+1)%uint32(len(l.obstacle))*2 + 1
	l.reset.Store(next) // 15, 26
	if y {
		l.y.Store(next) // 16, 27
	}
}
