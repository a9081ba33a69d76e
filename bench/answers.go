package bench

import (
	"runtime"
	"sync/atomic"
	"time"

	"shmbench/baseline"
	"shmbench/internal/clock"
	"shmbench/shm"
)

// Locks with a known answer: what a sample of each must say follows from how it
// is made. They sleep where they take time, so that they need no processor for
// it, of which a busy machine has none; beneath is a channel, whose waiters are
// parked and come first, first served.

// delayed sleeps for a set time before it enters, at every so manieth passage.
type delayed struct {
	shm.Mutex
	delay           time.Duration
	every, passages int
}

func (l *delayed) Lock(i int) {
	l.Mutex.Lock(i)
	if l.passages++; l.passages%l.every == 0 {
		time.Sleep(l.delay)
	}
}

// handing is a lock that changes hands in a set time: whoever enters sleeps
// until that time has passed since the last one left.
type handing struct {
	shm.Mutex
	delay time.Duration
	left  int64
}

func (l *handing) Lock(i int) {
	l.Mutex.Lock(i)
	time.Sleep(time.Duration(l.left + int64(l.delay) - clock.Now()))
}

func (l *handing) Unlock(i int) {
	l.left = clock.Now()
	l.Mutex.Unlock(i)
}

// favouring is a lock for two processes that lets process 0 in nine times of
// ten. Where the one whose turn it is does not come for long, the other passes.
type favouring struct {
	inside atomic.Bool
	run    atomic.Int32 // passages of process 0 since the last of process 1
	left   atomic.Int64 // when the last one left
}

const (
	favours        = 9
	favourPatience = 100 * time.Millisecond
)

func (l *favouring) Lock(i int) {
	for !l.turnOf(i) || !l.inside.CompareAndSwap(false, true) {
		runtime.Gosched()
	}
	if i == 0 {
		l.run.Add(1)
	} else {
		l.run.Store(0)
	}
}

func (l *favouring) turnOf(i int) bool {
	return (i == 1) == (l.run.Load() >= favours) || clock.Now() > l.left.Load()+int64(favourPatience)
}

func (l *favouring) Unlock(int) {
	l.left.Store(clock.Now())
	l.inside.Store(false)
}

// answer is a card for a lock with a known answer, for up to most processes.
func answer(name string, most int, make func(fifo shm.Mutex) shm.Mutex) shm.Algorithm {
	return shm.Algorithm{
		Name: "answer/" + name, MinProcs: 1, MaxProcs: most,
		New: func(n int) (shm.Mutex, error) {
			fifo, err := baseline.Channel.New(n)
			return make(fifo), err
		},
	}
}
