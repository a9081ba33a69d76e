package spin

import (
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// pausesWhileParked is how many polls of a wait pause while others are parked:
// the time in which a process that runs leaves a short critical section.
const pausesWhileParked = 8

// turns is the state of the policy Turns, which all waits of the program share.
//
// A wait pauses between its first polls, only briefly where others are parked.
// Then it queues. Of the waiters in the queue few poll, one processor being
// left to the processes that do not wait, and the others are parked. A turn to
// poll that becomes free goes to the waiter that has waited longest; one that
// polls and fails passes its turn to the next, and keeps its place. With a lock
// that is first come, first served, the oldest is the one that the lock lets in
// next, and a passage costs one switch of goroutines, however many wait. With
// any other lock each has its turn too, as those that get through come back at
// the end.
//
// Keeping processes from running that would only be in the way is Dave Dice's
// idea (Malthusian Locks, EuroSys 2017, pp. 314-327); he does it within the
// lock.
type turns struct {
	mu     sync.Mutex
	queue  []*waiter    // the oldest first
	parked atomic.Int32 // how many of them are parked
	most   int          // how many of them may poll at once
	spare  []*waiter    // those that have left, to be used again
}

// waiter is one process that waits in the queue.
type waiter struct {
	parked bool
	turn   chan struct{} // brings the turn to a parked waiter
}

func (t *turns) wait(cond Cond) {
	for i := range pausesBeforeYield {
		if i >= pausesWhileParked && t.parked.Load() > 0 {
			break
		}
		if pause(); cond() {
			return
		}
	}
	if racing {
		// The queue's own synchronization would order what a broken lock
		// leaves unordered, and hide it from the race detector.
		cond.yield()
		return
	}
	w := t.join()
	// Deferred for a cond that panics: all other waits depend on it.
	defer t.leave(w)
	for !cond() {
		if pause(); cond() {
			return
		}
		// What cond waits for may be a process that is able to run and waits
		// only for a processor.
		if runtime.Gosched(); cond() {
			return
		}
		t.pass(w)
	}
}

// join puts a waiter at the end of the queue and returns when it has a turn.
func (t *turns) join() *waiter {
	t.mu.Lock()
	if len(t.queue) == 0 {
		t.most = max(1, min(runtime.GOMAXPROCS(0), runtime.NumCPU())-1)
	}
	if len(t.spare) == 0 {
		t.spare = append(t.spare, &waiter{turn: make(chan struct{}, 1)})
	}
	last := len(t.spare) - 1
	w := t.spare[last]
	t.spare = t.spare[:last]
	if len(t.queue)-int(t.parked.Load()) < t.most {
		w.turn <- struct{}{}
	} else {
		w.parked = true
		t.parked.Add(1)
	}
	t.queue = append(t.queue, w)
	t.mu.Unlock()
	<-w.turn
	return w
}

// pass gives the turn of w to the next waiter that is parked, and waits for
// another; it keeps the turn if there is none.
func (t *turns) pass(w *waiter) {
	t.mu.Lock()
	i := slices.Index(t.queue, w)
	next := firstParked(t.queue[i:])
	if next == nil {
		next = firstParked(t.queue[:i])
	}
	if next == nil {
		t.mu.Unlock()
		return
	}
	w.parked, next.parked = true, false
	t.mu.Unlock()
	next.turn <- struct{}{}
	<-w.turn
}

// leave takes w out of the queue and gives its turn to the oldest waiter that
// is parked.
func (t *turns) leave(w *waiter) {
	t.mu.Lock()
	i := slices.Index(t.queue, w)
	t.queue = slices.Delete(t.queue, i, i+1)
	t.spare = append(t.spare, w)
	next := firstParked(t.queue)
	if next != nil {
		next.parked = false
		t.parked.Add(-1)
	}
	t.mu.Unlock()
	if next != nil {
		next.turn <- struct{}{}
	}
}

// firstParked returns the first of the waiters that is parked, or nil.
func firstParked(queue []*waiter) *waiter {
	for _, w := range queue {
		if w.parked {
			return w
		}
	}
	return nil
}
