package baseline

import (
	"fmt"
	"sync/atomic"

	"shmbench/shm"
	"shmbench/shm/futex"
	"shmbench/shm/spin"
)

// WebKit returns the specification of WebKit's word lock.
func WebKit() shm.Algorithm {
	return shm.Algorithm{
		Name:  "baseline/webkitlock",
		Title: "WebKit's word lock",
		Source: shm.Source{
			Author: "The WebKit project",
			Title:  "Source/WTF/wtf/WordLock.cpp",
			Venue:  "github.com/WebKit/WebKit",
			Year:   2015,
		},
		Simplified: futex.Missing,
		Class:      shm.CompareAndSwap | shm.Futex,
		Claims:     shm.Claims{DeadlockFree: true},
		Space: shm.Space{
			{Name: "word", Count: shm.Const(1), Values: wordValues},
			{Name: "next", Count: shm.N, Values: queued("n", 0, 1)},
			{Name: "queueTail", Count: shm.N, Values: queued("n+1", 1, 2)},
			{Name: "parked", Count: shm.N, Values: shm.Const(2)},
		},
	}.Built(shm.Padded, shm.Sequential, buildWebKit)
}

// wordValues is how many values the word takes. It has no head and no lock, or a lock and
// perhaps the lock of the queue, with a head or without. A head without a lock needs a second
// process in the queue.
var wordValues = shm.Formula{Text: "3n+3, or 7 for n < 3", At: func(n int) int {
	if n < 3 {
		return 7
	}
	return 3*n + 3
}}

// queued is n and more values, or few for n < 3: two processes have no queue of two.
func queued(text string, more, few int) shm.Formula {
	return shm.Formula{Text: fmt.Sprintf("%s, or %d for n < 3", text, few), At: func(n int) int {
		if n < 3 {
			return few
		}
		return n + more
	}}
}

// webkitPolls is how often a process polls while the queue is empty.
const webkitPolls = 40

// The parts of the word. The rest is the head of the queue, i+1 for the node of process i.
const (
	webkitLocked      = 1
	webkitQueueLocked = 2
	webkitHead        = 4
)

// WebKitMutex is the lock below WebKit's other locks: one word with the queue of the
// processes that sleep.
//
// Source: Source/WTF/wtf/WordLock.cpp of github.com/WebKit/WebKit at commit
// 07605dcc0bf60ec714701fb067c4f4055bfa5d2d, copyright 2015-2017. parking_lot's word lock is
// made after it, and keeps the queue without a lock.
//
// Registers: word, changed by all. It has a bit for the lock, a bit for the lock of the
// queue, and the head of the queue or nil. Each process has a node with next, queueTail and a
// token on which it sleeps. The process with the lock of the queue writes next and queueTail.
//
// Properties: mutual exclusion, because a process enters only when it sets the bit of the
// lock. A process locks the queue only while another one holds the lock. The exit section
// needs the lock of the queue unless the queue is empty. So each process that joins the
// queue is seen by the exit section, and no wake-up is lost. While the lock is held, each
// process joins the queue at most once, and so the exit section ends. The process that
// joined first is woken first. A process can starve, because others may enter before a
// process that was woken.
//
// There is no doorway.
//
//	entry section of process i, whose node is I:
//	1  if compare-and-swap(word, 0, locked) succeeds then enter
//	2  w := word
//	3  if w has not locked then if compare-and-swap(word, w, w + locked) succeeds then enter
//	4  if w has no head, and line 4 was reached at most 40 times, then goto 2
//	5  w := word; if w has queueLocked or not locked then goto 2
//	6  unless compare-and-swap(word, w, w + queueLocked) succeeds, goto 2
//	7  I.token := parked
//	8  if w has the head H then T := H.queueTail; T.next := I; H.queueTail := I
//	9      w := word; word := w - queueLocked
//	10 else I.queueTail := I
//	11     w := word; word := w - queueLocked, with the head I
//	12 park; goto 2
//	exit section:
//	13 if compare-and-swap(word, locked, 0) succeeds then return
//	14 w := word; if w = locked then goto 13
//	15 if w has queueLocked then goto 14
//	16 unless compare-and-swap(word, w, w + queueLocked) succeeds, goto 14
//	17 H := the head of word; N := H.next
//	18 if N is not nil then N.queueTail := H.queueTail
//	19 load word; word := the head N, without locked and queueLocked
//	20 H.next := nil; H.queueTail := nil
//	21 unpark H
//
// Deviations: a process sleeps on a word of its own. WebKit has a mutex and a condition
// variable for each thread. The pointers are numbers. The model of the checker polls once on
// line 4 (package futex).
type WebKitMutex struct {
	_     shm.NoCopy
	_     shm.Pad
	word  atomic.Uint32
	polls int
	_     shm.Pad
	node  shm.Array[webkitNode]
}

