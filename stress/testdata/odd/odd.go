// Package odd has correct locks that behave oddly: they sleep, stall, collect
// garbage, or have a goroutine of their own. No instrument may accuse one.
package odd

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"shmbench/shm"
	"shmbench/shm/spin"
)

var (
	fair  = shm.Claims{DeadlockFree: true, StarvationFree: true, Bypass: shm.NMinus1, FCFS: true, Doorway: "1"}
	alive = shm.Claims{DeadlockFree: true, StarvationFree: true}
)

// The locks. Those that are fair are first come, first served.
var (
	PauseFirst     = spec("PauseFirst", fair, func(n int) shm.Mutex { return &ticket{before: spin.Pause} })
	PausesFirst    = spec("PausesFirst", fair, func(n int) shm.Mutex { return &ticket{before: pauses} })
	YieldFirst     = spec("YieldFirst", fair, func(n int) shm.Mutex { return &ticket{before: runtime.Gosched} })
	NapFirst       = spec("NapFirst", fair, func(n int) shm.Mutex { return &ticket{before: every(50, nap)} })
	SleepFirst     = spec("SleepFirst", fair, func(n int) shm.Mutex { return &ticket{before: every(500, sleep)} })
	StallFirst     = spec("StallFirst", fair, func(n int) shm.Mutex { return &ticket{before: every(500, stall)} })
	SleepBetween   = spec("SleepBetween", fair, func(n int) shm.Mutex { return &ticket{between: every(500, sleep)} })
	StallAfter     = spec("StallAfter", fair, func(n int) shm.Mutex { return &ticket{after: every(500, stall)} })
	SleepInExit    = spec("SleepInExit", fair, func(n int) shm.Mutex { return &ticket{exit: every(500, sleep)} })
	GCFirst        = spec("GCFirst", fair, func(n int) shm.Mutex { return &ticket{before: every(100, runtime.GC)} })
	GCInExit       = spec("GCInExit", fair, func(n int) shm.Mutex { return &ticket{exit: every(100, runtime.GC)} })
	SleepyPolls    = spec("SleepyPolls", fair, func(n int) shm.Mutex { return &ticket{poll: func() { time.Sleep(10 * time.Microsecond) }} })
	BusyPolls      = spec("BusyPolls", fair, func(n int) shm.Mutex { return &ticket{poll: func() {}} })
	MutexDoorway   = spec("MutexDoorway", fair, func(n int) shm.Mutex { return new(mutexDoorway) })
	CondTicket     = spec("CondTicket", fair, func(n int) shm.Mutex { return newCondTicket() })
	WaiterQueue    = spec("WaiterQueue", fair, func(n int) shm.Mutex { return new(waiterQueue) })
	Server         = spec("Server", fair, func(n int) shm.Mutex { return newServer(n) })
	ChoosyServer   = spec("ChoosyServer", alive, func(n int) shm.Mutex { return newChoosyServer() })
	LateRelease    = spec("LateRelease", shm.Claims{DeadlockFree: true}, func(n int) shm.Mutex { return new(lateRelease) })
	Mutex          = spec("Mutex", alive, func(n int) shm.Mutex { return new(mutex) })
	ReadersWriters = spec("ReadersWriters", alive, func(n int) shm.Mutex { return new(rw) })
	AgedTAS        = spec("AgedTAS", alive, func(n int) shm.Mutex { return new(agedTAS) })
)

// All returns all of them.
func All() []shm.Algorithm {
	return []shm.Algorithm{PauseFirst, PausesFirst, YieldFirst, NapFirst, SleepFirst, StallFirst, SleepBetween, StallAfter, SleepInExit,
		GCFirst, GCInExit, SleepyPolls, BusyPolls, MutexDoorway, CondTicket, WaiterQueue, Server, ChoosyServer, LateRelease, Mutex,
		ReadersWriters, AgedTAS}
}

func spec(name string, claims shm.Claims, lock func(n int) shm.Mutex) shm.Algorithm {
	return shm.Algorithm{Name: "odd/" + name, Class: shm.Opaque, MinProcs: 1, MaxProcs: 64, Claims: claims,
		New: func(n int) (shm.Mutex, error) { return lock(n), nil }}
}

func nap() { time.Sleep(time.Millisecond) }

func sleep() { time.Sleep(200 * time.Millisecond) }

func stall() {
	for begin := time.Now(); time.Since(begin) < 200*time.Millisecond; {
	}
}

func pauses() {
	for range 300 {
		spin.Pause()
	}
}

// every does something once in so many calls.
func every(calls uint32, do func()) func() {
	var count atomic.Uint32
	return func() {
		if count.Add(1)%calls == 0 {
			do()
		}
	}
}

// ticket is the ticket lock with something done at its four places.
type ticket struct {
	next, serving                      atomic.Uint32
	before, between, poll, after, exit func()
}

func do(f func()) {
	if f != nil {
		f()
	}
}

