package traps

import (
	"os"
	"sync/atomic"
)

// Slow lets two in, or waits for each other, on one way, and calls what is not read on another.
type Slow struct {
	busy  atomic.Bool
	again atomic.Bool
	want  [2]atomic.Bool
	turn  atomic.Int32
}

func (l *Slow) Unlock(int) {
	l.busy.Store(false)
	if l.again.Swap(true) {
		os.Getpid()
	}
}

// SlowOpen looks before it takes.
type SlowOpen struct{ Slow }

// NewSlowOpen returns a SlowOpen.
func NewSlowOpen(int) *SlowOpen { return new(SlowOpen) }

func (l *SlowOpen) Lock(int) {
	for l.busy.Load() {
	}
	l.busy.Store(true)
}

// SlowBoth has both wait for each other.
type SlowBoth struct{ Slow }

// NewSlowBoth returns a SlowBoth.
func NewSlowBoth(int) *SlowBoth { return new(SlowBoth) }

func (l *SlowBoth) Lock(i int) {
	l.want[i].Store(true)
	for l.want[1-i].Load() {
	}
}

func (l *SlowBoth) Unlock(i int) {
	l.want[i].Store(false)
	l.Slow.Unlock(i)
}

// SlowPanics panics if it is the second to come.
type SlowPanics struct{ Slow }

// NewSlowPanics returns a SlowPanics.
func NewSlowPanics(int) *SlowPanics { return new(SlowPanics) }

func (l *SlowPanics) Lock(i int) {
	for l.busy.Swap(true) {
		if l.turn.Add(1) == 2 {
			panic("second")
		}
	}
}

// SlowGood excludes as long as it calls nothing.
type SlowGood struct{ Slow }

// NewSlowGood returns a SlowGood.
func NewSlowGood(int) *SlowGood { return new(SlowGood) }

func (l *SlowGood) Lock(int) {
	for l.busy.Swap(true) {
	}
}

// SlowAsleep would wait forever only for an unknown number.
type SlowAsleep struct{ Slow }

// NewSlowAsleep returns a SlowAsleep.
func NewSlowAsleep(int) *SlowAsleep { return new(SlowAsleep) }

func (l *SlowAsleep) Lock(int) {
	for l.busy.Swap(true) {
	}
	os.Getpid()
}

// Wide looks before it takes, and has more states than anybody visits.
type Wide struct {
	busy atomic.Bool
	own  []atomic.Uint32
}

// NewWide returns a Wide.
func NewWide(n int) *Wide { return &Wide{own: make([]atomic.Uint32, n)} }

func (l *Wide) Lock(i int) {
	for l.busy.Load() {
	}
	l.busy.Store(true)
}

func (l *Wide) Unlock(i int) {
	for k := range 20 {
		l.own[i].Store(uint32(k))
	}
	l.busy.Store(false)
}
