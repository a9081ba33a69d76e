package crew

import (
	"iter"
	"sync/atomic"
)

// Ranges hands out numbers, in ranges, to goroutines that share them.
type Ranges struct {
	next      atomic.Int64
	end, size int
}

// NewRanges returns the numbers from from up to end, in ranges of the given size.
func NewRanges(from, end, size int) *Ranges {
	r := &Ranges{end: end, size: size}
	r.next.Store(int64(from))
	return r
}

// All yields the ranges, from lo up to hi, that no goroutine has taken yet.
func (r *Ranges) All() iter.Seq2[int, int] {
	return func(yield func(lo, hi int) bool) {
		for {
			lo := int(r.next.Add(int64(r.size))) - r.size
			if lo >= r.end || !yield(lo, min(lo+r.size, r.end)) {
				return
			}
		}
	}
}

// Share lets workers, numbered from 0, work on all numbers below end, in ranges of the given
// size, and waits until all is done. It panics if a worker has panicked.
func Share(workers, end, size int, work func(worker, lo, hi int)) {
	r := NewRanges(0, end, size)
	Do(workers, func(worker int) {
		for lo, hi := range r.All() {
			work(worker, lo, hi)
		}
	})
}
