package modes

import (
	"runtime"
	"sync/atomic"
)

// Queue is the fair reader-writer lock with a queue of Mellor-Crummey and Scott, PPoPP
// 1991, as it is remembered: a reader that was the last one and is slow lets a writer
// in beside readers that have come since. That takes four processes, or three that
// make more passages than one.
type Queue struct {
	tail, nextWriter, readers atomic.Int32
	node                      []queueNode
}

// queueNode is the node of a process; next and others name processes from 1 on.
type queueNode struct {
	reads atomic.Bool
	next  atomic.Int32
	state atomic.Int32 // blocked, and the class of the successor
}

const (
	blocked       = 1
	readerBehind  = 2
	writerBehind  = 4
	successorMask = readerBehind | writerBehind
)

func NewQueue(n int) *Queue { return &Queue{node: make([]queueNode, n)} }

func (l *Queue) unblock(i int32) { l.node[i-1].state.And(^int32(blocked)) }

func (l *Queue) waits(n *queueNode) {
	for n.state.Load()&blocked != 0 {
		runtime.Gosched()
	}
}

func (l *Queue) linked(n *queueNode) int32 {
	for n.next.Load() == 0 {
		runtime.Gosched()
	}
	return n.next.Load()
}

func (l *Queue) Lock(i int) {
	n := &l.node[i]
	n.reads.Store(false)
	n.next.Store(0)
	n.state.Store(blocked)            // 1
	pred := l.tail.Swap(int32(i + 1)) // 2
	if pred == 0 {
		l.nextWriter.Store(int32(i + 1))                                 // 3
		if l.readers.Load() == 0 && l.nextWriter.Swap(0) == int32(i+1) { // 4
			l.unblock(int32(i + 1))
		}
	} else {
		l.node[pred-1].state.Or(writerBehind) // 5
		l.node[pred-1].next.Store(int32(i + 1))
	}
	l.waits(n) // 6
}

func (l *Queue) Unlock(i int) {
	n := &l.node[i]
	if n.next.Load() == 0 && l.tail.CompareAndSwap(int32(i+1), 0) { // 7
		return
	}
	next := l.linked(n)
	if l.node[next-1].reads.Load() {
		l.readers.Add(1) // 8
	}
	l.unblock(next) // 9
}

func (l *Queue) RLock(i int) {
	n := &l.node[i]
	n.reads.Store(true)
	n.next.Store(0)
	n.state.Store(blocked)            // 10
	pred := l.tail.Swap(int32(i + 1)) // 11
	if pred == 0 {
		l.readers.Add(1) // 12
		l.unblock(int32(i + 1))
	} else {
		before := &l.node[pred-1]
		if !before.reads.Load() || before.state.CompareAndSwap(blocked, blocked|readerBehind) { // 13
			before.next.Store(int32(i + 1))
			l.waits(n)
		} else {
			l.readers.Add(1) // 14
			before.next.Store(int32(i + 1))
			l.unblock(int32(i + 1))
		}
	}
	if n.state.Load()&successorMask == readerBehind { // 15
		next := l.linked(n)
		l.readers.Add(1)
		l.unblock(next)
	}
}

func (l *Queue) RUnlock(i int) {
	n := &l.node[i]
	if n.next.Load() != 0 || !l.tail.CompareAndSwap(int32(i+1), 0) { // 16
		next := l.linked(n)
		if n.state.Load()&successorMask == writerBehind {
			l.nextWriter.Store(next) // 17
		}
	}
	if l.readers.Add(-1) == 0 { // 18
		if w := l.nextWriter.Swap(0); w != 0 { // 19
			l.unblock(w)
		}
	}
}
