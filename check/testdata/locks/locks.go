// Package locks has small locks, good and bad, for the checker's tests. They
// import nothing of this module.
package locks

import (
	"errors"
	"runtime"
	"sync/atomic"
)

// TAS is a hand-written test-and-set lock.
type TAS struct{ busy atomic.Bool }

func NewTAS(n int) *TAS { return new(TAS) }

func (l *TAS) Lock(int) {
	for l.busy.Swap(true) {
		runtime.Gosched()
	}
}

func (l *TAS) Unlock(int) { l.busy.Store(false) }

// GivesUp enters after five polls, busy or not.
type GivesUp struct{ TAS }

func NewGivesUp(n int) *GivesUp { return new(GivesUp) }

func (l *GivesUp) Lock(int) {
	for polls := 0; l.busy.Swap(true) && polls < 5; polls++ {
		runtime.Gosched()
	}
}

// Plain hands over through a plain field.
type Plain struct {
	turn int
	n    int
}

func NewPlain(n int) (*Plain, error) {
	if n < 2 {
		return nil, errors.New("for at least two")
	}
	return &Plain{n: n}, nil
}

func (l *Plain) Lock(i int) {
	for l.turn != i {
		runtime.Gosched()
	}
}

func (l *Plain) Unlock(i int) { l.turn = (i + 1) % l.n }

// Owner is a test-and-set lock that notes its owner in a plain field, which
// the lock itself protects.
type Owner struct {
	TAS
	owner int
}

func NewOwner(n int) *Owner { return new(Owner) }

func (l *Owner) Lock(i int) {
	l.TAS.Lock(i)
	l.owner = i
}

func (l *Owner) Unlock(i int) {
	if l.owner != i {
		panic("not the owner")
	}
	l.TAS.Unlock(i)
}

// StuckExit excludes, but a process that leaves waits for another process to come.
type StuckExit struct {
	TAS
	came atomic.Int32
}

func NewStuckExit(n int) *StuckExit { return new(StuckExit) }

func (l *StuckExit) Lock(i int) {
	l.came.Add(1)
	l.TAS.Lock(i)
}

func (l *StuckExit) Unlock(i int) {
	l.TAS.Unlock(i)
	for seen := l.came.Load(); l.came.Load() == seen; {
		runtime.Gosched()
	}
}

// LastWaits is a test-and-set lock whose exit section waits for a bit that
// no process ever sets.
type LastWaits struct {
	TAS
	go_ atomic.Bool
}

func NewLastWaits(n int) *LastWaits { return new(LastWaits) }

func (l *LastWaits) Unlock(i int) {
	l.TAS.Unlock(i)
	for !l.go_.Load() && i == 0 {
	}
}

// Nothing excludes no process, without a single access.
type Nothing struct{}

func NewNothing(n int) *Nothing { return new(Nothing) }

func (*Nothing) Lock(int)   {}
func (*Nothing) Unlock(int) {}

// Panics runs out of its array when both processes come.
type Panics struct {
	TAS
	inside atomic.Int32
	log    [1]int
}

func NewPanics(n int) *Panics { return new(Panics) }

func (l *Panics) Lock(i int) {
	_ = l.log[l.inside.Add(1)-1]
	l.TAS.Lock(i)
}

func (l *Panics) Unlock(i int) {
	l.inside.Add(-1)
	l.TAS.Unlock(i)
}

// Gate lets one process in and never opens again.
type Gate struct{ closed atomic.Uint32 }

func NewGate(n int) *Gate { return new(Gate) }

func (l *Gate) Lock(int) {
	for !l.closed.CompareAndSwap(0, 1) {
	}
}

func (l *Gate) Unlock(int) {}

// NewPair builds a lock for exactly two processes.
func NewPair(n int) (*TAS, error) {
	if n != 2 {
		return nil, errors.New("for two")
	}
	return new(TAS), nil
}

// Patient counts its polls, without end, to yield at every tenth.
type Patient struct{ TAS }

func NewPatient(n int) *Patient { return new(Patient) }

func (l *Patient) Lock(int) {
	for polls := 1; l.busy.Swap(true); polls++ {
		if polls%10 == 0 {
			runtime.Gosched()
		}
	}
}

// Loops never comes out of its entry section, and writes on the way.
type Loops struct{ a, b atomic.Uint32 }

func NewLoops(n int) *Loops { return new(Loops) }

func (l *Loops) Lock(int) {
	for {
		if l.a.Load() == 0 {
			l.b.Store(1)
		} else {
			l.b.Store(2)
		}
		if l.b.Load() == 1 {
			l.a.Store(1)
		}
	}
}

func (l *Loops) Unlock(int) {}
