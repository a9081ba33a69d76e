package abort

import (
	"sync/atomic"

	"shmbench/shm"
	"shmbench/shm/futex"
	"shmbench/shm/register"
	"shmbench/shm/spin"
)

// MCSTP returns the specification of the MCS lock with published times, fixed, for a layout of
// its nodes.
func MCSTP(layout shm.Layout) shm.Algorithm {
	return shm.Algorithm{
		Name:  "abort/mcstp",
		Title: "MCS lock with published times, MCS-TP, fixed",
		Source: shm.Source{
			Author: "Bijun He, William N. Scherer III and Michael L. Scott",
			Title:  "Preemption Adaptivity in Time-Published Queue-Based Spin Locks",
			Venue:  "12th International Conference on High Performance Computing",
			Year:   2005,
			Page:   "7-18",
		},
		Reconstructed: true,
		Simplified:    "a clock: a waiting process publishes a heartbeat",
		Class:         shm.Swap | shm.CompareAndSwap,
		Explored:      shm.Explored{Mixed: 2},
		Claims: shm.Claims{
			DeadlockFree: true,
			Mixed:        shm.Mixed{DeadlockFree: true, WaitFreeAbort: true},
		},
		Space: shm.Space{
			{Name: "tail", Count: shm.Const(1), Values: shm.NPlus1},
			{Name: "next", Count: shm.N, Values: shm.N},
			{Name: "status", Count: shm.N, Values: shm.Const(4)},
			{Name: "beat", Count: shm.N, Values: shm.Const(2), SingleWriter: true},
		},
	}.Built(layout, shm.Sequential, buildMCSTP)
}

// MCSTPMutex is an MCS lock that passes over processes that do not run. A waiting process
// publishes that it runs. The exit section lets in the first waiting process that has done so
// recently, and each process before it has to queue again. A process that gives up leaves its
// node in the queue, and gets its old place back if it returns in time.
//
// Source: Bijun He, William N. Scherer III and Michael L. Scott, "Preemption Adaptivity in
// Time-Published Queue-Based Spin Locks", HiPC 2005, p. 7-18. Reconstructed from src/mcstp.c of
// github.com/multicore-locks/litl at commit 916469c. That program has an error, which the
// known-broken mcstp-litl shows and lines 13 and 18 fix.
//
// Registers: tail, the last node of the queue or nil, changed by all; for each process a
// node with next, as in MCS; status, waiting, available, timed out or failed, changed by the
// owner and by processes that leave; and beat, a bit that its owner changes while it waits.
//
// Properties: mutual exclusion, because the exit section either makes one status available
// or empties the queue. A process that leaves takes over the nodes up to the one that it
// lets in. It reads the way past a node before it makes its status failed, since the owner
// can use the node again from then on. Owners that come back at once could lengthen the
// queue forever. So after n nodes the exit section changes no status until it knows the end.
// Giving up is one compare-and-swap. A process can starve: it may be passed over each time.
// Others can pass a waiting process any number of times, and there is no order.
//
// There is no doorway.
//
//	entry section of process i:
//	1  if status[i] = timed out then if compare-and-swap(status[i], timed out, waiting) succeeds then goto 6
//	2  status[i] := waiting
//	3  next[i] := nil
//	4  p := swap(tail, i); if p = nil then enter
//	5  next[p] := i
//	6  s := status[i]; if s = available then enter; if s = failed then goto 2
//	7  beat[i] := 1 - beat[i]
//	8  if time is not out then goto 6
//	9  if compare-and-swap(status[i], waiting, timed out) succeeds then fail
//	10 if status[i] = available then enter; fail
//	exit section of process i:
//	11 c := i; l := nil
//	12 s := next[c]; if s = nil then
//	13     if compare-and-swap(tail, c, nil) succeeds then
//	           status := failed for each from l on to c, or for c if l = nil; return
//	14     wait until s := next[c] is not nil
//	15 if this is one of the first n rounds then status[c] := failed, else if l = nil then l := c
//	16 if status[s] = waiting then b := beat[s]; load beat[s] at most 100 times;
//	       if it is no longer b then
//	17         if compare-and-swap(status[s], waiting, available) succeeds then
//	18             status := failed for each from l on to c, if l is not nil; return
//	19 c := s; goto 12
//
// Deviations: the program publishes the time, and line 16 compares it with the clock. A
// process of this module has no clock, so it publishes a heartbeat. The program yields the
// processor if the critical section has lasted long. Its lines 13 and 18 leave nodes that
// are never failed. Line 1 is for a node of this lock only, so a node serves one lock.
type MCSTPMutex struct {
	_       shm.NoCopy
	n       int
	polls   int
	_       shm.Pad
	tail    atomic.Uint32 // none, or i+1 for the node of process i
	_       shm.Pad
	node    shm.Array[tpNode]
	private shm.Array[tpPrivate] // private[i] is used by process i only
}

