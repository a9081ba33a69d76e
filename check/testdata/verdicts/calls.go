package verdicts

import "sync/atomic"

// Generic lock over an atomic word.
type word[T any] interface {
	*T
	CompareAndSwap(old, new int32) bool
	Store(int32)
}
type Gen[T any, P word[T]] struct{ w T }

func NewGen(int) *Gen[atomic.Int32, *atomic.Int32] { return new(Gen[atomic.Int32, *atomic.Int32]) } // want: !sf
func (l *Gen[T, P]) Lock(int) {
	for !P(&l.w).CompareAndSwap(0, 1) {
	}
}
func (l *Gen[T, P]) Unlock(int) { P(&l.w).Store(0) }

// Interface strategy.
type gate interface {
	enter(i int) bool
	leave()
}
type swapGate struct{ b atomic.Bool }

func (g *swapGate) enter(int) bool { return !g.b.Swap(true) }
func (g *swapGate) leave()         { g.b.Store(false) }

type noGate struct{}

func (noGate) enter(int) bool { return true }
func (noGate) leave()         {}

type Iface struct {
	gates []gate
	which int
}

func NewIface(int) *Iface     { return &Iface{gates: []gate{noGate{}, &swapGate{}}, which: 1} } // want: !sf
func NewIfaceOpen(int) *Iface { return &Iface{gates: []gate{noGate{}, &swapGate{}}} }           // want: !me
func (l *Iface) Lock(i int) {
	for !l.gates[l.which].enter(i) {
	}
}
func (l *Iface) Unlock(int) { l.gates[l.which].leave() }

// Method value.
type MethVal struct{ b atomic.Bool }

func NewMethVal(int) *MethVal { return new(MethVal) } // want: !sf
func (l *MethVal) Lock(int) {
	take := l.b.Swap
	for take(true) {
	}
}
func (l *MethVal) Unlock(int) { put := (*atomic.Bool).Store; put(&l.b, false) }

// Method values from New: nothing else leads to the word.
type Bound struct {
	take func(bool) bool
	put  func(bool)
}

func NewBound(int) Bound { // want: !sf
	b := new(baseLock)
	return Bound{b.b.Swap, b.b.Store}
}
func (l Bound) Lock(int) {
	for l.take(true) {
	}
}
func (l Bound) Unlock(int) { l.put(false) }

// The same, through embedded pointers and an interface.
type BoundDeep struct{ lock, unlock func(int) }

func NewBoundDeep(int) *BoundDeep { // want: !sf
	e := NewEmbed(0)
	var g interface{ Unlock(int) } = e
	return &BoundDeep{e.Lock, g.Unlock}
}
func (l *BoundDeep) Lock(i int)   { l.lock(i) }
func (l *BoundDeep) Unlock(i int) { l.unlock(i) }

// Closures from New.
type Clos struct {
	enter func(i int)
	leave func()
}

func NewClos(int) *Clos { // want: !sf
	var busy atomic.Int32
	return &Clos{enter: func(i int) {
		for !busy.CompareAndSwap(0, int32(i)+1) {
		}
	}, leave: func() { busy.Store(0) }}
}
func (l *Clos) Lock(i int) { l.enter(i) }
func (l *Clos) Unlock(int) { l.leave() }

// Deferred release of an inner lock protecting a counter of tickets.
type Inner struct {
	guard      atomic.Bool
	next, serv int
}

func NewInner(int) *Inner { return new(Inner) } // want: !dl !sf !exit
func (l *Inner) with(f func() bool) bool {
	for l.guard.Swap(true) {
	}
	defer l.guard.Store(false)
	return f()
}
func (l *Inner) Lock(int) {
	var t int
	l.with(func() bool { t = l.next; l.next++; return true })
	for !l.with(func() bool { return l.serv == t }) {
	}
}
func (l *Inner) Unlock(int) { l.with(func() bool { l.serv++; return true }) }

// The same with small numbers.
type InnerSmall struct{ Inner }

func NewInnerSmall(int) *InnerSmall { return new(InnerSmall) } // want: !dl !sf !exit
func (l *InnerSmall) Lock(int) {
	var t int
	l.with(func() bool { t = l.next; l.next = (l.next + 1) % 4; return true })
	for !l.with(func() bool { return l.serv == t }) {
	}
}
func (l *InnerSmall) Unlock(int) { l.with(func() bool { l.serv = (l.serv + 1) & 3; return true }) }

// Table of named functions.
type step func(l *Table, i int) bool
type Table struct {
	steps []step
	flag  [2]atomic.Bool
	turn  atomic.Int32
}

func raise(l *Table, i int) bool  { l.flag[i].Store(true); return true }
func polite(l *Table, i int) bool { l.turn.Store(int32(1 - i)); return true }
func free(l *Table, i int) bool {
	return !l.flag[1-i].Load() || l.turn.Load() == int32(i)
}
func NewTable(int) *Table      { return &Table{steps: []step{raise, polite, free}} } // want: ok
func NewTableWrong(int) *Table { return &Table{steps: []step{polite, raise, free}} } // want: !me
func (l *Table) Lock(i int) {
	for _, s := range l.steps {
		for !s(l, i) {
		}
	}
}
func (l *Table) Unlock(i int) { l.flag[i].Store(false) }

// Embedded struct, shadowed method.
type baseLock struct{ b atomic.Bool }

func (l *baseLock) Lock(int) {
	for l.b.Swap(true) {
	}
}
func (l *baseLock) Unlock(int) { l.b.Store(false) }

type Embed struct{ baseLock }

func NewEmbed(int) Embed2         { return Embed2{&Embed{}} } // want: !sf
func NewEmbedForget(int) *Forgets { return &Forgets{} }       // want: !me !sf

type Embed2 struct{ *Embed }
type Forgets struct{ Embed }

func (l *Forgets) Unlock(i int) {
	l.Embed.Unlock(i)
	l.baseLock.b.Store(false)
	l.b.CompareAndSwap(true, false)
}
