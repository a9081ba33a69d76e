package crashes

import (
	"sync/atomic"

	"shmbench/shm"
)

// robust is the robust mutex of glibc with the kernel's part in it. A crash is the death of a
// thread. Recover is what the kernel does then, and after it the thread starts again under its
// number. The check must allow one crash only, because no crash interrupts the kernel.
//
// The word has the owner and 1, the bits waiters and died, and the set of sleeping threads, which
// the kernel keeps. So the kernel compares the lock word and changes the set in one step.
type robust struct {
	word    atomic.Uint64
	pending [3]atomic.Bool // list_op_pending of a thread
	list    [3]atomic.Bool // the lock is in the robust list of a thread
	rule    string
}

// These are the kernel before 2019, from 2019, from 2022, and one that wakes a thread whenever the
// dead thread does not own the pending word. The last two have an error of glibc repaired in
// 2017: two stores of unlock, and a forgotten bit.
func NewRobustNoPending(int) *robust { return &robust{rule: "none"} }
func NewRobustZero(int) *robust      { return &robust{rule: "zero"} }
func NewRobustNoOwner(int) *robust   { return &robust{rule: "no owner"} }
func NewRobustAlways(int) *robust    { return &robust{rule: "always"} }
func NewRobustTwoSteps(int) *robust  { return &robust{rule: "none, two steps"} }
func NewRobustForgets(int) *robust   { return &robust{rule: "always, forgets"} }

const (
	owner   = 0xf
	waiters = 0x10
	died    = 0x20
	lock    = owner | waiters | died
	sleeper = 8 // the place of the sleeping threads
)

// swap replaces the lock word if it is still old, and returns what it was.
func (l *robust) swap(old, now uint64) (was uint64) {
	for {
		x := l.word.Load()
		if x&lock != old {
			return x & lock
		}
		if l.word.CompareAndSwap(x, x&^lock|now) {
			return old
		}
	}
}

// wake wakes one sleeping thread.
func (l *robust) wake() {
	for {
		x := l.word.Load()
		sleeping := x >> sleeper
		if sleeping == 0 || l.word.CompareAndSwap(x, x&lock|sleeping&(sleeping-1)<<sleeper) {
			return
		}
	}
}

// sleep lets thread i sleep until it is woken, if the lock word is v.
func (l *robust) sleep(i int, v uint64) {
	for {
		x := l.word.Load()
		if x&lock != v {
			return
		}
		if l.word.CompareAndSwap(x, x|1<<(sleeper+i)) {
			break
		}
	}
	for l.word.Load()>>(sleeper+i)&1 != 0 {
	}
}

// Recover is what the kernel does when thread i dies.
func (l *robust) Recover(i int) shm.Outcome {
	l.word.And(^(uint64(1) << (sleeper + i)))
	pending := l.pending[i].Load()
	if pending || l.list[i].Load() {
		l.death(i, pending)
	}
	l.pending[i].Store(false)
	l.list[i].Store(false)
	return shm.Enter
}

func (l *robust) death(i int, pending bool) {
	for {
		v := l.word.Load() & lock
		switch {
		case v&owner == uint64(i)+1:
			if l.swap(v, v&waiters|died) != v {
				continue
			}
			if v&waiters != 0 {
				l.wake()
			}
		case pending && (l.rule == "zero" && v == 0 || l.rule == "no owner" && v&owner == 0 ||
			l.rule == "always" || l.rule == "always, forgets"):
			l.wake()
		}
		return
	}
}

func (l *robust) Lock(i int) {
	l.pending[i].Store(true)                                    // E1
	assume := uint64(0)                                         // E1
	for v := l.word.Load() & lock; ; v = l.word.Load() & lock { // E2
		if v == 0 || v&died != 0 {
			if l.swap(v, uint64(i)+1|v&waiters|assume) == v { // E3
				break
			}
			continue
		}
		if v&waiters == 0 && l.swap(v, v|waiters) != v { // E4
			continue
		}
		if l.rule != "always, forgets" {
			assume = waiters
		}
		l.sleep(i, v|waiters) // E5
	}
	l.list[i].Store(true)     // E6
	l.pending[i].Store(false) // E7
}

func (l *robust) Unlock(i int) {
	l.pending[i].Store(true) // X1
	l.list[i].Store(false)   // X2
	v := l.word.Load() & lock
	if l.rule == "none, two steps" && v&waiters != 0 {
		for l.swap(v, waiters) != v { // X3
			v = l.word.Load() & lock
		}
		l.swap(waiters, 0) // X3
	} else {
		for l.swap(v, 0) != v { // X3
			v = l.word.Load() & lock
		}
	}
	if v&waiters != 0 {
		l.wake() // X4
	}
	l.pending[i].Store(false) // X5
}
