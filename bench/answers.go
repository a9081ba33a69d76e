package bench

import (
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"shmbench/internal/machine/clock"
	"shmbench/internal/results/stat"
	"shmbench/locks/baseline"
	"shmbench/shm"
)

// The locks with a known answer follow. Some values of their samples are known from
// the construction of the lock. The lock measures others itself, because on a busy
// machine a sleep takes longer than it should. These locks pass time by sleeping,
// because sleep needs no processor. They are built on a channel, whose waiters are
// parked and enter first-come-first-served.

// answering is a lock that measures itself what some units of a sample must be.
type answering interface {
	shm.Mutex
	seen() map[string]float64
}

// delayed sleeps for a set time before a process enters, in one passage out of every.
type delayed struct {
	shm.Mutex
	delay           time.Duration
	every, passages int
	sleeps          []float64
	first, last     int64 // when the first and the last passage entered
}

func (l *delayed) Lock(i int) {
	l.Mutex.Lock(i)
	called := clock.Now()
	if l.passages++; l.passages%l.every == 0 {
		time.Sleep(l.delay)
		l.sleeps = append(l.sleeps, float64(clock.Now()-called))
	}
	if l.last = clock.Now(); l.first == 0 {
		l.first = l.last
	}
}

func (l *delayed) seen() map[string]float64 {
	ns := float64(l.last-l.first) / float64(max(1, l.passages-1))
	sleep := stat.Summary(l.sleeps).Center
	return map[string]float64{nsPerOp: ns, rate: 1e9 / ns, meanLatency: sleep, p50: sleep, p90: sleep}
}

// handing is a lock with a set handoff time. The time from one process's Unlock to
// the next process's entry includes the sleep of delayed.
type handing struct {
	delayed
	left  int64
	hands []float64
}

func (l *handing) Lock(i int) {
	l.delayed.Lock(i)
	if l.left > 0 {
		l.hands = append(l.hands, float64(l.last-l.left))
	}
}

func (l *handing) Unlock(i int) {
	l.left = clock.Now()
	l.delayed.Unlock(i)
}

func (l *handing) seen() map[string]float64 {
	all := l.delayed.seen()
	all[handoffP50], all[handoffP99] = stat.Summary(l.hands).Center, slices.Max(l.hands)
	return all
}

// favoring is a lock for two processes that lets process 0 enter nine times out of
// ten. If the process whose turn it is does not come for favourPatience, the other
// process enters.
type favoring struct {
	inside atomic.Bool
	run    atomic.Int32 // passages of process 0 since the last of process 1
	left   atomic.Int64 // when the last one left
}

const (
	favors         = 9
	favourPatience = 300 * time.Millisecond
)

func (l *favoring) Lock(i int) {
	for !l.turnOf(i) || !l.inside.CompareAndSwap(false, true) {
		runtime.Gosched()
	}
	if i == 0 {
		l.run.Add(1)
	} else {
		l.run.Store(0)
	}
}

func (l *favoring) turnOf(i int) bool {
	return (i == 1) == (l.run.Load() >= favors) || clock.Now() > l.left.Load()+int64(favourPatience)
}

func (*favoring) seen() map[string]float64 { return nil }

func (l *favoring) Unlock(int) {
	l.left.Store(clock.Now())
	l.inside.Store(false)
}

// answer returns the specification of a lock with a known answer, for up to most
// processes. Each lock that is built from it is stored in built.
func answer(name string, most int, make func(fifo shm.Mutex) answering, built *answering) shm.Algorithm {
	return shm.Algorithm{
		Name: "answer/" + name, MinProcs: 1, MaxProcs: most,
		New: func(n int) (shm.Mutex, error) {
			fifo, err := baseline.Channel.New(n)
			*built = make(fifo)
			return *built, err
		},
	}
}