type tpNode struct {
	next   atomic.Uint32 // as tail
	status atomic.Uint32
	beat   register.Bool
}

type tpPrivate struct{ beat bool }

// The states of a node.
const (
	tpFailed = iota
	tpWaiting
	tpAvailable
	tpTimedOut
)

// tpPolls is how often the exit section loads a heartbeat that has not changed.
const tpPolls = 100

// NewMCSTP returns the lock for n processes, or a *shm.ProcsError.
func NewMCSTP(n int, layout shm.Layout) (*MCSTPMutex, error) {
	return shm.New[*MCSTPMutex](MCSTP(layout), n)
}

func buildMCSTP(b shm.Build) shm.Mutex {
	return &MCSTPMutex{
		n:       b.N,
		polls:   futex.Polls(tpPolls),
		node:    shm.NewArray[tpNode](b.N, b.Layout),
		private: shm.NewArray[tpPrivate](b.N, shm.Padded),
	}
}

// of returns the node of an index other than none.
func (l *MCSTPMutex) of(I uint32) *tpNode { return l.node.At(int(I - 1)) }

// Lock acquires the lock for process i.
func (l *MCSTPMutex) Lock(i int) { l.LockUntil(i, never) }

// LockUntil acquires the lock for process i and returns true, or gives up and returns
// false after giveUp has returned true.
func (l *MCSTPMutex) LockUntil(i int, giveUp func() bool) bool {
	I := l.of(uint32(i + 1))
	queued := I.status.Load() == tpTimedOut && I.status.CompareAndSwap(tpTimedOut, tpWaiting) // 1
	for ; ; spin.Pause() {
		if !queued && l.enqueue(I, uint32(i+1)) {
			return true
		}
		switch I.status.Load() { // 6
		case tpAvailable:
			return true
		case tpFailed:
			queued = false
			continue
		}
		queued = true
		private := l.private.At(i)
		private.beat = !private.beat
		I.beat.Store(private.beat) // 7
		if giveUp() {              // 8
			return !I.status.CompareAndSwap(tpWaiting, tpTimedOut) && I.status.Load() == tpAvailable // 9, 10
		}
	}
}

// enqueue is lines 2 to 5. It reports whether the process has entered.
func (l *MCSTPMutex) enqueue(node *tpNode, I uint32) bool {
	node.status.Store(tpWaiting) // 2
	node.next.Store(none)        // 3
	p := l.tail.Swap(I)          // 4
	if p != none {
		l.of(p).next.Store(I) // 5
	}
	return p == none
}

// Unlock releases the lock for process i.
func (l *MCSTPMutex) Unlock(i int) {
	c, last := uint32(i+1), uint32(none) // 11
	for round := 1; ; spin.Pause() {
		node := l.of(c)
		s := node.next.Load() // 12
		if s == none {
			if l.tail.CompareAndSwap(c, none) { // 13
				l.fail(last, c)             // 13
				node.status.Store(tpFailed) // 13
				return
			}
			spin.Until(func() bool { s = node.next.Load(); return s != none }) // 14
		}
		if round <= l.n {
			node.status.Store(tpFailed) // 15
			round++
		} else if last == none {
			last = c // 15
		}
		if l.runs(l.of(s)) && l.of(s).status.CompareAndSwap(tpWaiting, tpAvailable) { // 17
			if last != none {
				l.fail(last, c)             // 18
				node.status.Store(tpFailed) // 18
			}
			return
		}
		c = s // 19
	}
}

// fail makes each status failed from the node I on to the one before the node end; none if I
// is none. It is a part of lines 13 and 18.
func (l *MCSTPMutex) fail(I, end uint32) {
	for I != none && I != end {
		node := l.of(I)
		I = node.next.Load()        // 13, 18
		node.status.Store(tpFailed) // 13, 18
	}
}

// runs reports whether the owner of a node waits and changes its heartbeat.
func (l *MCSTPMutex) runs(s *tpNode) bool {
	if s.status.Load() != tpWaiting { // 16
		return false
	}
	b := s.beat.Load() // 16
	for range l.polls {
		spin.Pause()
		if s.beat.Load() != b { // 16
			return true
		}
	}
	return false
}
