package broken

import (
	"runtime"
	"sync"
	"sync/atomic"

	"shmbench/shm"
	"shmbench/shm/spin"
)

// TestThenSet tests and sets in two steps.
var TestThenSet = spec("TestThenSet", live, 64, func(int) shm.Mutex { return new(testThenSet) })

type testThenSet struct{ busy atomic.Bool }

func (l *testThenSet) Lock(int) {
	spin.Until(func() bool { return !l.busy.Load() })
	l.busy.Store(true)
}
func (l *testThenSet) Unlock(int) { l.busy.Store(false) }

// TurnFirst is Peterson's lock with turn written before q.
var TurnFirst = spec("TurnFirst", free, 2, func(int) shm.Mutex { return new(turnFirst) })

type turnFirst struct {
	q    [2]atomic.Bool
	turn atomic.Int32
}

func (l *turnFirst) Lock(i int) {
	l.turn.Store(int32(i))
	l.q[i].Store(true)
	spin.Until(func() bool { return !l.q[1-i].Load() || l.turn.Load() != int32(i) })
}
func (l *turnFirst) Unlock(i int) { l.q[i].Store(false) }

// EarlyFlag looks at the other's flag before it sets its own.
var EarlyFlag = spec("EarlyFlag", live, 2, func(int) shm.Mutex { return new(earlyFlag) })

type earlyFlag struct{ flag [2]atomic.Bool }

func (l *earlyFlag) Lock(i int) {
	for l.flag[1-i].Load() {
		runtime.Gosched()
	}
	l.flag[i].Store(true)
}
func (l *earlyFlag) Unlock(i int) { l.flag[i].Store(false) }

// Wrap16 compares a ticket of 32 bits with a counter of 16.
var Wrap16 = spec("Wrap16", fair, 64, func(int) shm.Mutex { return new(wrap16) })

type wrap16 struct{ next, serving atomic.Uint32 }

func (l *wrap16) Lock(int) {
	mine := l.next.Add(1) - 1
	spin.Until(func() bool { return l.serving.Load() == mine })
}
func (l *wrap16) Unlock(int) { l.serving.Store(uint32(uint16(l.serving.Load() + 1))) }

// Reset16 begins anew after 2^16 tickets, a process that may be waiting.
var Reset16 = spec("Reset16", live, 64, func(int) shm.Mutex { return new(reset16) })

type reset16 struct{ next, serving atomic.Uint32 }

func (l *reset16) Lock(int) {
	mine := l.next.Add(1) - 1
	spin.Until(func() bool { return l.serving.Load() >= mine })
}
func (l *reset16) Unlock(int) {
	if l.serving.Add(1) == 1<<16 {
		l.next.Store(0)
		l.serving.Store(0)
	}
}

// PidMask gives processes that differ by four the same flag.
var PidMask = spec("PidMask", live, 64, func(n int) shm.Mutex {
	return &pidMask{flag: make([]atomic.Bool, 4), n: n}
})

type pidMask struct {
	flag []atomic.Bool
	mu   sync.Mutex
	n    int
}

func (l *pidMask) Lock(i int) {
	for {
		l.mu.Lock()
		free := true
		for j := range l.flag {
			if j != i%4 && l.flag[j].Load() {
				free = false
			}
		}
		if free {
			l.flag[i%4].Store(true)
		}
		l.mu.Unlock()
		if free {
			return
		}
		spin.Pause()
	}
}
func (l *pidMask) Unlock(i int) { l.flag[i%4].Store(false) }

// LostBias lets its owner in by plain flags, and the bias be taken away from it
// without a second look.
var LostBias = spec("LostBias", live, 64, func(int) shm.Mutex { return &lostBias{} })

type lostBias struct {
	revoked, inside, busy atomic.Bool
	private               bool
}

