package traps

import "sync/atomic"

// Bumped adds what a call changes and what it returns.
type Bumped struct {
	TAS
	mine []int
}

// NewBumped returns a Bumped.
func NewBumped(n int) *Bumped { return &Bumped{mine: make([]int, n)} }

func (l *Bumped) bump(i int) int {
	l.mine[i] = 5
	return 1
}

func (l *Bumped) Lock(i int) {
	if l.mine[i]+l.bump(i) == 1 {
		l.TAS.Lock(i)
	}
}

func (l *Bumped) Unlock(i int) {
	l.mine[i] = 0
	l.TAS.Unlock(i)
}

// Ordered does the same in an order that the language fixes.
type Ordered struct{ Bumped }

// NewOrdered returns an Ordered.
func NewOrdered(n int) *Ordered { return &Ordered{*NewBumped(n)} }

func (l *Ordered) Lock(i int) {
	before := l.mine[i]
	if before+l.bump(i) == 1 && l.mine[i] == 5 {
		l.TAS.Lock(i)
	}
}

// Beside reads beside a call that changes something else.
type Beside struct {
	TAS
	mine  []int
	calls atomic.Uint32
}

// NewBeside returns a Beside.
func NewBeside(n int) *Beside { return &Beside{mine: make([]int, n)} }

func (l *Beside) Lock(i int) {
	if l.mine[i]+int(l.calls.Swap(1)) < 2 {
		l.TAS.Lock(i)
	}
	l.mine[i] = 1 - l.mine[i]
}

// Handed reads a plain word beside a call that has another process write it.
type Handed struct {
	TAS
	word int
	ask  atomic.Bool
}

// NewHanded returns a Handed.
func NewHanded(int) *Handed { return new(Handed) }

func (l *Handed) request() int {
	l.ask.Store(true)
	return 0
}

func (l *Handed) Lock(i int) {
	l.TAS.Lock(i)
	if l.word+l.request() > 1 {
		l.busy.Store(false)
	}
	l.word = i
}

// NewLocals changes a variable that its expression reads.
func NewLocals(int) *Maybe {
	x := 1
	change := func() int {
		x = 10
		return 0
	}
	return If(x+change() == 1)
}
