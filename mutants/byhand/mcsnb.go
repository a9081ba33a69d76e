package byhand

import (
	"sync/atomic"

	"shmbench/abort"
	"shmbench/shm"
	"shmbench/spin"
)

var mcsNB = abort.MCSNB(shm.Packed, shm.Sequential)

var mcsNBs = []Mutant{
	// The one behind may have come with its last record, given up, and stay away.
	mutate(mcsNB, "mcsnb-last-record", "a process gives up with its last record, too", Deadlock, 2,
		func(n int) shm.Mutex { return mcsNBWith(n, func(l *mcsNBBase) { l.lastToo = true }) }).
		outOfReach("the other process must then stay away for ever, and in a run all come again"),
	// Who is before a transient record has its name, and writes there when it leaves.
	mutate(mcsNB, "mcsnb-given-back-early", "a transient record is given back by who goes past, also if the one before it has yet to write there", Safety, 2,
		func(n int) shm.Mutex { return mcsNBWith(n, func(l *mcsNBBase) { l.early = true }) }).
		outOfReach("it takes a process that stands still between two of its steps while the other one comes and gives up twice"),
	// The one behind has put its name into next, and looks at its own status from then on.
	mutate(mcsNB, "mcsnb-silent", "who leaves does not tell the one behind", Deadlock, 2,
		func(n int) shm.Mutex { return mcsNBWith(n, func(l *mcsNBBase) { l.silent = true }) }),
	// The tail would lead to a record that is taken again.
	mutate(mcsNB, "mcsnb-tail-kept", "who leaves as the last one gives its record back, and leaves it the tail", Deadlock, 1,
		func(n int) shm.Mutex { return mcsNBWith(n, func(l *mcsNBBase) { l.tailKept = true }) }),
}

// mcsNBBase is MCS-NB, whose lines are those of package abort, with what its mutants do
// differently. Names are 4, 5, and so on, two of each process.
type mcsNBBase struct {
	tail   atomic.Uint32
	record []mcsNBRecord
	I      []uint32 // by process: its record while it is inside

	lastToo, early, silent, tailKept bool
}

type mcsNBRecord struct{ prev, next, status atomic.Uint32 }

const (
	nbAvailable = 1
	nbLeaving   = 2
	nbTransient = 3
	nbWaiting   = 4
	nbRecycled  = 5
)

func mcsNBWith(n int, broken func(*mcsNBBase)) *mcsNBBase {
	l := &mcsNBBase{record: make([]mcsNBRecord, 2*n), I: make([]uint32, n)}
	broken(l)
	return l
}

func (l *mcsNBBase) of(I uint32) *mcsNBRecord { return &l.record[I-4] }

func (l *mcsNBBase) Lock(i int) { l.LockUntil(i, never) }

func (l *mcsNBBase) LockUntil(i int, giveUp func() bool) bool {
	I := uint32(4 + 2*i)
	for l.of(I).status.Load() != none { // 1
		if I ^= 1; I&1 == 0 {
			if giveUp() {
				return false
			}
			spin.Pause()
		}
	}
	node := l.of(I)
	node.status.Store(nbWaiting) // 2
	pred := l.tail.Swap(I)       // 3
	for pred != none {           // 4
		ahead := l.of(pred)
		r := ahead.next.Swap(I) // 5
		if r == none {          // 6
			r = node.status.Load() // 7
			for r == nbWaiting {
				if (l.lastToo || l.of(I^1).status.Load() == none) && giveUp() { // 7
					l.leave(I, pred)
					return false
				}
				spin.Pause()
				r = node.status.Load() // 7
			}
			node.status.Store(nbWaiting) // 8
		}
		before := uint32(none)
		if r != nbAvailable {
			before = ahead.prev.Load() // 9
			ahead.prev.Store(none)     // 9
		}
		if r != nbTransient || ahead.status.Swap(nbRecycled) != nbWaiting || l.early { // 10
			l.giveBack(ahead)
		}
		pred = before // 11
	}
	l.I[i] = I
	return true
}

// leave is lines 12 to 14.
func (l *mcsNBBase) leave(I, pred uint32) {
	l.of(I).prev.Store(pred) // 12
	x := uint32(nbTransient)
	if l.of(pred).next.CompareAndSwap(I, none) { // 13
		x = nbLeaving
	}
	l.quit(I, x, pred) // 14
}

// quit is lines 16 to 18.
func (l *mcsNBBase) quit(I, x, p uint32) {
	node := l.of(I)
	if s := node.next.Swap(x); s != none { // 16
		if succ := l.of(s); !l.silent && succ.status.Swap(x) == nbRecycled { // 17
			l.giveBack(succ)
		}
	} else if x != nbTransient && (l.tailKept || l.tail.CompareAndSwap(I, p)) { // 18
		node.prev.Store(none) // 18
		l.giveBack(node)
	}
}

// giveBack is lines 19 and 20.
func (l *mcsNBBase) giveBack(r *mcsNBRecord) {
	r.next.Store(none)   // 19
	r.status.Store(none) // 20
}

func (l *mcsNBBase) Unlock(i int) {
	l.quit(l.I[i], nbAvailable, none) // 15
}