func (l *lostBias) Lock(i int) {
	if i == 0 && !l.revoked.Load() {
		l.inside.Store(true) // and does not look at revoked again
		l.private = true
		return
	}
	for l.busy.Swap(true) {
		spin.Pause()
	}
	if i != 0 && !l.revoked.Load() {
		l.revoked.Store(true)
	}
	spin.Until(func() bool { return !l.inside.Load() })
}
func (l *lostBias) Unlock(i int) {
	if i == 0 && l.private {
		l.private = false
		l.inside.Store(false)
		return
	}
	l.busy.Store(false)
}

// UnfairTAS is a test-and-set lock that claims that no process starves.
var UnfairTAS = spec("UnfairTAS", free, 64, func(int) shm.Mutex { return new(unfairTAS) })

type unfairTAS struct{ busy atomic.Bool }

func (l *unfairTAS) Lock(int) {
	for l.busy.Swap(true) {
		spin.Pause()
	}
}
func (l *unfairTAS) Unlock(int) { l.busy.Store(false) }

// RareSkip does not wait at one passage in a thousand.
var RareSkip = spec("RareSkip", live, 64, func(int) shm.Mutex { return new(rareSkip) })

type rareSkip struct{ next, serving atomic.Uint32 }

func (l *rareSkip) Lock(int) {
	mine := l.next.Add(1) - 1
	if mine%1000 == 999 {
		return
	}
	spin.Until(func() bool { return l.serving.Load() == mine })
}
func (l *rareSkip) Unlock(int) { l.serving.Add(1) }

// Impatient enters after it has polled for long.
var Impatient = spec("Impatient", live, 64, func(int) shm.Mutex { return new(impatient) })

type impatient struct{ busy atomic.Bool }

func (l *impatient) Lock(int) {
	for polls := 0; l.busy.Swap(true) && polls < 20_000; polls++ {
		spin.Pause()
	}
}
func (l *impatient) Unlock(int) { l.busy.Store(false) }

// WeakRelease tries once to release, and gives up if it is disturbed.
var WeakRelease = spec("WeakRelease", live, 64, func(int) shm.Mutex { return new(weakRelease) })

type weakRelease struct{ word atomic.Uint64 } // waiters above bit 0

func (l *weakRelease) Lock(int) {
	l.word.Add(2)
	for {
		w := l.word.Load()
		if w&1 == 0 && l.word.CompareAndSwap(w, (w-2)|1) {
			return
		}
		spin.Pause()
	}
}
func (l *weakRelease) Unlock(int) {
	w := l.word.Load()
	l.word.CompareAndSwap(w, w&^1)
}

// PlainFlag hands over by a word that is not atomic.
var PlainFlag = spec("PlainFlag", live, 64, func(int) shm.Mutex { return new(plainFlag) })

type plainFlag struct {
	busy atomic.Bool
	last int // written outside the lock
}

func (l *plainFlag) Lock(i int) {
	l.last = i
	for l.busy.Swap(true) {
		spin.Pause()
	}
}
func (l *plainFlag) Unlock(int) { l.busy.Store(false) }

// PanicsLate runs out of an array.
var PanicsLate = spec("PanicsLate", live, 64, func(int) shm.Mutex { return &panicsLate{log: make([]int, 40_000)} })

type panicsLate struct {
	busy atomic.Bool
	log  []int
	made int
}

func (l *panicsLate) Lock(i int) {
	for l.busy.Swap(true) {
		spin.Pause()
	}
	l.log[l.made] = i
	l.made++
}
func (l *panicsLate) Unlock(int) { l.busy.Store(false) }

// LowFirst lets the lowest id in first, and claims that no process starves.
var LowFirst = spec("LowFirst", free, 64, func(n int) shm.Mutex { return &lowFirst{want: make([]atomic.Bool, n)} })

type lowFirst struct {
	want []atomic.Bool
	busy atomic.Bool
}

func (l *lowFirst) Lock(i int) {
	l.want[i].Store(true)
	spin.Until(func() bool {
		for j := range i {
			if l.want[j].Load() {
				return false
			}
		}
		return !l.busy.Swap(true)
	})
	l.want[i].Store(false)
}
func (l *lowFirst) Unlock(int) { l.busy.Store(false) }
