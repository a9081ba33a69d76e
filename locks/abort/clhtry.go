// Package abort holds abortable queue locks: a process may give up its place while it waits.
package abort

import (
	"sync/atomic"

	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
)

// timeout is the paper of the first abortable queue locks.
var timeout = shm.Source{
	Author: "Michael L. Scott and William N. Scherer III",
	Title:  "Scalable Queue-Based Spin Locks with Timeout",
	Venue:  "8th ACM Symposium on Principles and Practice of Parallel Programming",
	Year:   2001,
	Page:   "44-52",
}

// CLHTry returns the specification of the CLH lock with timeout for a layout of its nodes.
func CLHTry(layout shm.Layout) shm.Algorithm {
	return shm.Algorithm{
		Name:     "abort/clhtry",
		Title:    "CLH lock with timeout, CLH-try",
		Source:   timeout,
		Class:    shm.Swap | shm.CompareAndSwap,
		Explored: shm.Explored{Mixed: 2},
		Claims: shm.Claims{
			DeadlockFree:   true,
			StarvationFree: true,
			Bypass:         shm.NMinus1,
			FCFS:           true,
			Doorway:        "2",
			LocalSpin:      shm.LocalSpin{CC: true},
			Mixed:          shm.Mixed{Writers: shm.Patient{StarvationFree: true, Bypass: shm.NMinus1, Doorway: "2"}},
		},
		Space: shm.Space{
			{Name: "tail", Count: shm.Const(1), Values: shm.NPlus1},
			{Name: "status", Count: shm.NPlus1, Values: statuses},
			{Name: "prev", Count: shm.NPlus1, Values: shm.NPlus1},
		},
	}.Built(layout, shm.Sequential, buildCLHTry)
}

// statuses is how many values a status takes. Of two processes a leaving one has no
// successor, so that no process recycles its node.
var statuses = shm.Formula{Text: "5, or 4 for n < 3", At: func(n int) int {
	if n < 3 {
		return 4
	}
	return 5
}}

// CLHTryMutex is the abortable CLH lock: a process that gives up takes its node out of the
// queue, together with both neighbors.
//
// Source: Michael L. Scott and William N. Scherer III, "Scalable Queue-Based Spin Locks with
// Timeout", PPoPP 2001, p. 44-52. Written after a restatement of the authors' C program.
//
// Registers: tail, the last node of the queue, swapped by all. Each of the n+1 nodes has
// status, which its process and the successor write, and prev, the node before it, which its
// process writes.
//
// Properties: those of CLH as long as no process gives up: first-come-first-served in the
// order of line 2. A process that gives up locks its predecessor (line 5) and then itself
// (line 9), so that one of two neighbors leaves first. If it has a successor, it waits until
// the successor has noticed (line 11). So giving up waits for others, and line 14 waits for a
// successor that gives up. If successors arrive and give up again and again, it fails each
// time, and the process in its critical section never leaves: with processes that give up, the
// lock is not deadlock-free. The paper does not mention this.
//
// The doorway is lines 1 and 2.
//
//	timed entry section of process i, whose node is I:
//	1  I.status := waiting
//	2  pred := swap(tail, I)
//	3  until time is out, repeat s := pred.status:
//	       if s = available then I.prev := pred and enter
//	       if s = leaving then t := pred.prev; pred.status := recycled; pred := t
//	4  wait until pred.status is not transient
//	5  s := swap(pred.status, transient)
//	6  if s = available then I.prev := pred and enter
//	7  if s = leaving then t := pred.prev; pred.status := recycled; pred := t; goto 4
//	8  I.prev := pred
//	9  repeat until compare-and-swap(I.status, waiting, leaving) succeeds:
//	       wait until I.status = waiting
//	10 if compare-and-swap(tail, I, pred) succeeds then pred.status := waiting; fail
//	11 wait until I.status = recycled
//	12 pred.status := waiting; fail
//	exit section:
//	13 p := I.prev
//	14 repeat until compare-and-swap(I.status, waiting, available) succeeds:
//	       wait until I.status is not transient
//	15 I := p
//
// Giving up is wait-free for two processes only, because the other one is then the
// predecessor. With three, line 11 waits for a successor. With passages in all modes the
// checker explores two processes by default. Three have 22 million states, in which the
// same holds except wait-free giving up, and in which status takes its fifth value.
//
// Deviations: the entry section without a time is lines 1 to 3. Nodes are numbers. There is
// no variant with release stores.
type CLHTryMutex struct {
	_       shm.NoCopy
	_       shm.Pad
	tail    atomic.Uint32 // a node
	_       shm.Pad
	node    shm.Array[clhTryNode]
	private shm.Array[clhTryPrivate] // private[i] is used by process i only
}

