package machines

import (
	"runtime"
	"sync/atomic"
)

// Depth is a lock that calls itself so many times.
type Depth struct{ x, deep int }

func NewEndlessDepth(int) *Depth { return &Depth{deep: -1} }
func NewDepth(n int) *Depth      { return &Depth{deep: n - 1} }

func (l *Depth) Lock(int)   { l.x = l.down(l.deep) }
func (l *Depth) Unlock(int) {}

func (l *Depth) down(n int) int {
	if n == 0 {
		return 0
	}
	if n < 0 {
		return l.down(n)
	}
	return 1 + l.down(n-1)
}

// Twice calls the same at the end of so many calls, twice.
type Twice Depth

func NewTwice(n int) *Twice { return &Twice{deep: n} }

func (l *Twice) Lock(int)   { l.x = l.down(l.deep) }
func (l *Twice) Unlock(int) {}

func (l *Twice) down(n int) int {
	if n == 0 {
		return l.leaf() + l.leaf()
	}
	return l.down(n - 1)
}

func (l *Twice) leaf() int { return l.x }

// Stack makes an access at every level.
type Stack struct{ w atomic.Int32 }

func NewStack(int) *Stack { return &Stack{} }

func (l *Stack) Lock(int)   { l.down() }
func (l *Stack) Unlock(int) {}

func (l *Stack) down() {
	l.w.Store(1)
	l.down()
	l.w.Store(2)
}

// Waits passes the time, by a loop, by a call, or not at all.
type Waits struct{ x int }

func NewWaitsLoop(int) *WaitsLoop { return &WaitsLoop{} }
func NewWaitsCall(int) *WaitsCall { return &WaitsCall{} }
func NewWaitsNot(int) *WaitsNot   { return &WaitsNot{} }

type WaitsLoop Waits

func (l *WaitsLoop) Lock(int) {
	for i := 0; i < 10; i++ {
		runtime.Gosched()
	}
	l.x = 1
}
func (l *WaitsLoop) Unlock(int) {}

type WaitsCall Waits

func (l *WaitsCall) Lock(int) {
	pause(7)
	l.x = 1
}
func (l *WaitsCall) Unlock(int) {}

func pause(n int) {
	for range n {
	}
}

type WaitsNot Waits

func (l *WaitsNot) Lock(int) {
	for i := 0; i < 3; i++ {
		l.x = i
	}
	if l.x > 5 {
		pause(3)
	}
	runtime.Gosched()
}
func (l *WaitsNot) Unlock(int) {}

// Loops goes round for long while it is built.
type Loops struct{ x int }

func NewLoops(n int) *Loops {
	l := &Loops{}
	for i := range n {
		l.x ^= i
	}
	return l
}

func (l *Loops) Lock(int)   { l.x = 1 }
func (l *Loops) Unlock(int) {}
