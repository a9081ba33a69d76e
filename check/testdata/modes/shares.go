package modes

import "sync/atomic"

// note is what the calls of these locks share of what they have allocated.
type note struct {
	pred atomic.Pointer[note]
}

// board is where it is left.
type board struct{ last atomic.Pointer[note] }

func (b *board) leave() { b.last.Swap(&note{}) }

// SharesReader is RW in which readers leave a note before they announce themselves,
// and behind their critical sections.
type SharesReader struct {
	RW
	board
}

func NewSharesReader(int) *SharesReader { return new(SharesReader) }

func (l *SharesReader) RLock(i int) {
	l.leave() // 3
	l.RW.RLock(i)
}

func (l *SharesReader) RUnlock(i int) {
	l.RW.RUnlock(i)
	l.leave() // 6
}

// SharesFailing leaves a note before TryLock fails.
type SharesFailing struct {
	bit
	board
}

func NewSharesFailing(int) *SharesFailing { return new(SharesFailing) }

func (l *SharesFailing) TryLock(int) bool {
	if l.busy.Swap(true) { // 3
		l.leave() // 4
		return false
	}
	return true
}

// SharesLost takes the lock in TryLock, leaves a note, and says that it has failed.
type SharesLost struct{ SharesFailing }

func NewSharesLost(int) *SharesLost { return new(SharesLost) }

func (l *SharesLost) TryLock(int) bool {
	if !l.busy.Swap(true) { // 3
		l.leave() // 4
	}
	return false
}

// SharesFirst leaves a note before TryLock has looked.
type SharesFirst struct{ SharesFailing }

func NewSharesFirst(int) *SharesFirst { return new(SharesFirst) }

func (l *SharesFirst) TryLock(int) bool {
	l.leave()                 // 3
	return !l.busy.Swap(true) // 4
}

// SharesStays leaves a note once it has been told to give up, and then waits.
type SharesStays struct{ SharesFailing }

func NewSharesStays(int) *SharesStays { return new(SharesStays) }

func (l *SharesStays) LockUntil(_ int, giveUp func() bool) bool {
	for l.busy.Swap(true) { // 3
		if giveUp() {
			l.leave()           // 4
			for l.busy.Load() { // 5
			}
			return false
		}
	}
	return true
}

// SharesAgain asks again, behind its note, whether it is to give up.
type SharesAgain struct{ SharesFailing }

func NewSharesAgain(int) *SharesAgain { return new(SharesAgain) }

func (l *SharesAgain) LockUntil(_ int, giveUp func() bool) bool {
	for l.busy.Swap(true) { // 3
		if giveUp() {
			l.leave() // 4
			return !giveUp()
		}
	}
	return true
}

// SharesCLH is a CLH lock whose nodes a process that gives up leaves behind, with
// the one before. Two that give up in turns make a chain without end.
type SharesCLH struct {
	tail atomic.Pointer[note]
	mine []*note
	done *note
}

func NewSharesCLH(n int) *SharesCLH { return &SharesCLH{mine: make([]*note, n), done: new(note)} }

func (l *SharesCLH) Lock(i int) { l.LockUntil(i, func() bool { return false }) }

func (l *SharesCLH) LockUntil(i int, giveUp func() bool) bool {
	x := &note{}
	p := l.tail.Swap(x) // 1
	for p != nil {
		switch q := p.pred.Load(); { // 2
		case q == l.done:
			p = nil
		case q != nil:
			p = q
		case giveUp():
			if !l.tail.CompareAndSwap(x, p) { // 3
				x.pred.Store(p) // 4
			}
			return false
		}
	}
	l.mine[i] = x
	return true
}

func (l *SharesCLH) Unlock(i int) {
	if !l.tail.CompareAndSwap(l.mine[i], nil) { // 5
		l.mine[i].pred.Store(l.done) // 6
	}
}

// SharesMCS is an MCS lock with nodes that Lock and TryLock allocate.
type SharesMCS struct {
	tail atomic.Pointer[link]
	mine []*link
}

type link struct {
	next    atomic.Pointer[link]
	waiting atomic.Bool
}

func NewSharesMCS(n int) *SharesMCS { return &SharesMCS{mine: make([]*link, n)} }

func (l *SharesMCS) Lock(i int) {
	x := new(link)
	x.waiting.Store(true)
	l.mine[i] = x
	if p := l.tail.Swap(x); p != nil { // 1
		p.next.Store(x)        // 2
		for x.waiting.Load() { // 3
		}
	}
}

func (l *SharesMCS) TryLock(i int) bool {
	x := new(link)
	if l.tail.CompareAndSwap(nil, x) { // 4
		l.mine[i] = x
		return true
	}
	return false
}

func (l *SharesMCS) Unlock(i int) {
	x := l.mine[i]
	if x.next.Load() == nil { // 5
		if l.tail.CompareAndSwap(x, nil) { // 6
			return
		}
		for x.next.Load() == nil { // 7
		}
	}
	x.next.Load().waiting.Store(false) // 8
}
