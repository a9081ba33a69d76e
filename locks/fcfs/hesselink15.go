package fcfs

import (
	"shmbench/locks/burns"
	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
)

var hesselink15 = shm.Source{
	Author: "Wim H. Hesselink",
	Title:  "Mutual exclusion by four shared bits with not more than quadratic complexity",
	Venue:  "Science of Computer Programming 102",
	Year:   2015,
	Page:   "57-75",
}

// Hesselink15 returns the specification of Hesselink's wrapper with three bits a process, for
// a layout of its registers and for its stores. The wrapper goes over Burns and Lynch's lock.
func Hesselink15(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return specHesselink15("fcfs/hesselink15", "Hesselink's lock of four bits a process", hesselink15, burns.BurnsLynch(layout, stores), layout, stores, buildHesselink15)
}

// Hesselink15Exit returns the specification of Hesselink15Mutex with lines 7 and 8 at the
// beginning of the exit section, which then waits for doorways. Arriving processes do not
// delay a process that is about to enter, and so fewer processes pass it before its doorway
// ends.
func Hesselink15Exit(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return specHesselink15("fcfs/hesselink15exit", "Hesselink's lock of four bits a process, which waits in its exit section", hesselink15, burns.BurnsLynch(layout, stores), layout, stores, buildHesselink15Exit)
}

func specHesselink15(name, title string, source shm.Source, inner shm.Algorithm, layout shm.Layout, stores shm.Stores, lock func(shm.Build, shm.Mutex) shm.Mutex) shm.Algorithm {
	return over(inner, shm.Algorithm{
		Name:   name,
		Title:  title,
		Source: source,
		Claims: served("4", shm.Weakest{Exclusion: shm.Safe, DeadlockFree: shm.Safe, StarvationFree: shm.Safe}),
		Space: shm.Space{
			{Name: "dw", Count: shm.N, Values: shm.Const(2), SingleWriter: true},
			{Name: "turn", Count: times(2, "2n"), Values: shm.Const(2), SingleWriter: true},
		},
	}, layout, stores, lock)
}

// Hesselink15Mutex is a wrapper in which a waiting process shows one of two bits, and an
// arriving process waits for the bits that it saw. Before a process shows the other bit, all
// processes that may have seen the first one have ended their doorway.
//
// Source: Wim H. Hesselink, "Mutual exclusion by four shared bits with not more than quadratic
// complexity", Science of Computer Programming 102, 2015, p. 57-75, figure 2. FCFS_WH15.h of
// github.com/pabuhr/concurrent-locking leaves the inner lock open. Here the inner lock is
// Burns and Lynch's, as where the suite runs that header. The paper was not read: whether its
// figure has an inner lock is not known.
//
// Registers: dw[i], a bit, and turn[i], two bits, written by process i and read by
// the others; and those of the inner lock.
//
// Properties: first-come-first-served, because a process that arrives after process i has ended
// its doorway copies the bit that i shows. Process i keeps this bit until it is in the inner lock.
// No deadlock outside the inner lock: by line 8 a process that copied the bit of this passage has
// ended its doorway. So the next passage, which shows the other bit, waits for that process if it
// still waits. So no process starves, and mutual exclusion is that of the inner lock. Each bit has
// one writer, which writes it only to change it, so that safe registers are enough.
//
// The doorway is lines 1 to 4.
//
//	entry section of process i:
//	1  dw[i] := true
//	2  for each q but i, each b: copy[q][b] := turn[q][b]
//	3  turn[i][nx] := true
//	4  dw[i] := false
//	5  for each q, b with copy[q][b]: wait until not turn[q][b]
//	6  enter the inner lock
//	7  turn[i][nx] := false; nx := 1 - nx
//	8  for each q but i: wait until not dw[q]
//	exit section:
//	9  leave the inner lock
//
// Released stores: line 3, which line 4, with its fence, takes to memory before
// anything is read again. Lines 1, 4 and 7 stand before a look at others.
//
// Deviations: none. NewHesselink15Exit has lines 7 and 8 before line 9, in the exit
// section; NewAravindF4 has another line 5.
type Hesselink15Mutex struct {
	_        shm.NoCopy
	released bool
	exit     bool // lines 7 and 8 are in the exit section
	changed  bool // line 5 is Aravind's
	n        int
	dw       shm.Array[register.Bool]
	turn     shm.Array[[2]register.Bool]
	private  shm.Array[hesselink15Private] // private[i] is used by process i only
	copied   []shm.Array[[2]bool]          // and so is copied[i]
	inner    shm.Mutex
}