type webkitNode struct {
	next, queueTail atomic.Uint32 // nil is 0, and i+1 the node of process i
	token           futex.Token
}

// NewWebKit returns WebKit's word lock for n processes, or a *shm.ProcsError.
func NewWebKit(n int) (*WebKitMutex, error) {
	return shm.New[*WebKitMutex](WebKit(), n)
}

func buildWebKit(b shm.Build) shm.Mutex {
	l := &WebKitMutex{polls: futex.Polls(webkitPolls), node: shm.NewArray[webkitNode](b.N, b.Layout)}
	for i := range b.N {
		l.node.At(i).token.Init()
	}
	return l
}

// of returns the node of a number that is not nil.
func (l *WebKitMutex) of(I uint32) *webkitNode { return l.node.At(int(I - 1)) }

// Lock acquires the lock for process i.
func (l *WebKitMutex) Lock(i int) {
	if l.word.CompareAndSwap(0, webkitLocked) { // 1
		return
	}
	for polls := 0; ; spin.Pause() {
		w := l.word.Load()                                                   // 2
		if w&webkitLocked == 0 && l.word.CompareAndSwap(w, w|webkitLocked) { // 3
			return
		}
		if w < webkitHead && polls < l.polls { // 4
			polls++
			continue
		}
		w = l.word.Load()                                    // 5
		if w&webkitQueueLocked != 0 || w&webkitLocked == 0 { // 5
			continue
		}
		if l.word.CompareAndSwap(w, w|webkitQueueLocked) { // 6
			l.join(uint32(i+1), w/webkitHead)
			l.node.At(i).token.Park(i) // 12
		}
	}
}

// join puts the node I at the end of the queue with the given head, and releases the lock of
// the queue.
func (l *WebKitMutex) join(I, head uint32) {
	node := l.of(I)
	node.token.Prepare() // 7
	if head != 0 {
		H := l.of(head)
		l.of(H.queueTail.Load()).next.Store(I)           // 8
		H.queueTail.Store(I)                             // 8
		l.word.Store(l.word.Load() &^ webkitQueueLocked) // 9
		return
	}
	node.queueTail.Store(I)                                       // 10
	l.word.Store(l.word.Load()&^webkitQueueLocked | I*webkitHead) // 11
}

// Unlock releases the lock for process i.
func (l *WebKitMutex) Unlock(i int) {
	for ; !l.word.CompareAndSwap(webkitLocked, 0); spin.Pause() { // 13
		if l.lockQueue() {
			l.wakeFirst(i)
			return
		}
	}
}

// lockQueue acquires the lock of the queue and returns true, or returns false if the queue
// is empty.
func (l *WebKitMutex) lockQueue() bool {
	for ; ; spin.Pause() {
		w := l.word.Load() // 14
		if w == webkitLocked {
			return false
		}
		if w&webkitQueueLocked == 0 && l.word.CompareAndSwap(w, w|webkitQueueLocked) { // 15, 16
			return true
		}
	}
}

// wakeFirst takes the first node out of the queue, releases the lock and the lock of the
// queue, and wakes the owner of this node.
func (l *WebKitMutex) wakeFirst(i int) {
	H := l.of(l.word.Load() / webkitHead) // 17
	N := H.next.Load()                    // 17
	if N != 0 {
		l.of(N).queueTail.Store(H.queueTail.Load()) // 18
	}
	l.word.Load()                // 19
	l.word.Store(N * webkitHead) // 19
	H.next.Store(0)              // 20
	H.queueTail.Store(0)         // 20
	H.token.Unpark(i)            // 21
}
