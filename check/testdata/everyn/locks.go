// Package everyn has locks that exclude for few processes and fail for more. A proof for every
// number of processes must refuse them.
package everyn

import (
	"runtime"
	"sync/atomic"
)

// SeesTwo is Lamport's one-bit lock. Each process sees only the bits of processes 0 to 2, so the
// lock fails with four processes.
type SeesTwo struct {
	n int
	x []atomic.Bool
}

func NewSeesTwo(n int) *SeesTwo { return &SeesTwo{min(n, 3), make([]atomic.Bool, n)} }

func (l *SeesTwo) Lock(i int) {
again:
	l.x[i].Store(true)
	for j := range min(i, l.n) {
		if l.x[j].Load() {
			l.x[i].Store(false)
			for l.x[j].Load() {
				runtime.Gosched()
			}
			goto again
		}
	}
	for j := i + 1; j < l.n; j++ {
		for l.x[j].Load() {
			runtime.Gosched()
		}
	}
}

func (l *SeesTwo) Unlock(i int) { l.x[i].Store(false) }

// FourthIn counts the processes between the first line of Lock and the last line of Unlock. The
// fourth one enters at once.
type FourthIn struct {
	busy  atomic.Bool
	count atomic.Uint32
}

func NewFourthIn(n int) *FourthIn { return new(FourthIn) }

func (l *FourthIn) Lock(int) {
	for {
		c := l.count.Load()
		if c == 4 || !l.count.CompareAndSwap(c, c+1) {
			runtime.Gosched()
			continue
		}
		if c == 3 {
			return
		}
		break
	}
	for l.busy.Swap(true) {
		runtime.Gosched()
	}
}

func (l *FourthIn) Unlock(int) {
	l.busy.Store(false)
	for {
		c := l.count.Load()
		if c > 0 && l.count.CompareAndSwap(c, c-1) {
			return
		}
		runtime.Gosched()
	}
}

// FourIDs notes its owner, and enters a process that already is the owner. It keeps ids modulo
// four, so it fails with five processes.
type FourIDs struct{ owner atomic.Uint32 }

func NewFourIDs(n int) *FourIDs { return new(FourIDs) }

func (l *FourIDs) Lock(i int) {
	me := uint32(i)%4 + 1
	for l.owner.Load() != me && !l.owner.CompareAndSwap(0, me) {
		runtime.Gosched()
	}
}

func (l *FourIDs) Unlock(int) { l.owner.Store(0) }
