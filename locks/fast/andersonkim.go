package fast

import (
	"sync/atomic"

	"shmbench/shm"
)

var andersonKimSource = shm.Source{
	Author: "James H. Anderson and Yong-Jik Kim",
	Title:  "A new fast-path mechanism for mutual exclusion",
	Venue:  "Distributed Computing 14(1)",
	Year:   2001,
	Page:   "17-29",
}

// AndersonKim returns the specification of Anderson and Kim's fast path before a tree of
// Peterson's locks for a layout of its registers.
func AndersonKim(layout shm.Layout) shm.Algorithm {
	return shm.Algorithm{
		Name:     "fast/andersonkim",
		Title:    "Anderson and Kim's fast path before a tree of Peterson's locks",
		Source:   andersonKimSource,
		Class:    shm.ReadWrite,
		MinProcs: 1,
		MaxProcs: shm.MaxProcs,
		Claims: shm.Claims{
			DeadlockFree:   true,
			StarvationFree: true,
			Weakest:        shm.Weakest{Exclusion: shm.Atomic, DeadlockFree: shm.Regular, StarvationFree: shm.Atomic},
		},
		Space: petersons.space(shm.Space{
			{Name: "x", Count: shm.Const(1), Values: shm.N},
			{Name: "y", Count: shm.Const(1), Values: shm.NPlus1},
			{Name: "reset", Count: shm.Const(1), Values: shm.Formula{Text: "2n", At: func(n int) int { return 2 * n }}},
			{Name: "nameTaken", Count: shm.N, Values: shm.Const(2)},
			{Name: "obstacle", Count: shm.N, Values: shm.Const(2), SingleWriter: true},
			{Name: "infast", Count: shm.Const(1), Values: shm.Const(2)},
		}),
		Layout:     layout,
		Invariants: open(andersonKimSource, "y", func(y int) bool { return y&1 == 1 }),
		New:        func(n int) (shm.Mutex, error) { return NewAndersonKim(n, petersons, layout) },
	}
}

// AndersonKimMutex is a lock with a fast path. The fast path has a name, one of n in turn, and
// gets the next name each time it is opened. A process that takes the fast path takes the
// name. No process reads more than one name.
//
// Source: James H. Anderson and Yong-Jik Kim, "A new fast-path mechanism for mutual
// exclusion", Distributed Computing 14(1), 2001, p. 17-29, fig. 4, as it is in
// AndersonKim.c of github.com/pabuhr/concurrent-locking, commit f32f830; the paper was
// not read.
//
// Registers: x, the id of the last process that arrived; y and reset, two words that each hold
// a bit free and a name indx; nameTaken[k], a bit that says that name k is in use;
// obstacle[i], a bit that says that process i is between lines 4 and 12 or 23; infast, a bit
// that says that a process is on the fast path. Process i writes obstacle[i], and all
// processes write the others. All read all. Besides, the registers of join and slow.
//
// Properties: mutual exclusion, because the fast path has one process at a time. Of the
// processes that read one free y, at most one finds x unchanged on line 5. The fast path is
// opened again under the next name. It is opened only if the old name is not in use and the
// process of that number is not on its way. So a process that read a name n openings ago finds
// reset changed. Starvation-free: a process waits only in join and slow, which are
// starvation-free. Waiting is not bounded, and there is no order of arrival: processes on the
// fast path can pass a process on its way to slow. An uncontended process makes 16 accesses
// besides those of join, and every process at most 18 besides those of join and slow, for
// every n. On regular registers the lock loses exclusion, and with it starvation freedom, as
// YangAndersonMutex does. For three processes that was not fully explored.
//
// There is no doorway.
//
//	entry section of process i:
//	1  x := i
//	2  y' := y; if not y'.free then go to SLOW1
//	3  y := (false, 0)
//	4  obstacle[i] := true
//	5  if x is not i or infast then go to SLOW2
//	6  nameTaken[y'.indx] := true
//	7  if reset is not y' then
//	8      nameTaken[y'.indx] := false; go to SLOW2
//	9  infast := true
//	10 enter join as process 1
//	SLOW1, SLOW2:
//	11 enter slow as process i; enter join as process 0
//	exit section of process i, by the way it came:
//	12 obstacle[i] := false
//	13 reset := (false, y'.indx)
//	14 if not obstacle[y'.indx] then
//	15     reset := (true, y'.indx + 1 mod n)
//	16     y := (true, y'.indx + 1 mod n)
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
//
// Released stores: none. Lines 3, 9 and 11 to 19 could be, but then three processes have too
// many states to be checked in seconds.
//
// Deviations: the paper builds the slow lock and join from Yang and Anderson's lock for two
// processes, which can be given here.
type AndersonKimMutex struct {
	_         shm.NoCopy
	n         uint32
	x         *atomic.Uint32
	y, reset  *atomic.Uint32
	infast    *atomic.Uint32
	nameTaken shm.Array[atomic.Bool]
	obstacle  shm.Array[atomic.Bool]
	join      shm.Mutex
	slow      shm.Mutex
	way       shm.Array[way] // way[i] is of process i alone
}

