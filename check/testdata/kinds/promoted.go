package kinds

import "sync/atomic"

type raiser interface{ raise() }

type flag struct{ up atomic.Bool }

func (f *flag) raise() { f.up.Store(true) }

type inner struct{ *flag }

type outer struct {
	y [3]int
	inner
}

// Promoted reads y, which each process has one of, where it copies outer, and not
// where a field or method is promoted through the pointer that is embedded there.
type Promoted struct {
	busy  atomic.Bool
	outer outer
}

func NewPromoted(int) *Promoted { return &Promoted{outer: outer{inner: inner{new(flag)}}} }

func (l *Promoted) Lock(i int) {
	l.outer.y[i]++
	for l.busy.Swap(true) {
	}
	l.outer.raise()
	l.outer.y[i] = 0
	l.outer.flag = new(flag)
}

func (l *Promoted) Unlock(int) {
	l.outer.up.Store(false)
	l.busy.Store(false)
}

// PromotedCopy copies outer into an interface beside it, while others write to y.
type PromotedCopy struct{ Promoted }

func NewPromotedCopy(n int) *PromotedCopy {
	return &PromotedCopy{Promoted{outer: NewPromoted(n).outer}}
}

func (l *PromotedCopy) Unlock(i int) {
	var r raiser = l.outer
	r.raise()
	l.Promoted.Unlock(i)
}
