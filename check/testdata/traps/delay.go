package traps

import (
	"runtime"
	"sync/atomic"
)

// Delays computes for long before it enters.
type Delays struct{ TAS }

// NewDelays returns a Delays.
func NewDelays(int) *Delays { return new(Delays) }

func (l *Delays) Lock(i int) {
	x := uint32(i)
	for turn := 0; turn < 360_000; turn++ {
		x = x*3 + 1
	}
	if x != 0 {
		l.TAS.Lock(i)
	}
}

// Waits counts for longer than anybody waits.
type Waits struct{ TAS }

// NewWaits returns a Waits.
func NewWaits(int) *Waits { return new(Waits) }

func (l *Waits) Lock(i int) {
	x := uint64(i)
	for turn := uint64(0); turn != 1<<63+1; turn += 3 {
		x += turn
	}
	if x != 0 {
		l.TAS.Lock(i)
	}
}

// Swings goes to and fro forever.
type Swings struct{ TAS }

// NewSwings returns a Swings.
func NewSwings(int) *Swings { return new(Swings) }

func (l *Swings) Lock(i int) {
	for to := new(int); ; {
		*to = 1 - *to
		to = &[]int{*to}[0]
	}
}

// Linear waits longer after each attempt.
type Linear struct{ busy atomic.Bool }

// NewLinear returns a Linear.
func NewLinear(int) *Linear { return new(Linear) }

func (l *Linear) Lock(int) {
	for delay := 1; l.busy.Swap(true); delay += 3 {
		for range delay {
			runtime.Gosched()
		}
	}
}

func (l *Linear) Unlock(int) { l.busy.Store(false) }

// Doubles waits twice as long after each attempt, in a function of its own.
type Doubles struct{ busy atomic.Bool }

// NewDoubles returns a Doubles.
func NewDoubles(int) *Doubles { return new(Doubles) }

func (l *Doubles) Lock(int) {
	delay := uint32(1)
	for l.busy.Swap(true) {
		pause(delay)
		delay += delay + 1
	}
}

func (l *Doubles) Unlock(int) { l.busy.Store(false) }

func pause(n uint32) {
	for ; n > 0; n-- {
		for i := 10; i >= 0; i-- {
			runtime.Gosched()
		}
	}
}

// Random waits for a random time that each process draws for itself.
type Random struct {
	busy atomic.Bool
	seed []uint32
}

// NewRandom returns a Random.
func NewRandom(n int) *Random {
	l := &Random{seed: make([]uint32, n)}
	for i := range l.seed {
		l.seed[i] = uint32(i + 1)
	}
	return l
}

func (l *Random) Lock(i int) {
	for l.busy.Swap(true) {
		pause(l.draw(i) % 64)
	}
}

func (l *Random) Unlock(int) { l.busy.Store(false) }

func (l *Random) draw(i int) uint32 {
	x := l.seed[i]
	x ^= x << 13
	x ^= x >> 17
	x ^= x << 5
	l.seed[i] = x
	return x
}

// Lucky enters at once if its random number says so.
type Lucky struct{ Random }

// NewLucky returns a Lucky.
func NewLucky(n int) *Lucky { return &Lucky{*NewRandom(n)} }

func (l *Lucky) Lock(i int) {
	for l.busy.Swap(true) {
		if l.draw(i)%64 == 63 {
			return
		}
	}
}

// Single ranges over the indexes of an array of one.
type Single struct{ words [1]atomic.Bool }

// NewSingle returns a Single.
func NewSingle(int) *Single { return new(Single) }

func (l *Single) Lock(int) {
	for i := range l.words {
		for l.words[i].Swap(true) {
		}
	}
}

func (l *Single) Unlock(int) { l.words[0].Store(false) }

// Allocates keeps what it knows in memory of its own that is new at each poll.
type Allocates struct{ busy atomic.Uint32 }

// NewAllocates returns an Allocates.
func NewAllocates(int) *Allocates { return new(Allocates) }

func (l *Allocates) Lock(i int) {
	spare, last := new(int), new(int)
	*last = i
	for l.busy.Swap(1) != 0 {
		spare, last = last, &[]int{*last}[0]
	}
	if *last != i || *spare < 0 {
		l.busy.Store(0)
	}
}

func (l *Allocates) Unlock(int) { l.busy.Store(0) }

// Alternates takes one of two ways in turn at each poll, and remembers which.
type Alternates struct{ busy, odd atomic.Bool }

// NewAlternates returns an Alternates.
func NewAlternates(int) *Alternates { return new(Alternates) }

func (l *Alternates) Lock(i int) {
	odd := i == 1
	for l.busy.Swap(true) {
		if l.odd.Load() {
			odd = !odd
		}
	}
	if odd {
		l.busy.Store(false)
	}
}

func (l *Alternates) Unlock(int) {
	l.odd.Store(!l.odd.Load())
	l.busy.Store(false)
}

// Joins computes a word before it knows whether it will be used, and opens for
// no other process.
type Joins struct {
	owner atomic.Uint32
	other atomic.Bool
}

// NewJoins returns a Joins.
func NewJoins(int) *Joins { return new(Joins) }

func (l *Joins) Lock(i int) {
	mine := uint32(i*2 + 1)
	if l.other.Load() {
		mine = 7
	}
	for !l.owner.CompareAndSwap(0, mine) {
	}
}

func (l *Joins) Unlock(i int) {
	if l.owner.Load() == uint32(i*2+1) {
		l.owner.Store(0)
	}
}

// Weary computes for long between any two of its many accesses.
type Weary struct {
	TAS
	steps []atomic.Uint32
}

// NewWeary returns a Weary.
func NewWeary(int) *Weary { return &Weary{steps: make([]atomic.Uint32, 30)} }

func (l *Weary) Lock(i int) {
	l.TAS.Lock(i)
	x := uint32(i)
	for k := range l.steps {
		for turn := 0; turn < 3_000_000; turn++ {
			x = x*3 + uint32(turn)
		}
		l.steps[k].Store(x)
	}
}