// way is the path that a process took.
type way struct {
	fast bool
	read bool   // y was free: otherwise it is SLOW1
	indx uint32 // of the fast way
}

// NewAndersonKim returns the lock for n processes with a slow path. It returns that
// path's error, or a *shm.ProcsError.
func NewAndersonKim(n int, s SlowPath, layout shm.Layout) (*AndersonKimMutex, error) {
	slow, joins, err := s.locks("fast/andersonkim", n, 1, layout, shm.Sequential)
	if err != nil {
		return nil, err
	}
	r := shm.NewArray[atomic.Uint32](4, layout)
	l := &AndersonKimMutex{
		n:         uint32(n),
		x:         r.At(0),
		y:         r.At(1),
		reset:     r.At(2),
		infast:    r.At(3),
		nameTaken: shm.NewArray[atomic.Bool](n, layout),
		obstacle:  shm.NewArray[atomic.Bool](n, layout),
		join:      joins[0],
		slow:      slow,
		way:       shm.NewArray[way](n, shm.Padded),
	}
	l.y.Store(free(0))
	l.reset.Store(free(0))
	return l, nil
}

// The word (free, indx) is 2 indx + free.

func free(indx uint32) uint32   { return indx<<1 | 1 }
func closed(indx uint32) uint32 { return indx << 1 }
func indx(word uint32) uint32   { return word >> 1 }

// Lock acquires the lock for process i.
func (l *AndersonKimMutex) Lock(i int) {
	w := l.enter(i)
	if w.fast {
		l.join.Lock(1) // 10
	} else {
		l.slow.Lock(i) // 11
		l.join.Lock(0) // 11
	}
	*l.way.At(i) = w
}

// enter is lines 1 to 9.
func (l *AndersonKimMutex) enter(i int) way {
	me := uint32(i)
	l.x.Store(me)   // 1
	y := l.y.Load() // 2
	if y&1 == 0 {
		return way{}
	}
	l.y.Store(closed(0))                          // 3
	l.obstacle.At(i).Store(true)                  // 4
	if l.x.Load() != me || l.infast.Load() != 0 { // 5
		return way{read: true}
	}
	l.nameTaken.At(int(indx(y))).Store(true) // 6
	if l.reset.Load() != y {                 // 7
		l.nameTaken.At(int(indx(y))).Store(false) // 8
		return way{read: true}
	}
	l.infast.Store(1) // 9
	return way{fast: true, read: true, indx: indx(y)}
}

// Unlock releases the lock for process i.
func (l *AndersonKimMutex) Unlock(i int) {
	w := *l.way.At(i)
	switch {
	case w.fast:
		l.obstacle.At(i).Store(false)           // 12
		l.reset.Store(closed(w.indx))           // 13
		if !l.obstacle.At(int(w.indx)).Load() { // 14
			l.open(w.indx)
		}
		l.nameTaken.At(int(w.indx)).Store(false) // 17
		l.join.Unlock(1)                         // 18
		l.infast.Store(0)                        // 19
		return
	case w.read:
		l.y.Store(closed(0))                                                   // 20
		l.x.Store(uint32(i))                                                   // 21
		at := indx(l.reset.Load())                                             // 22
		l.obstacle.At(i).Store(false)                                          // 23
		l.reset.Store(closed(at))                                              // 24
		if !l.nameTaken.At(int(at)).Load() && !l.obstacle.At(int(at)).Load() { // 25
			l.open(at)
		}
	}
	l.join.Unlock(0) // 28
	l.slow.Unlock(i) // 28
}

// open is lines 15 and 16, and 26 and 27. It opens the fast path under the next name.
func (l *AndersonKimMutex) open(indx uint32) {
	next := free((indx + 1) % l.n)
	l.reset.Store(next) // 15, 26
	l.y.Store(next)     // 16, 27
}
