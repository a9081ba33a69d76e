package broken

import (
	"sync"
	"sync/atomic"

	"shmbench/shm"
	"shmbench/shm/spin"
)

// TwoPermits lets two in where there are more than four.
var TwoPermits = spec("TwoPermits", live, 64, func(n int) shm.Mutex {
	l := make(permits, max(1, n/4))
	return l
})

type permits chan struct{}

func (l permits) Lock(int)   { l <- struct{}{} }
func (l permits) Unlock(int) { <-l }

// LostWakeup can wake a process before it sleeps, and then never again.
var LostWakeup = spec("LostWakeup", live, 64, func(int) shm.Mutex { return &lostWakeup{wake: make(chan struct{})} })

type lostWakeup struct {
	busy    atomic.Bool
	waiting atomic.Int32
	wake    chan struct{}
}

func (l *lostWakeup) Lock(int) {
	for l.busy.Swap(true) {
		l.waiting.Add(1)
		<-l.wake
		l.waiting.Add(-1)
	}
}
func (l *lostWakeup) Unlock(int) {
	l.busy.Store(false)
	if l.waiting.Load() > 0 {
		select {
		case l.wake <- struct{}{}:
		default: // no process sleeps yet
		}
	}
}

// CrossedPair takes two locks, even and odd processes in different orders.
var CrossedPair = spec("CrossedPair", live, 64, func(int) shm.Mutex { return new(crossedPair) })

type crossedPair [2]sync.Mutex

func (l *crossedPair) Lock(i int) {
	l[i%2].Lock()
	l[1-i%2].Lock()
}
func (l *crossedPair) Unlock(i int) {
	l[1-i%2].Unlock()
	l[i%2].Unlock()
}

// CutQueue hands over to the second in its queue now and then, and claims an
// order.
var CutQueue = spec("CutQueue", fair, 64, func(int) shm.Mutex { return new(cutQueue) })

type cutQueue struct {
	guard atomic.Bool
	busy  bool
	made  int
	queue []chan struct{}
}

func (l *cutQueue) enter() {
	for l.guard.Swap(true) {
		spin.Pause()
	}
}

func (l *cutQueue) Lock(int) {
	l.enter()
	if !l.busy {
		l.busy = true
		l.guard.Store(false)
		return
	}
	mine := make(chan struct{})
	l.queue = append(l.queue, mine)
	l.guard.Store(false)
	<-mine
}

func (l *cutQueue) Unlock(int) {
	l.enter()
	defer l.guard.Store(false)
	if len(l.queue) == 0 {
		l.busy = false
		return
	}
	l.made++
	next := 0
	if l.made%20 == 0 && len(l.queue) > 1 {
		next = 1
	}
	close(l.queue[next])
	l.queue = append(l.queue[:next:next], l.queue[next+1:]...)
}
