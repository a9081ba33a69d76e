package machines

import "sync/atomic"

type item struct {
	next *item
	n    int
	more []int
	f    *func()
	v    any
}

// Pushes makes a list that grows.
type Pushes struct{ head atomic.Pointer[item] }

func NewPushes(int) *Pushes { return &Pushes{} }

func (l *Pushes) Lock(pid int) {
	n := &item{n: pid, more: make([]int, 2)}
	n.next = l.head.Load()
	l.head.Store(n)
	n.n = 5
}

func (l *Pushes) Unlock(int) {}

// Turns publishes memory that holds another number each time.
type Turns struct {
	head atomic.Pointer[item]
	x    int
}

func NewTurns(int) *Turns { return &Turns{} }

func (l *Turns) Lock(int) {
	l.x ^= 1
	l.head.Store(&item{n: l.x})
	l.head.Store(nil)
}

func (l *Turns) Unlock(int) {}

// Dead reads what decides nothing, and Live what decides what is written.
type Dead struct{ w, v atomic.Int32 }

func NewDead(int) *Dead { return &Dead{} }

func (l *Dead) Lock(int) {
	dead := l.w.Load()
	more := dead + 1
	l.v.Store(1)
	_ = more
}

func (l *Dead) Unlock(int) {}

type Live struct{ w, v atomic.Int32 }

func NewLive(int) *Live { return &Live{} }

func (l *Live) Lock(int) {
	live := l.w.Load()
	l.v.Store(1)
	l.w.Store(live)
}

func (l *Live) Unlock(int) {}

// Polls reads again and again, and writes what it has read.
type Polls struct{ w, v atomic.Int32 }

func NewPolls(int) *Polls { return &Polls{} }

func (l *Polls) Lock(int) {
	for {
		l.v.Load()
		last := l.w.Load()
		if l.v.Store(last); last == 9 {
			return
		}
	}
}

func (l *Polls) Unlock(int) {}
