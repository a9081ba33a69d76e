package distributed

import (
	"encoding/binary"

	"shmbench/distributed/internal/fifo"
)

// A Door lets the m threads of a node share the one place that an algorithm
// for single-threaded nodes has: the threads queue in order of request, the
// head asks for all the world as the node, and each entry goes through the
// algorithm anew, so that what the algorithm claims of nodes is not bent by a
// hand-over behind its back. The zero Door is empty.
type Door struct {
	queue fifo.Queue[Thread]
}

// Enter queues thread t and reports whether it is at the head, so that the
// node must now ask.
func (d *Door) Enter(t Thread) bool {
	d.queue.Push(t)
	return d.queue.Len() == 1
}

// Head returns the thread that asks or is inside.
func (d *Door) Head() Thread { return d.queue.Head() }

// Leave takes the head out and reports whether another thread is behind it,
// so that the node must ask again.
func (d *Door) Leave() bool {
	d.queue.Pop()
	return d.queue.Len() > 0
}

// Empty reports whether no thread asks or is inside.
func (d *Door) Empty() bool { return d.queue.Len() == 0 }

// Clone returns a copy that shares nothing with d.
func (d *Door) Clone() Door { return Door{d.queue.Clone()} }

// AppendState appends the canonical form of d.
func (d *Door) AppendState(b []byte) []byte {
	b = binary.AppendVarint(b, int64(d.queue.Len()))
	for i := range d.queue.Len() {
		b = binary.AppendVarint(b, int64(d.queue.At(i)))
	}
	return b
}

// Threads returns the queue, the head first, for printing.
func (d *Door) Threads() []Thread { return d.queue.Slice() }
