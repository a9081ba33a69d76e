package knownbroken

import (
	"sync/atomic"

	"shmbench/shm"
	"shmbench/shm/spin"
)

// goMutex is the algorithm of Go's sync.Mutex. A waiter that has slept for more than a
// millisecond switches the mutex to starvation mode. In this mode the mutex is handed from one
// waiter to the next, and no arriving process may take it. But first a process has to enter
// the queue by a compare-and-swap, which can fail forever while others come and go. On
// hardware it hardly ever fails often, but nothing bounds the number. With three processes the
// exit section has such a loop too (lines 11 to 13): each time a leaving process is about to
// wake the waiter, another process has taken the mutex, or has woken the waiter. A lock of the
// catalog must end its exit sections, so this one is only here.
var goMutex = made(Lock{
	Algorithm: shm.Algorithm{
		Name:  "knownbroken/go-mutex",
		Title: "Go's sync.Mutex",
		Source: shm.Source{
			Author: "Dmitry Vyukov; The Go Authors",
			Title:  "sync.Mutex: Mutex Fairness",
			Venue:  "Go 1.9, sync/mutex.go",
			Year:   2017,
		},
		Class:    shm.CompareAndSwap | shm.FetchAndAdd,
		MinProcs: 1,
		MaxProcs: goMutexMost,
		Claims:   shm.Claims{DeadlockFree: true, StarvationFree: true},
		Space: shm.Space{
			{Name: "state", Count: shm.Const(1), Values: shm.UpTo(3, shm.Formula{Text: "6n-3", At: func(n int) int { return 6*n - 3 }}, shm.Formula{Text: "at most 8n", At: func(n int) int { return 8 * n }})},
			{Name: "sema", Count: shm.Const(1), Values: goMutexQueues},
		},
	},
	Read:     "internal/sync/mutex.go of Go 1.26, its comment on fairness and its code",
	Claimed:  "starvation mode prevents pathological cases of tail latency",
	Property: starvation,
	Verdict:  "the compare-and-swap with which a process joins the queue fails each time, while another process enters and leaves.",
	Procs:    2,
	Memory:   Consistent,
	Steps:    7,
	Fix:      "a waiter gets into the queue by an operation that cannot fail, as in MCS",
	Fixed:    "queue/mcs",
}, func(int) shm.Mutex { return new(goMutexMutex) })

// goMutexQueues is the number of queues of at most n-1 of n processes, and 1 for a permit.
var goMutexQueues = shm.Formula{Text: "1 + sum over k<n of n!/(n-k)!", At: func(n int) int {
	total, queues := 1, 1
	for k := range n {
		total, queues = total+queues, queues*(n-k)
	}
	return total
}}

// goMutexMutex, in which parts of state that are set are written as a sum:
//
//	entry section of process i:
//	1  if compare-and-swap(state, nil, locked) succeeds then enter
//	2  old := state
//	3  new := old + locked, unless old is starving; + one waiter, if old is locked or starving;
//	   + starving, if i starves and old is locked; - woken, if i was woken
//	4  if compare-and-swap(state, old, new) fails then goto 2
//	5  if old is neither locked nor starving then enter
//	6  acquire sema, at the front of its queue if i was there before; i starves if it was woken twice
//	7  old := state; if old is not starving then i was woken, goto 3
//	8  state := state + locked - one waiter, - starving if i does not starve or is the last waiter; enter
//	exit section:
//	9  new := state := state - locked; if new = nil then return
//	10 if new is starving then release sema, return
//	11 if new has no waiter, or is locked, woken or starving, then return
//	12 if compare-and-swap(state, new, new - one waiter + woken) succeeds then release sema, return
//	13 new := state; goto 11
//
// Processes do not spin before they queue up, and time is counted in wake-ups. The runtime's
// semaphore, which puts goroutines to sleep, is a word with a queue of waiters. A process that
// releases the semaphore hands it to the first waiter.
type goMutexMutex struct {
	state atomic.Int32
	sema  atomic.Uint64 // a permit in the lowest bit of four, then id+1 of each that waits, four bits each
}

const (
	goLocked   = 1
	goWoken    = 2
	goStarving = 4
	goWaiter   = 8

	goMutexMost = 14
	goPatience  = 2
)

func (l *goMutexMutex) Lock(i int) {
	if l.state.CompareAndSwap(0, goLocked) { // 1
		return
	}
	woken := 0
	old := l.state.Load() // 2
	for {
		starves := woken >= goPatience
		next := old // 3
		if old&goStarving == 0 {
			next |= goLocked
		}
		if old&(goLocked|goStarving) != 0 {
			next += goWaiter
		}
		if starves && old&goLocked != 0 {
			next |= goStarving
		}
		if woken > 0 {
			next &^= goWoken
		}
		if !l.state.CompareAndSwap(old, next) { // 4
			spin.Pause()
			old = l.state.Load() // 2
			continue
		}
		if old&(goLocked|goStarving) == 0 { // 5
			return
		}
		l.acquire(i, woken > 0) // 6
		woken = min(woken+1, goPatience)
		old = l.state.Load() // 7
		if old&goStarving != 0 {
			l.own(old, woken >= goPatience)
			return
		}
	}
}

// own is line 8.
func (l *goMutexMutex) own(old int32, starves bool) {
	delta := int32(goLocked - goWaiter)
	if !starves || old/goWaiter == 1 {
		delta -= goStarving
	}
	l.state.Add(delta) // 8
}

func (l *goMutexMutex) Unlock(int) {
	state := l.state.Add(-goLocked) // 9
	if state == 0 {
		return
	}
	if state&goStarving != 0 { // 10
		l.release()
		return
	}
	for state/goWaiter > 0 && state&(goLocked|goWoken|goStarving) == 0 { // 11
		if l.state.CompareAndSwap(state, state-goWaiter+goWoken) { // 12
			l.release()
			return
		}
		spin.Pause()
		state = l.state.Load() // 13
	}
}

// acquire takes the permit, or waits in the queue until another process hands it over.
func (l *goMutexMutex) acquire(i int, front bool) {
	id := uint64(i + 1)
	for ; ; spin.Pause() {
		v := l.sema.Load() // 6
		if v&1 != 0 {
			if l.sema.CompareAndSwap(v, v-1) { // 6
				return
			}
			continue
		}
		at := 4 // where i goes
		for !front && v>>at != 0 {
			at += 4
		}
		ahead := v & (1<<at - 1)
		if l.sema.CompareAndSwap(v, ahead|id<<at|v>>at<<(at+4)) { // 6
			break
		}
	}
	spin.Until(func() bool { return !queued(l.sema.Load(), id) }) // 6
}

// queued reports whether a process waits in a semaphore's queue.
func queued(v, id uint64) bool {
	for v >>= 4; v != 0; v >>= 4 {
		if v&15 == id {
			return true
		}
	}
	return false
}

// release hands the semaphore to the first process in the queue, or leaves a permit.
func (l *goMutexMutex) release() {
	for ; ; spin.Pause() {
		v := l.sema.Load() // 10, 12
		next := v | 1
		if v>>4 != 0 {
			next = v >> 8 << 4
		}
		if l.sema.CompareAndSwap(v, next) { // 10, 12
			return
		}
	}
}
