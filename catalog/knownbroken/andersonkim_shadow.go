package knownbroken

import (
	"errors"
	"sync/atomic"

	"shmbench/peterson"
	"shmbench/shm"
	"shmbench/tournament"
)

// andersonKimShadow is Anderson and Kim's fast path as the C suite has it. A parameter called
// y hides the shared y from the exit section of a slow process. The lock excludes and no
// process starves, so it passes every test of that. But only the exit section of the fast path
// opens the fast path. Once a slow process is the last to leave, all processes are slow for
// good, also an uncontended one, for which the lock was made.
var andersonKimShadow = made(Lock{
	Algorithm: shm.Algorithm{
		Name:  "knownbroken/andersonkim-shadow",
		Title: "Anderson and Kim's fast path with a hidden y",
		Source: shm.Source{
			Author: "Peter A. Buhr and others",
			Title:  "AndersonKim.c",
			Venue:  "github.com/pabuhr/concurrent-locking",
			Year:   2026,
		},
		Class:    shm.ReadWrite,
		MinProcs: 1,
		MaxProcs: shm.MaxProcs,
		Claims:   shm.Claims{DeadlockFree: true, StarvationFree: true},
		Space: shm.Space{
			{Name: "x", Count: shm.Const(1), Values: shm.N},
			{Name: "y", Count: shm.Const(1), Values: shm.NPlus1},
			{Name: "reset", Count: shm.Const(1), Values: shm.Formula{Text: "2n", At: func(n int) int { return 2 * n }}},
			{Name: "nameTaken", Count: shm.N, Values: shm.Const(2)},
			{Name: "obstacle", Count: shm.N, Values: shm.Const(2), SingleWriter: true},
			{Name: "infast", Count: shm.Const(1), Values: shm.Const(2)},
			{Name: "q", Count: shm.Formula{Text: "2n", At: func(n int) int { return 2 * n }}, Values: shm.Const(2)},
			{Name: "turn", Count: shm.N, Values: shm.Const(2)},
		},
		Invariants: []shm.Invariant{{
			Name: "open",
			Source: shm.Source{
				Author: "James H. Anderson and Yong-Jik Kim",
				Title:  "A new fast-path mechanism for mutual exclusion",
				Venue:  "Distributed Computing 14(1)",
				Year:   2001,
				Page:   "17-29",
			},
			Holds: func(v shm.View) error {
				if v.Int("y")%2 == 0 && shm.In(v, shm.Remainder) == v.N() {
					return errors.New("all processes are in their remainder sections, and y is not free")
				}
				return nil
			},
		}},
	},
	Read:     "github.com/pabuhr/concurrent-locking, AndersonKim.c, function SLOW2, commit f32f830c225c1fbfb6552c89364d0d37de99b977",
	Claimed:  "that it is the algorithm of fig. 4 of the paper, in which a process that is alone goes the fast way",
	Property: invariant("open"),
	Verdict:  "a process that leaves the slow path closes the shared y with line 3 and opens its own copy, so the fast path stays closed.",
	Procs:    2,
	Memory:   Consistent,
	Steps:    30,
	Fix:      "lines 20 and 27 write the shared y",
	Fixed:    "fast/andersonkim",
}, func(n int) shm.Mutex { return newAndersonKimHidden(n) })

// andersonKimHidden is the algorithm of fast.AndersonKimMutex, its lines numbered as
// there, with two exceptions:
//
//	20 y' := (false, 0)
//	27 y' := (true, y'.indx + 1 mod n)
type andersonKimHidden struct {
	x         atomic.Uint32
	y, reset  atomic.Uint32 // (free, indx) is 2 indx + free
	infast    atomic.Bool
	nameTaken []atomic.Bool
	obstacle  []atomic.Bool
	join      shm.Mutex
	slow      shm.Mutex
	way       []andersonKimWay
}

// andersonKimWay is the path that a process took: the fast path under the name indx, SLOW2 or
// SLOW1.
type andersonKimWay struct {
	fast, slow2 bool
	indx        uint32
}

func newAndersonKimHidden(n int) *andersonKimHidden {
	slow, err := tournament.NewPetersonBuhr(n, shm.Packed, shm.Sequential)
	if err != nil {
		panic(err)
	}
	join, err := peterson.NewPeterson(2, shm.Packed, shm.Sequential)
	if err != nil {
		panic(err)
	}
	l := &andersonKimHidden{
		nameTaken: make([]atomic.Bool, n),
		obstacle:  make([]atomic.Bool, n),
		join:      join,
		slow:      slow,
		way:       make([]andersonKimWay, n),
	}
	l.y.Store(1)
	l.reset.Store(1)
	return l
}

func (l *andersonKimHidden) Lock(i int) {
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
func (l *andersonKimHidden) enter(i int) andersonKimWay {
	l.x.Store(uint32(i)) // 1
	y := l.y.Load()      // 2
	if y%2 == 0 {
		return andersonKimWay{}
	}
	l.y.Store(0)                                    // 3
	l.obstacle[i].Store(true)                       // 4
	if l.x.Load() != uint32(i) || l.infast.Load() { // 5
		return andersonKimWay{slow2: true}
	}
	l.nameTaken[y/2].Store(true) // 6
	if l.reset.Load() != y {     // 7
		l.nameTaken[y/2].Store(false) // 8
		return andersonKimWay{slow2: true}
	}
	l.infast.Store(true) // 9
	return andersonKimWay{fast: true, indx: y / 2}
}

func (l *andersonKimHidden) Unlock(i int) {
	w := l.way[i]
	if w.fast {
		l.obstacle[i].Store(false)      // 12
		l.reset.Store(2 * w.indx)       // 13
		if !l.obstacle[w.indx].Load() { // 14
			l.reset.Store(l.next(w.indx)) // 15
			l.y.Store(l.next(w.indx))     // 16
		}
		l.nameTaken[w.indx].Store(false) // 17
		l.join.Unlock(1)                 // 18
		l.infast.Store(false)            // 19
		return
	}
	if w.slow2 {
		l.x.Store(uint32(i))                                 // 21
		y := l.reset.Load() / 2                              // 20, 22
		l.obstacle[i].Store(false)                           // 23
		l.reset.Store(2 * y)                                 // 24
		if !l.nameTaken[y].Load() && !l.obstacle[y].Load() { // 25
			l.reset.Store(l.next(y)) // 26, 27
		}
	}
	l.join.Unlock(0) // 28
	l.slow.Unlock(i) // 28
}

// next is the word (true, indx + 1 mod n).
func (l *andersonKimHidden) next(indx uint32) uint32 {
	return (indx+1)%uint32(len(l.obstacle))*2 + 1
}