type hesselink15Private struct{ nx int }

// NewHesselink15 returns the wrapper for n processes over the lock that inner builds.
// It returns inner's error, or a *shm.ProcsError.
func NewHesselink15(n int, layout shm.Layout, stores shm.Stores, inner func(n int) (shm.Mutex, error)) (*Hesselink15Mutex, error) {
	return newOver[*Hesselink15Mutex]("fcfs/hesselink15", n, layout, stores, inner, buildHesselink15)
}

// NewHesselink15Exit returns the wrapper that waits in its exit section, otherwise as
// NewHesselink15.
func NewHesselink15Exit(n int, layout shm.Layout, stores shm.Stores, inner func(n int) (shm.Mutex, error)) (*Hesselink15Mutex, error) {
	return newOver[*Hesselink15Mutex]("fcfs/hesselink15exit", n, layout, stores, inner, buildHesselink15Exit)
}

func buildHesselink15Exit(b shm.Build, inner shm.Mutex) shm.Mutex {
	l := buildHesselink15(b, inner).(*Hesselink15Mutex)
	l.exit = true
	return l
}

func buildHesselink15(b shm.Build, inner shm.Mutex) shm.Mutex {
	return &Hesselink15Mutex{
		released: b.Released,
		n:        b.N,
		dw:       shm.NewArray[register.Bool](b.N, b.Layout),
		turn:     shm.NewArray[[2]register.Bool](b.N, b.Layout),
		private:  shm.NewArray[hesselink15Private](b.N, shm.Padded),
		copied:   private[[2]bool](b.N),
		inner:    inner,
	}
}

// Lock acquires the lock for process i.
func (l *Hesselink15Mutex) Lock(i int) {
	copied, saw := &l.copied[i], false
	l.dw.At(i).Store(true) // 1
	for q := range l.n {
		if q != i {
			turn := l.read(q) // 2
			*copied.At(q) = turn
			saw = saw || turn != [2]bool{}
		}
	}
	l.turn.At(i)[l.private.At(i).nx].StoreReleaseIf(l.released, true) // 3
	l.dw.At(i).Store(false)                                           // 4
	if saw {
		l.awaitAll(i) // 5
	}
	l.inner.Lock(i) // 6
	if !l.exit {
		l.depart(i)
	}
}

// Unlock releases the lock for process i.
func (l *Hesselink15Mutex) Unlock(i int) {
	if l.exit {
		l.depart(i)
	}
	l.inner.Unlock(i) // 9
}

// read returns turn[q].
func (l *Hesselink15Mutex) read(q int) [2]bool {
	turn := l.turn.At(q)
	return [2]bool{turn[0].Load(), turn[1].Load()} // 2, 5
}

// awaitAll is line 5.
func (l *Hesselink15Mutex) awaitAll(i int) {
	for q := range l.n {
		if q != i {
			l.await(q, *l.copied[i].At(q)) // 5
		}
	}
}

// await is line 5 for process q.
func (l *Hesselink15Mutex) await(q int, copied [2]bool) {
	if l.changed {
		if copied != [2]bool{} {
			spin.Until(func() bool { return l.read(q) != copied }) // 5
		}
		return
	}
	turn := l.turn.At(q)
	for b, shown := range copied {
		if shown {
			spin.Until(func() bool { return !turn[b].Load() }) // 5
		}
	}
}

// depart is lines 7 and 8.
func (l *Hesselink15Mutex) depart(i int) {
	p := l.private.At(i)
	l.turn.At(i)[p.nx].Store(false) // 7
	p.nx = 1 - p.nx                 // 7
	for q := range l.n {
		if q != i {
			spin.Until(func() bool { return !l.dw.At(q).Load() }) // 8
		}
	}
}
