package counts

import "sync/atomic"

// Fifth lets the process with the fifth ticket in without waiting.
type Fifth struct{ Ticket }

// NewFifth returns a Fifth.
func NewFifth(int) *Fifth { return new(Fifth) }

func (l *Fifth) Lock(int) {
	if mine := l.next.Add(1) - 1; mine != 4 {
		l.await(mine)
	}
}

// Sixty lets the process in that makes the counter 60.
type Sixty struct{ busy, count atomic.Uint32 }

// NewSixty returns a Sixty.
func NewSixty(int) *Sixty { return new(Sixty) }

func (l *Sixty) Lock(int) {
	l.count.Add(1)
	if l.count.CompareAndSwap(60, 0) {
		return
	}
	for l.busy.Swap(1) == 1 {
	}
}

func (l *Sixty) Unlock(int) { l.busy.Store(0) }

// Inside counts passages in a word that the lock protects, and does not exclude from the 70th
// passage on.
type Inside struct {
	busy  atomic.Uint32
	total int
}

// NewInside returns an Inside.
func NewInside(int) *Inside { return new(Inside) }

func (l *Inside) Lock(int) {
	for l.busy.Swap(1) == 1 {
	}
	l.total++
	if l.total >= 70 {
		l.busy.Store(0)
	}
}

func (l *Inside) Unlock(int) { l.busy.Store(0) }

// Bytes compares a byte of its tickets.
type Bytes struct{ Ticket }

// NewBytes returns a Bytes.
func NewBytes(int) *Bytes { return new(Bytes) }

func (l *Bytes) Lock(int) {
	for mine := uint8(l.next.Add(1) - 1); uint8(l.serving.Load()) != mine; {
	}
}

// Stale reads a version that other processes may change any number of times before it compares it.
type Stale struct{ version atomic.Uint32 }

// NewStale returns a Stale.
func NewStale(int) *Stale { return new(Stale) }

func (l *Stale) Lock(int) {
	for {
		version := l.version.Load()
		if version&1 == 0 && l.version.CompareAndSwap(version, version+1) {
			return
		}
	}
}

func (l *Stale) Unlock(int) { l.version.Add(1) }

// Jumps serves tickets in steps that are as far apart as the modulus of the checker.
type Jumps struct{ Ticket }

// NewJumps returns a Jumps.
func NewJumps(int) *Jumps { return new(Jumps) }

func (l *Jumps) Lock(int) { l.await(l.next.Add(32) - 32) }

func (l *Jumps) Unlock(int) { l.serving.Add(32) }

// Reset keeps the last ticket, and 0 while no process is in its critical section.
type Reset struct {
	Ticket
	last atomic.Uint32
}

// NewReset returns a Reset.
func NewReset(int) *Reset { return new(Reset) }

func (l *Reset) Lock(int) {
	mine := l.next.Add(1) - 1
	l.await(mine)
	l.last.Store(mine)
}

func (l *Reset) Unlock(int) {
	l.last.Store(0)
	l.serving.Add(1)
}