func (l *ticket) Lock(int) {
	do(l.before)
	mine := l.next.Add(1) - 1 // 1
	do(l.between)
	if l.poll == nil {
		spin.Until(func() bool { return l.serving.Load() == mine })
	} else {
		for l.serving.Load() != mine {
			l.poll()
		}
	}
	do(l.after)
}

func (l *ticket) Unlock(int) {
	do(l.exit)
	l.serving.Store(l.serving.Load() + 1)
}

// mutexDoorway draws its tickets under a mutex.
type mutexDoorway struct {
	mu      sync.Mutex
	next    uint32
	serving atomic.Uint32
}

func (l *mutexDoorway) Lock(int) {
	l.mu.Lock()
	mine := l.next
	l.next++
	l.mu.Unlock() // 1
	spin.Until(func() bool { return l.serving.Load() == mine })
}

func (l *mutexDoorway) Unlock(int) { l.serving.Add(1) }

type condTicket struct {
	cond          *sync.Cond
	next, serving int
}

func newCondTicket() *condTicket { return &condTicket{cond: sync.NewCond(new(sync.Mutex))} }

func (l *condTicket) Lock(int) {
	l.cond.L.Lock()
	defer l.cond.L.Unlock()
	mine := l.next // 1
	l.next++
	for l.serving != mine {
		l.cond.Wait()
	}
}

func (l *condTicket) Unlock(int) {
	l.cond.L.Lock()
	l.serving++
	l.cond.L.Unlock()
	l.cond.Broadcast()
}

// waiterQueue is a queue of channels under a mutex, as semaphores have it.
type waiterQueue struct {
	mu    sync.Mutex
	busy  bool
	queue []chan struct{}
}

func (l *waiterQueue) Lock(int) {
	l.mu.Lock()
	if !l.busy {
		l.busy = true
		l.mu.Unlock()
		return
	}
	mine := make(chan struct{})
	l.queue = append(l.queue, mine) // 1
	l.mu.Unlock()
	<-mine
}

func (l *waiterQueue) Unlock(int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.queue) == 0 {
		l.busy = false
		return
	}
	close(l.queue[0])
	l.queue = l.queue[1:]
}

// server is a goroutine that hands the lock out in the order of the requests.
type server struct {
	requests chan chan struct{}
	releases chan struct{}
}

func newServer(n int) *server {
	s := &server{requests: make(chan chan struct{}, n), releases: make(chan struct{})}
	requests, releases := s.requests, s.releases
	go func() {
		for grant := range requests {
			close(grant)
			<-releases
		}
	}()
	runtime.AddCleanup(s, func(c chan chan struct{}) { close(c) }, requests)
	return s
}

func (s *server) Lock(int) {
	grant := make(chan struct{})
	s.requests <- grant // 1
	<-grant
}

func (s *server) Unlock(int) { s.releases <- struct{}{} }

// choosyServer takes the requests of even and of odd processes in any order.
type choosyServer struct{ even, odd, releases chan struct{} }

func newChoosyServer() *choosyServer {
	s := &choosyServer{make(chan struct{}), make(chan struct{}), make(chan struct{})}
	even, odd, releases, over := s.even, s.odd, s.releases, make(chan struct{})
	go func() {
		for {
			select {
			case even <- struct{}{}:
			case odd <- struct{}{}:
			case <-over:
				return
			}
			<-releases
		}
	}()
	runtime.AddCleanup(s, func(c chan struct{}) { close(c) }, over)
	return s
}

func (s *choosyServer) Lock(pid int) {
	if pid%2 == 0 {
		<-s.even
	} else {
		<-s.odd
	}
}

func (s *choosyServer) Unlock(int) { s.releases <- struct{}{} }

// lateRelease is released by a goroutine a while after Unlock has returned.
type lateRelease struct{ busy atomic.Bool }

func (l *lateRelease) Lock(int) {
	for l.busy.Swap(true) {
		spin.Pause()
	}
}

func (l *lateRelease) Unlock(int) {
	go func() {
		time.Sleep(50 * time.Microsecond)
		l.busy.Store(false)
	}()
}

type mutex struct{ mu sync.Mutex }

func (l *mutex) Lock(int)   { l.mu.Lock() }
func (l *mutex) Unlock(int) { l.mu.Unlock() }

type rw struct{ mu sync.RWMutex }

func (l *rw) Lock(int)   { l.mu.Lock() }
func (l *rw) Unlock(int) { l.mu.Unlock() }

// agedTAS lets processes come as they like until one has waited for 100 ms,
// which is then the next.
type agedTAS struct {
	busy atomic.Bool
	aged atomic.Int32 // the process that has waited for long, plus one
}

func (l *agedTAS) Lock(pid int) {
	begin, me := time.Now(), int32(pid+1)
	for {
		aged := l.aged.Load()
		if (aged == 0 || aged == me) && !l.busy.Swap(true) {
			l.aged.CompareAndSwap(me, 0)
			return
		}
		if aged == 0 && time.Since(begin) > 100*time.Millisecond {
			l.aged.CompareAndSwap(0, me)
		}
		runtime.Gosched()
	}
}

func (l *agedTAS) Unlock(int) { l.busy.Store(false) }
