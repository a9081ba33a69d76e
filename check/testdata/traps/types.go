package traps

import "sync/atomic"

// Second has its word behind another one, and promotes its methods.
type Second struct {
	first atomic.Int32
	atomic.Bool
}

type swapper interface {
	Swap(bool) bool
	Store(bool)
}

// Promoted is a lock through an interface on promoted methods.
type Promoted struct {
	word  swapper
	inner *Second
}

// NewPromoted returns a Promoted.
func NewPromoted(int) *Promoted {
	s := new(Second)
	return &Promoted{s, s}
}

func (l *Promoted) Lock(int) {
	for l.word.Swap(true) {
	}
}

func (l *Promoted) Unlock(int) {
	if l.inner.first.Load() == 0 {
		l.word.Store(false)
	}
}

// Pointed promotes the methods of a word that it points to.
type Pointed struct{ *atomic.Bool }

// NewPointed returns a lock through an interface.
func NewPointed(int) *Promoted {
	return &Promoted{Pointed{new(atomic.Bool)}, new(Second)}
}

func one() any {
	type local struct{ x int }
	return local{1}
}

func other() any {
	type local struct{ x int }
	return local{1}
}

// NewLocalTypes compares values of two types of one name.
func NewLocalTypes(int) *Maybe { return If(one() != other()) }

// Shown shows which of two types of one name it holds.
type Shown struct {
	busy  atomic.Bool
	shown [2]any
}

// NewShown returns a lock whose states differ in nothing but a type.
func NewShown(int) *Shown { return &Shown{shown: [2]any{one(), other()}} }

func (l *Shown) Lock(i int) {
	x := l.shown[i]
	for l.busy.Swap(true) {
	}
	if x != l.shown[i] {
		l.busy.Store(false)
	}
}

func (l *Shown) Unlock(int) { l.busy.Store(false) }

// NewEmpty compares the addresses of two variables without size.
func NewEmpty(int) *Maybe {
	a, b := new(struct{}), new(struct{})
	all := []*struct{}{a, b}
	return If(all[0] != all[1])
}

// Marks is a lock whose owners are told apart by variables without size.
type Marks struct {
	owner atomic.Pointer[struct{}]
	marks []*struct{}
}

// NewMarks returns a Marks.
func NewMarks(n int) *Marks {
	l := new(Marks)
	for range n {
		l.marks = append(l.marks, new(struct{}))
	}
	return l
}

func (l *Marks) Lock(i int) {
	for !l.owner.CompareAndSwap(nil, l.marks[i]) {
		if l.owner.CompareAndSwap(l.marks[i], nil) {
			return
		}
	}
}

func (l *Marks) Unlock(int) { l.owner.Store(nil) }

// One is a lock whose owner is one variable without size.
type One struct {
	owner atomic.Pointer[struct{}]
	mark  *struct{}
}

// NewOne returns a One.
func NewOne(int) *One { return &One{mark: new(struct{})} }

func (l *One) Lock(int) {
	for !l.owner.CompareAndSwap(nil, l.mark) {
	}
}

func (l *One) Unlock(int) { l.owner.CompareAndSwap(l.mark, nil) }

// Boxed keeps a struct in an interface.
type Boxed struct {
	TAS
	box any
}

// NewBoxed returns a Boxed.
func NewBoxed(int) *Boxed { return &Boxed{box: struct{ a, b int }{1, 2}} }

func (l *Boxed) Lock(i int) {
	l.TAS.Lock(i)
	l.box = nil
}

// Kept keeps a method of its word as a value.
type Kept struct {
	word  atomic.Uint32
	take  func(uint32) uint32
	store func(*atomic.Uint32, uint32)
}

// NewKept returns a Kept.
func NewKept(int) *Kept {
	l := &Kept{store: (*atomic.Uint32).Store}
	l.take = l.word.Swap
	return l
}

func (l *Kept) Lock(int) {
	for l.take(1) != 0 {
	}
}

func (l *Kept) Unlock(int) { l.store(&l.word, 0) }

// Narrow counts down through a method expression, to a word's width.
type Narrow struct{ word atomic.Uint32 }

// NewNarrow returns a Narrow.
func NewNarrow(int) *Narrow { return new(Narrow) }

func (l *Narrow) Lock(int) {
	add := (*atomic.Uint32).Add
	for add(&l.word, 1) != 1 {
		add(&l.word, ^uint32(0))
	}
}

func (l *Narrow) Unlock(int) {
	add := (*atomic.Uint32).Add
	add(&l.word, ^uint32(0))
}