type clhTryNode struct{ status, prev register.Uint32 }

type clhTryPrivate struct{ I uint32 }

// The values of status.
const (
	available = iota
	waiting
	leaving
	transient
	recycled
)

// NewCLHTry returns a CLH lock with timeout for n processes, or a *shm.ProcsError.
func NewCLHTry(n int, layout shm.Layout) (*CLHTryMutex, error) {
	return shm.New[*CLHTryMutex](CLHTry(layout), n)
}

func buildCLHTry(b shm.Build) shm.Mutex {
	l := &CLHTryMutex{
		node:    shm.NewArray[clhTryNode](b.N+1, b.Layout),
		private: shm.NewArray[clhTryPrivate](b.N, shm.Padded),
	}
	for i := range b.N {
		l.private.At(i).I = uint32(i)
	}
	l.tail.Store(uint32(b.N))
	return l
}

// Lock acquires the lock for process i.
func (l *CLHTryMutex) Lock(i int) { l.LockUntil(i, never) }

func never() bool { return false }

// LockUntil acquires the lock for process i, or gives up after giveUp returns true.
func (l *CLHTryMutex) LockUntil(i int, giveUp func() bool) bool {
	at := l.private.At(i).I
	I := l.node.At(int(at))
	I.status.Store(waiting) // 1
	pred := l.tail.Swap(at) // 2
	for {
		p := l.node.At(int(pred))
		s := p.status.Load() // 3
		if s == available {
			I.prev.Store(pred) // 3
			return true
		}
		if s == leaving {
			pred = l.recycle(p)
			continue
		}
		if giveUp() {
			return l.leave(I, at, pred)
		}
		spin.Pause()
	}
}

// leave is the rest of a timed entry section that has run out of time. It reports whether the
// process has entered after all.
func (l *CLHTryMutex) leave(I *clhTryNode, at, pred uint32) bool {
	p := l.node.At(int(pred))
	for {
		spin.Until(func() bool { return p.status.Load() != transient }) // 4
		s := p.status.Swap(transient)                                   // 5
		if s == available {
			I.prev.Store(pred) // 6
			return true
		}
		if s != leaving {
			break
		}
		pred = l.recycle(p)
		p = l.node.At(int(pred))
	}
	I.prev.Store(pred)                               // 8
	for !I.status.CompareAndSwap(waiting, leaving) { // 9
		spin.Until(func() bool { return I.status.Load() == waiting }) // 9
	}
	if !l.tail.CompareAndSwap(at, pred) { // 10
		spin.Until(func() bool { return I.status.Load() == recycled }) // 11
	}
	p.status.Store(waiting) // 10, 12
	return false
}

// recycle returns the node of a leaving process, and reports the node before it.
func (l *CLHTryMutex) recycle(p *clhTryNode) uint32 {
	t := p.prev.Load()       // 3, 7
	p.status.Store(recycled) // 3, 7
	return t
}

// Unlock releases the lock for process i.
func (l *CLHTryMutex) Unlock(i int) {
	private := l.private.At(i)
	I := l.node.At(int(private.I))
	p := I.prev.Load()                                 // 13
	for !I.status.CompareAndSwap(waiting, available) { // 14
		spin.Until(func() bool { return I.status.Load() != transient }) // 14
	}
	private.I = p // 15
}
