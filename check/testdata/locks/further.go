package locks

import (
	"sync/atomic"

	"shmbench/shm"
)

// Laid excludes no process unless its layout is zero.
type Laid struct {
	busy   atomic.Bool
	layout shm.Layout
}

// NewLaid returns a Laid.
func NewLaid(_ int, layout shm.Layout) *Laid { return &Laid{layout: layout} }

func (l *Laid) Lock(int) {
	for l.busy.Swap(true) && l.layout == 0 {
	}
}

func (l *Laid) Unlock(int) { l.busy.Store(false) }

// Third is a test-and-set lock that counts the passages of process 2.
type Third struct {
	TAS
	passages atomic.Int64
}

// NewThird returns a Third.
func NewThird(int) *Third { return new(Third) }

func (l *Third) Lock(i int) {
	l.TAS.Lock(i)
	if i == 2 && l.passages.Add(1) < 0 {
		panic("too many passages")
	}
}
