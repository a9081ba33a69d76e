// Package traps has locks whose verdict hangs on a corner of the language.
package traps

import "sync/atomic"

// TAS is a test-and-set lock, which the others are made of.
type TAS struct{ busy atomic.Bool }

func (l *TAS) Lock(int) {
	for l.busy.Swap(true) {
	}
}

func (l *TAS) Unlock(int) { l.busy.Store(false) }

// If returns a lock that excludes, or one that lets everybody in.
func If(good bool) *Maybe { return &Maybe{good: good} }

// Maybe is a lock if it is good.
type Maybe struct {
	TAS
	good bool
}

func (l *Maybe) Lock(i int) {
	if l.good {
		l.TAS.Lock(i)
	}
}

// NewRoom appends twice to one array that has room: both words are one.
func NewRoom(int) *Maybe {
	room := make([]*atomic.Bool, 0, 2)
	a := append(room, new(atomic.Bool))
	b := append(room, new(atomic.Bool))
	return If(a[0] != b[0])
}

// NewFull appends to an array without room, which moves it.
func NewFull(int) *Maybe {
	full := make([]int, 1, 1)
	more := append(full, 2)
	more[0] = 7
	return If(full[0] == 0)
}

// NewCut cuts the room off before it appends.
func NewCut(int) *Maybe {
	room := make([]int, 1, 8)
	_ = append(room[:1:1], 2)
	return If(room[:2][1] == 0)
}

// NewCapacity hangs on the capacity that append chooses.
func NewCapacity(int) *Maybe { return If(cap(append([]int{1, 2, 3}, 4)) == 4) }

// NewBeyond looks beyond what append has filled.
func NewBeyond(int) *Maybe { return If(len(append([]int{1, 2, 3}, 4)[:5]) == 4) }

// NewGrown appends twice to one array that append has grown: it has room, or
// not.
func NewGrown(int) *Maybe {
	grown := append([]int{1, 2, 3}, 4)
	a := append(grown, 5)
	_ = append(grown, 6)
	return If(a[4] == 5)
}

// NewMoved writes through the array that append may have left behind.
func NewMoved(int) *Maybe {
	grown := append([]int{1, 2, 3}, 4)
	more := append(grown, 5)
	grown[0] = 9
	return If(more[0] == 1)
}

// NewAppended builds its words in the usual way.
func NewAppended(n int) *Appended {
	l := &Appended{}
	for i := range n {
		l.words = append(l.words, new(TAS))
		l.order = append(l.order, n-1-i)
	}
	return l
}

// Appended is a lock in which a process takes all words in one order.
type Appended struct {
	words []*TAS
	order []int
}

func (l *Appended) Lock(i int) {
	for _, w := range l.order {
		l.words[w].Lock(i)
	}
}

func (l *Appended) Unlock(i int) {
	for _, w := range l.order {
		l.words[w].Unlock(i)
	}
}

// NewPath has a process write down its way, in memory of its own.
func NewPath(n int) *Path { return &Path{*NewAppended(n)} }

// Path is an Appended that notes what it has locked.
type Path struct{ Appended }

func (l *Path) Lock(i int) {
	var path []*TAS
	for _, w := range l.order {
		path = append(path, l.words[w])
	}
	for _, w := range path {
		w.Lock(i)
	}
}

// NewOwnGrown hangs, in Lock, on whether append has moved an array.
func NewOwnGrown(n int) *OwnGrown { return new(OwnGrown) }

// OwnGrown is a lock unless append moves.
type OwnGrown struct{ TAS }

func (l *OwnGrown) Lock(i int) {
	grown := append([]int{i}, i)
	more := append(grown, i)
	grown[0] = 7
	if more[0] != 7 {
		l.TAS.Lock(i)
	}
}
