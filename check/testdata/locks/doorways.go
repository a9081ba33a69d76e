package locks

import "sync/atomic"

// Once is Peterson's lock for two processes with a loop in its doorway and one in its
// exit section, and both loops always end in their first round: no process takes back
// what they set.
type Once struct {
	want      [2]atomic.Bool
	turn      atomic.Int32
	used      [2]atomic.Bool
	announced atomic.Bool
}

func NewOnce(int) *Once { return new(Once) }

func (l *Once) Lock(i int) {
	l.want[i].Store(true)
	for !l.used[i].Load() {
		l.used[i].Store(true)
	}
	l.turn.Store(int32(1 - i))
	for l.want[1-i].Load() && l.turn.Load() == int32(1-i) {
	}
}

func (l *Once) Unlock(i int) {
	for !l.announced.Load() {
		l.announced.Store(true)
	}
	l.want[i].Store(false)
}

// Gated is the same lock behind a gate, which is closed while a process leaves.
type Gated struct {
	Once
	closed atomic.Bool
}

func NewGated(int) *Gated { return new(Gated) }

func (l *Gated) Lock(i int) {
	for l.closed.Load() {
	}
	l.Once.Lock(i)
}

func (l *Gated) Unlock(i int) {
	l.closed.Store(true)
	l.Once.Unlock(i)
	l.closed.Store(false)
}

// Counted is the same lock with a count of passages, modulo 4, that all keep
// together after they have left: one can make the other try again and again.
type Counted struct {
	Once
	count atomic.Uint32
}

func NewCounted(int) *Counted { return new(Counted) }

func (l *Counted) Unlock(i int) {
	l.Once.Unlock(i)
	for {
		c := l.count.Load()
		if l.count.CompareAndSwap(c, (c+1)%4) {
			return
		}
	}
}

// TriesFirst is a test-and-set lock with one attempt before it waits.
type TriesFirst struct{ TAS }

func NewTriesFirst(int) *TriesFirst { return new(TriesFirst) }

func (l *TriesFirst) Lock(i int) {
	if l.busy.Swap(true) {
		l.TAS.Lock(i)
	}
}
