package baseline

import (
	"sync/atomic"

	"shmbench/shm"
	"shmbench/shm/futex"
	"shmbench/shm/spin"
)

// ParkingLot returns the specification of parking_lot's word lock.
func ParkingLot() shm.Algorithm {
	return shm.Algorithm{
		Name:  "baseline/parkinglot",
		Title: "parking_lot's word lock",
		Source: shm.Source{
			Author: "Amanieu d'Antras",
			Title:  "core/src/word_lock.rs",
			Venue:  "github.com/Amanieu/parking_lot",
			Year:   2016,
		},
		Simplified: futex.Missing,
		Class:      shm.CompareAndSwap | shm.FetchAndAdd | shm.Futex,
		Explored:   shm.Explored{Procs: 2},
		Claims:     shm.Claims{DeadlockFree: true, ExitProcs: 2},
		Space: shm.Space{
			{Name: "state", Count: shm.Const(1), Values: stateValues},
			{Name: "queueTail", Count: shm.N, Values: queued("n+1", 1, 2)},
			{Name: "prev", Count: shm.N, Values: queued("n", 0, 1)},
			{Name: "next", Count: queued("n", 0, 0), Values: shm.N},
			{Name: "parked", Count: shm.N, Values: shm.Const(2)},
		},
	}.Built(shm.Padded, shm.Sequential, buildParkingLot)
}

// stateValues is how many values the state takes: without a head it is locked or not, and with
// one the queue is locked or not, too. Of two processes, one that locks the queue has released
// the lock, and the other one is in the queue.
var stateValues = shm.Formula{Text: "4n+2, or 8 for n < 3", At: func(n int) int {
	if n < 3 {
		return 8
	}
	return 4*n + 2
}}

// The parts of the state. The rest of the word is the head of the queue.
const (
	wordLocked      = 1
	wordQueueLocked = 2
	wordHead        = 4 // times i+1 for the node of process i
)

// wordPolls is how often a process polls while the queue is empty.
const wordPolls = 10

// ParkingLotMutex is the lock inside parking_lot, the library of locks for Rust: one word
// with the queue of the processes that sleep.
//
// Source: Amanieu d'Antras, core/src/word_lock.rs of github.com/Amanieu/parking_lot at
// commit 19c2ae49, after WebKit's WTF::WordLock.
//
// Registers: state, changed by all. It has a bit for the lock, a bit for the lock of the
// queue, and the head of the queue or nil. Each process has a node with next, prev,
// queueTail and a token. The process writes its node before it joins the queue, and the
// process that holds the lock of the queue writes it after.
//
// Properties: mutual exclusion, because a process enters only when it sets the bit of the
// lock. A process joins the queue only while the lock is held. The exit section then finds
// the queue and wakes its first process, or leaves this to the holder of one of the two
// locks. So no wake-up is lost. A process can starve, because others may enter before a
// process that was woken. The process that joined the queue first is the first that is
// woken. With three processes, one can stay in its exit section forever: the
// compare-and-swap of line 8 fails whenever other processes change the word.
//
// There is no doorway.
//
//	entry section of process i, whose node is I:
//	1  if compare-and-swap(state, 0, locked) succeeds then enter
//	2  s := state
//	3  repeat if s has not locked then compare-and-swap(state, s, s + locked): enter, or read s
//	4      else if s has no head then poll: s := state, at most 10 times
//	5      else I.token := parked; I.prev := nil; if s has no head then I.queueTail := I
//	           else I.queueTail := nil; I.next := the head of s
//	6      compare-and-swap(state, s, s with the head I): park; s := state; or read s
//	exit section:
//	7  s := fetch-and-sub(state, locked); if s has queueLocked or no head then return
//	8  s := state; repeat if s has queueLocked or no head then return,
//	       until compare-and-swap(state, s, s + queueLocked) succeeds, or read s
//	9  from the head of s follow next up to a node with a queueTail, and set prev on the way
//	10 head.queueTail := that queueTail, which is the node T
//	11 if s has locked then compare-and-swap(state, s, s - queueLocked): return, or read s and goto 9
//	12 if T.prev is nil then compare-and-swap(state, s, 0), or read s and goto 9
//	13 else head.queueTail := T.prev; s - queueLocked
//	14 unpark T
//
// Deviations: the fields of the nodes are words of sync/atomic. The pointers are numbers,
// 0 for nil and i+1 for the node of process i. The model of the checker polls once at
// most (package futex). Three processes have 22,275,058 states, so that the check explores two by
// default.
type ParkingLotMutex struct {
	_     shm.NoCopy
	_     shm.Pad
	state atomic.Uint32
	polls int
	_     shm.Pad
	node  shm.Array[wordNode]
}

