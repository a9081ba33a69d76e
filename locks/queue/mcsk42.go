package queue

import (
	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
)

var k42 = shm.Source{
	Author: "Marc A. Auslander, David J. Edelsohn, Orran Y. Krieger, Bryan S. Rosenburg and Robert W. Wisniewski",
	Title:  "Enhancement to the MCS Lock for Increased Functionality and Improved Programmability",
	Venue:  "US patent application 2003/0200457",
	Year:   2003,
}

// MCSK42 returns the specification of K42's MCS lock for a layout of its queue nodes and for
// its stores.
func MCSK42(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return shm.Algorithm{
		Name:   "queue/mcsk42",
		Title:  "MCS list lock of K42, with the standard interface",
		Source: k42,
		Class:  shm.CompareAndSwap,
		Claims: shm.Claims{DeadlockFree: true},
		Space: shm.Space{
			{Name: "tail", Count: shm.NPlus1, Values: shm.Formula{Text: "n+2", At: func(n int) int { return n + 2 }}},
			{Name: "next", Count: shm.NPlus1, Values: shm.NPlus1},
		},
	}.Built(layout, stores, buildMCSK42)
}

// MCSK42Mutex is the list lock of the K42 operating system: an MCS lock that is itself a node,
// which stands for its holder. So a process needs a node of its own only while it waits.
//
// Source: Marc A. Auslander and others, US patent application 2003/0200457, as
// Michael L. Scott states it in "Shared-Memory Synchronization", Morgan & Claypool,
// 2013, figure 4.10.
//
// Registers: a node q for the lock. Its tail, which all change, is the last node of the list,
// q itself if no process waits, or nil. Its next is the first waiting process, written by the
// holder and by the second process of the list. Each process has a node with tail, which its
// owner sets to wait and the exit section clears, and with next, as in MCS.
//
// Properties: mutual exclusion, because only one process of the list is released at a time.
// The lock is deadlock-free. The processes of the list are served in its order, and spin on
// their own nodes. But a process enters the list by a compare-and-swap that others can make
// fail forever, so it can starve, even with two processes.
//
// There is no doorway: line 5 can fail any number of times.
//
//	entry section of process i, whose node is I:
//	1  prev := q.tail
//	2  if prev = nil then if compare-and-swap(q.tail, nil, q) succeeds then enter, else goto 1
//	3  I.tail := waiting
//	4  I.next := nil
//	5  if compare-and-swap(q.tail, prev, I) fails then goto 1
//	6  prev.next := I
//	7  wait until I.tail is not waiting
//	8  succ := I.next
//	9  if succ = nil then q.next := nil
//	10     if compare-and-swap(q.tail, I, q) succeeds then enter
//	11     wait until I.next is not nil; succ := I.next
//	12 q.next := succ
//	exit section:
//	13 succ := q.next
//	14 if succ = nil then if compare-and-swap(q.tail, q, nil) succeeds then return
//	15     wait until q.next is not nil; succ := q.next
//	16 succ.tail := nil
//
// Released stores: lines 3, 4 and 9, which the compare-and-swap of lines 5 and 10 takes to
// memory; line 6, which keeps prev on lines 11 and 15 until it is visible; line 12, which only
// the holder reads; line 16, which no access of the critical section can pass, and which
// reaches memory after line 12.
//
// Deviations: the node of a process is in the lock and not on the process's stack, and
// pointers to nodes are numbers.
type MCSK42Mutex struct {
	_        shm.NoCopy
	released bool
	q        uint32 // the number of the lock's node
	node     shm.Array[k42Node]
}

// k42Node is the node with a number other than none, which is one more than its index.
type k42Node struct {
	tail register.Uint32 // the lock's: a number; a process's: none or k42Waiting
	next register.Uint32 // a number
}

const k42Waiting = 1

// NewMCSK42 returns the lock for n processes, or a *shm.ProcsError.
func NewMCSK42(n int, layout shm.Layout, stores shm.Stores) (*MCSK42Mutex, error) {
	return shm.New[*MCSK42Mutex](MCSK42(layout, stores), n)
}

func buildMCSK42(b shm.Build) shm.Mutex {
	return &MCSK42Mutex{released: b.Released, q: uint32(b.N + 1), node: shm.NewArray[k42Node](b.N+1, b.Layout)}
}

// Lock acquires the lock for process i.
func (l *MCSK42Mutex) Lock(i int) {
	I, node, q := uint32(i+1), l.node.At(i), l.of(l.q)
	for ; ; spin.Pause() {
		prev := q.tail.Load() // 1
		if prev == none {
			if q.tail.CompareAndSwap(none, l.q) { // 2
				return
			}
			continue
		}
		node.tail.StoreReleaseIf(l.released, k42Waiting) // 3
		node.next.StoreReleaseIf(l.released, none)       // 4
		if q.tail.CompareAndSwap(prev, I) {              // 5
			l.of(prev).next.StoreReleaseIf(l.released, I) // 6
			break
		}
	}
	spin.Until(func() bool { return node.tail.Load() != k42Waiting }) // 7
	succ := node.next.Load()                                          // 8
	if succ == none {
		q.next.StoreReleaseIf(l.released, none) // 9
		if q.tail.CompareAndSwap(I, l.q) {      // 10
			return
		}
		spin.Until(func() bool { succ = node.next.Load(); return succ != none }) // 11
	}
	q.next.StoreReleaseIf(l.released, succ) // 12
}

// Unlock releases the lock for any process.
func (l *MCSK42Mutex) Unlock(int) {
	q := l.of(l.q)
	succ := q.next.Load() // 13
	if succ == none {
		if q.tail.CompareAndSwap(l.q, none) { // 14
			return
		}
		spin.Until(func() bool { succ = q.next.Load(); return succ != none }) // 15
	}
	l.of(succ).tail.StoreReleaseIf(l.released, none) // 16
}

// of returns the node with a number other than none.
func (l *MCSK42Mutex) of(I uint32) *k42Node { return l.node.At(int(I - 1)) }
