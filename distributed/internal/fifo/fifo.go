// Package fifo has the first-in first-out queue that the nodes of distributed
// use.
package fifo

// Queue is a first-in first-out queue over a ring buffer. The buffer grows to the
// greatest length of the queue and then allocates no more. The zero Queue is
// empty.
type Queue[T any] struct {
	ring []T // length zero or a power of two
	head int
	n    int
}

// Len returns the number of elements.
func (q *Queue[T]) Len() int { return q.n }

// At returns element i, counted from the head; i is in 0..Len()-1.
func (q *Queue[T]) At(i int) T { return q.ring[(q.head+i)&(len(q.ring)-1)] }

// Head returns the oldest element. It panics on an empty queue.
func (q *Queue[T]) Head() T {
	if q.n == 0 {
		panic("the queue is empty")
	}
	return q.ring[q.head]
}

// Push appends v to the queue.
func (q *Queue[T]) Push(v T) {
	if q.n == len(q.ring) {
		q.grow()
	}
	q.ring[(q.head+q.n)&(len(q.ring)-1)] = v
	q.n++
}

// Pop removes and returns the oldest element. It panics on an empty queue.
func (q *Queue[T]) Pop() T {
	v := q.Head()
	q.head = (q.head + 1) & (len(q.ring) - 1)
	q.n--
	return v
}

// Form implements [fields.Former]: the place of the elements in the ring is no state.
func (q *Queue[T]) Form() any { return q.Slice() }

// Slice returns the elements from the head on, for printing.
func (q *Queue[T]) Slice() []T {
	s := make([]T, q.n)
	for i := range s {
		s[i] = q.At(i)
	}
	return s
}

func (q *Queue[T]) grow() {
	ring := make([]T, max(4, 2*len(q.ring)))
	for i := range q.n {
		ring[i] = q.At(i)
	}
	q.ring, q.head = ring, 0
}
