package distributed

import (
	"shmbench/distributed/internal/fifo"
)

// A LocalQueue lets the m threads of a node share a node of an algorithm for single-threaded
// nodes. The threads queue in order of request, and the head makes the request of the node.
// Each entry goes through the algorithm anew, so the claims for nodes hold for their threads
// too. The zero LocalQueue is empty.
type LocalQueue struct {
	threads fifo.Queue[Thread]
}

// Add queues thread t and reports whether t is at the head. Then the node must
// make a request.
func (q *LocalQueue) Add(t Thread) bool {
	q.threads.Push(t)
	return q.threads.Len() == 1
}

// Head returns the thread that is in the entry section or in the critical
// section.
func (q *LocalQueue) Head() Thread {
	if q.threads.Len() == 0 {
		panic("no thread of this node has asked")
	}
	return q.threads.Head()
}

// Remove removes the head and reports whether another thread is behind it. Then
// the node must make a request again.
func (q *LocalQueue) Remove() bool {
	q.threads.Pop()
	return q.threads.Len() > 0
}

// Len returns how many threads wait or are in the critical section.
func (q *LocalQueue) Len() int { return q.threads.Len() }

// Threads returns the queue from the head on, for printing.
func (q *LocalQueue) Threads() []Thread { return q.threads.Slice() }
