package locks

import "sync/atomic"

// Delayed is Peterson's lock for two processes with some stores of no use
// between its doorway and its first look at the other: without fences it
// excludes as long as a store buffer has no room for them and the turn.
type Delayed struct {
	want    [2]atomic.Bool
	turn    atomic.Int32
	scratch [2]atomic.Bool
	stores  int
}

func NewFive(int) *Delayed { return &Delayed{stores: 4} }
func NewNine(int) *Delayed { return &Delayed{stores: 8} }

func (l *Delayed) Lock(i int) {
	l.want[i].Store(true)
	l.turn.Store(int32(1 - i))
	for range l.stores {
		l.scratch[i].Store(true)
	}
	for l.want[1-i].Load() && l.turn.Load() == int32(1-i) {
	}
}

func (l *Delayed) Unlock(i int) { l.want[i].Store(false) }

// Drained is the same lock with an exit section that waits for the buffer.
type Drained struct{ Delayed }

func NewNineDrained(int) *Drained { return &Drained{Delayed{stores: 8}} }

func (l *Drained) Unlock(i int) { l.want[i].Swap(false) }

// Alternates lets two processes in by turns. Whose turn it is not may write
// without end.
type Alternates struct {
	turn    atomic.Int32
	scratch [2]atomic.Bool
	writes  bool
}

func NewAlternates(int) *Alternates        { return new(Alternates) }
func NewAlternatesWriting(int) *Alternates { return &Alternates{writes: true} }

func (l *Alternates) Lock(i int) {
	for l.turn.Load() != int32(i) {
		if l.writes {
			l.scratch[i].Store(true)
		}
	}
}

func (l *Alternates) Unlock(i int) { l.turn.Store(int32(1 - i)) }