type wordNode struct {
	queueTail, prev, next atomic.Uint32
	token                 futex.Token
}

// NewParkingLot returns parking_lot's word lock for n processes, or a *shm.ProcsError.
func NewParkingLot(n int) (*ParkingLotMutex, error) {
	return shm.New[*ParkingLotMutex](ParkingLot(), n)
}

func buildParkingLot(b shm.Build) shm.Mutex {
	l := &ParkingLotMutex{polls: futex.Polls(wordPolls), node: shm.NewArray[wordNode](b.N, b.Layout)}
	for i := range b.N {
		l.node.At(i).token.Init()
	}
	return l
}

// exchangeIf is a compare-and-swap that returns the old value.
func (l *ParkingLotMutex) exchangeIf(old, v uint32) uint32 {
	return futex.CompareAndExchange(&l.state, old, v)
}

// at returns the node of a number.
func (l *ParkingLotMutex) at(number uint32) *wordNode { return l.node.At(int(number - 1)) }

// Lock acquires the lock for process i.
func (l *ParkingLotMutex) Lock(i int) {
	if l.state.CompareAndSwap(0, wordLocked) { // 1
		return
	}
	polls := 0
	for s := l.state.Load(); ; spin.Pause() { // 2
		if s&wordLocked == 0 {
			v := l.exchangeIf(s, s|wordLocked) // 3
			if v == s {
				return
			}
			s = v
			continue
		}
		if s < wordHead && polls < l.polls {
			polls++
			s = l.state.Load() // 4
			continue
		}
		l.prepare(i, s/wordHead)                                           // 5
		if v := l.exchangeIf(s, s%wordHead+uint32(i+1)*wordHead); v != s { // 6
			s = v
			continue
		}
		l.node.At(i).token.Park(i) // 6
		polls = 0
		s = l.state.Load() // 6
	}
}

// prepare makes the node of process i the next head of the queue.
func (l *ParkingLotMutex) prepare(i int, head uint32) {
	node := l.node.At(i)
	node.token.Prepare() // 5
	node.prev.Store(0)   // 5
	if head == 0 {
		node.queueTail.Store(uint32(i + 1)) // 5
		return
	}
	node.queueTail.Store(0) // 5
	node.next.Store(head)   // 5
}

// Unlock releases the lock for process i.
func (l *ParkingLotMutex) Unlock(i int) {
	s := l.state.Add(^uint32(wordLocked - 1)) // 7
	if s&wordQueueLocked != 0 || s < wordHead {
		return
	}
	s = l.state.Load() // 8
	for {
		if s&wordQueueLocked != 0 || s < wordHead {
			return
		}
		v := l.exchangeIf(s, s|wordQueueLocked) // 8
		if v == s {
			break
		}
		s = v
	}
	l.wakeFirst(i, s)
}

// wakeFirst takes the process that joined first out of the queue, and wakes it. The
// lock of the queue is held.
func (l *ParkingLotMutex) wakeFirst(i int, s uint32) {
	for ; ; spin.Pause() {
		head := s / wordHead
		tail := l.link(head)
		var v uint32
		if s&wordLocked != 0 {
			if v = l.exchangeIf(s, s&^wordQueueLocked); v == s { // 11
				return
			}
			s = v
			continue
		}
		if before := l.at(tail).prev.Load(); before != 0 { // 12
			l.at(head).queueTail.Store(before)        // 13
			l.state.Add(^uint32(wordQueueLocked - 1)) // 13
		} else if v = l.exchangeIf(s, 0); v != s { // 12
			s = v
			continue
		}
		l.at(tail).token.Unpark(i) // 14
		return
	}
}

// link sets prev in all nodes that have joined the queue since the last call, and
// returns the last node.
func (l *ParkingLotMutex) link(head uint32) (tail uint32) {
	for at := head; ; {
		if tail = l.at(at).queueTail.Load(); tail != 0 { // 9
			break
		}
		next := l.at(at).next.Load() // 9
		l.at(next).prev.Store(at)    // 9
		at = next
	}
	l.at(head).queueTail.Store(tail) // 10
	return tail
}
