package knownbroken

import (
	"sync/atomic"

	"shmbench/shm"
	"shmbench/shm/spin"
)

// mcsTPLitl is the MCS lock with published times as a library of locks has it. The exit
// section passes over waiting processes that do not run, and fails each of them. Failed
// processes can queue again at once. So after MAX_THREADS - 1 nodes the exit section
// fails no process, but remembers the first node that it has not failed. It then fails these
// nodes only if it finds a successor that runs, and never the last of them. If the queue
// ends, it fails the last node alone. The other processes wait in a queue that no longer
// exists.
var mcsTPLitl = made(Lock{
	Algorithm: shm.Algorithm{
		Name:  "knownbroken/mcstp-litl",
		Title: "The MCS lock with published times in a library of locks",
		Source: shm.Source{
			Author: "Hugo Guiroux, Jean-Pierre Lozi, Gaël Thomas, Florian David, Julia Lawall and Gilles Muller",
			Title:  "src/mcstp.c",
			Venue:  "github.com/multicore-locks/litl",
			Year:   2016,
		},
		Class:    shm.Swap | shm.CompareAndSwap,
		MinProcs: 1,
		MaxProcs: shm.MaxProcs,
		Claims:   shm.Claims{DeadlockFree: true},
		Space: shm.Space{
			{Name: "tail", Count: shm.Const(1), Values: shm.NPlus1},
			{Name: "next", Count: shm.N, Values: shm.N},
			{Name: "status", Count: shm.N, Values: shm.Const(3)},
			{Name: "time", Count: shm.N, Values: shm.Const(2), SingleWriter: true},
		},
	},
	Read:     "github.com/multicore-locks/litl, src/mcstp.c and include/mcstp.h, commit 065876edcf3d1051104b17c4249c36c7303d96e4; the newest commit 916469ca797ee299a4ae674b41c4fac9ac4ae21b has the same lines",
	Claimed:  "that a process which was passed over notices this and starts again",
	Property: deadlock,
	Verdict:  "a process waits in a part of the queue that the exit section took out and did not fail.",
	Procs:    3,
	Memory:   Consistent,
	Steps:    41,
	Fix:      "both returns of the exit section fail all nodes that it has passed over and not failed",
	Fixed:    "abort/mcstp",
}, func(n int) shm.Mutex {
	return &mcsTPLitlMutex{maxThreads: n, node: make([]mcsTPNode, n), time: make([]bool, n)}
})

// mcsTPLitlMutex is the lock, with MAX_THREADS the number of processes. The library has 1000
// there, which one exit section reaches if processes queue again and again. A waiting
// process of the library publishes the time, and line 10 compares it with the clock. Here the
// published time is a bit, and a process that changes it between two loads runs.
//
//	entry section of process i:
//	1  status[i] := waiting; next[i] := nil
//	2  p := swap(tail, i); if p = nil then enter
//	3  next[p] := i
//	4  repeat time[i] := now; if status[i] = available then enter; until status[i] = failed
//	5  goto 1
//	exit section of process i:
//	6  c := i; last := nil
//	7  s := next[c]; if s = nil then
//	       if compare-and-swap(tail, c, nil) succeeds then status[c] := failed; return
//	8      wait until s := next[c] is not nil
//	9  if c is one of the first MAX_THREADS - 1 then status[c] := failed, else if last = nil then last := c
//	10 if status[s] = waiting then if time[s] is recent then
//	       if compare-and-swap(status[s], waiting, available) succeeds then
//	11         until last is nil or c: status[last] := failed; last := next[last]
//	           return
//	12 c := s; goto 7
type mcsTPLitlMutex struct {
	maxThreads int
	tail       atomic.Uint32 // 0, or i+1 for the node of process i
	node       []mcsTPNode
	time       []bool // what process i publishes next, private to it
}

type mcsTPNode struct {
	next   atomic.Uint32 // as tail
	status atomic.Uint32
	time   atomic.Bool
}

// The states of a node.
const (
	mcsTPFailed = iota
	mcsTPWaiting
	mcsTPAvailable
)

func (l *mcsTPLitlMutex) of(I uint32) *mcsTPNode { return &l.node[I-1] }

func (l *mcsTPLitlMutex) Lock(i int) {
	for !l.attempt(i) { // 5
		spin.Pause()
	}
}

func (l *mcsTPLitlMutex) attempt(i int) bool {
	I := l.of(uint32(i + 1))
	I.status.Store(mcsTPWaiting)    // 1
	I.next.Store(0)                 // 1
	p := l.tail.Swap(uint32(i + 1)) // 2
	if p == 0 {
		return true
	}
	l.of(p).next.Store(uint32(i + 1)) // 3
	for {
		l.time[i] = !l.time[i]
		I.time.Store(l.time[i])  // 4
		switch I.status.Load() { // 4
		case mcsTPAvailable:
			return true
		case mcsTPFailed:
			return false
		}
		spin.Pause()
	}
}

func (l *mcsTPLitlMutex) Unlock(i int) {
	c, last := uint32(i+1), uint32(0) // 6
	for scanned := 1; ; spin.Pause() {
		s := l.of(c).next.Load() // 7
		if s == 0 {
			if l.tail.CompareAndSwap(c, 0) { // 7
				l.of(c).status.Store(mcsTPFailed) // 7
				return
			}
			spin.Until(func() bool { s = l.of(c).next.Load(); return s != 0 }) // 8
		}
		if scanned < l.maxThreads {
			scanned++
			l.of(c).status.Store(mcsTPFailed) // 9
		} else if last == 0 {
			last = c // 9
		}
		if l.of(s).status.Load() == mcsTPWaiting && l.recent(s) && l.of(s).status.CompareAndSwap(mcsTPWaiting, mcsTPAvailable) { // 10
			for last != 0 && last != c {
				l.of(last).status.Store(mcsTPFailed) // 11
				last = l.of(last).next.Load()        // 11
			}
			return
		}
		c = s // 12
	}
}

func (l *mcsTPLitlMutex) recent(s uint32) bool {
	t := l.of(s).time.Load()
	return l.of(s).time.Load() != t
}
