package spin

import (
	"sync"
	"time"
)

// room lets few of the processes that wait poll, and parks the others. The
// turn to poll goes to the process that has waited longest; one that polls in
// vain passes it to the next, and keeps its place. With a lock that is first
// come, first served, the first is then the one that the lock lets in, and a
// passage costs one switch of goroutines, however many wait. With any other
// each has its turn too, as those before it that get through come back behind
// it.
//
// Keeping the processes that would only be in the way from running is Dave
// Dice's idea (Malthusian Locks, EuroSys 2017, pp. 314-327), who does it within
// the lock.
type room struct {
	mu             sync.Mutex
	oldest, newest *waiter
	turns          int // turns taken, by waiters that are not parked
	spare          *waiter

	left  int       // waiters that have left since there was nobody
	since time.Time // when the last span of them began
	slow  int       // spans in a row that were slow
}

// waiter is one process in a room.
type waiter struct {
	turn         chan struct{}
	parked       bool
	older, newer *waiter
}

// A span is so many waiters that leave; it is slow if that takes them
// slowSpan, many times what switching goroutines does: then the critical
// sections or the remainders are so long that they should run side by side
// rather than in turns. After manySlow in a row turns do not pay.
const (
	span     = 16
	slowSpan = span * time.Microsecond
	manySlow = 8
)

// enter waits for a turn, of which there are so many.
func (r *room) enter(turns int) *waiter {
	r.mu.Lock()
	w := r.spare
	if w == nil {
		w = &waiter{turn: make(chan struct{}, 1)}
	} else {
		r.spare = w.newer
	}
	w.older, w.newer = r.newest, nil
	if r.newest == nil {
		r.oldest = w
		r.left, r.slow, r.since = 0, 0, time.Now()
	} else {
		r.newest.newer = w
	}
	r.newest = w
	parked := r.turns >= turns
	if w.parked = parked; !parked {
		r.turns++
	}
	r.mu.Unlock()
	if parked {
		<-w.turn
	}
	return w
}

// pass gives the turn of w to the next, if there is one, and waits for another.
func (r *room) pass(w *waiter) {
	r.mu.Lock()
	n := firstParked(w)
	if n == nil {
		n = firstParked(r.oldest)
	}
	if n == nil {
		r.mu.Unlock()
		return
	}
	n.parked, w.parked = false, true
	r.mu.Unlock()
	n.turn <- struct{}{}
	<-w.turn
}

// leave gives the turn of w to the process that has waited longest.
func (r *room) leave(w *waiter) {
	r.mu.Lock()
	if w.older == nil {
		r.oldest = w.newer
	} else {
		w.older.newer = w.newer
	}
	if w.newer == nil {
		r.newest = w.older
	} else {
		w.newer.older = w.older
	}
	w.older, w.newer, r.spare = nil, r.spare, w
	n := firstParked(r.oldest)
	if n == nil {
		r.turns--
	} else {
		n.parked = false
	}
	if r.left++; r.left%span == 0 && r.unpaid() {
		vain.Store(-reprieve)
	}
	r.mu.Unlock()
	if n != nil {
		n.turn <- struct{}{}
	}
}

// unpaid ends a span and reports whether it was one slow span too many.
func (r *room) unpaid() bool {
	now := time.Now()
	slow := now.Sub(r.since) >= slowSpan
	r.since = now
	if !slow {
		r.slow = 0
		return false
	}
	r.slow++
	if r.slow < manySlow {
		return false
	}
	r.slow = 0
	return true
}

// firstParked returns the first that is parked, of w and those after it, or
// nil.
func firstParked(w *waiter) *waiter {
	for w != nil && !w.parked {
		w = w.newer
	}
	return w
}
