package predict

import "math/bits"

// The kinds of events.
const (
	evStart  uint8 = iota // process a starts
	evIssue               // process a begins its access
	evNext                // process a ends a step that is no access
	evWork                // process a has done its work, if its generation is b
	evDone                // the operation on line a is made
	evArrive              // line a is at its owner
	evRead                // a copy of line a is at core b
	evServe               // line a serves the next core
)

type event struct {
	at   Time
	seq  uint32
	kind uint8
	a, b int32
}

func (x *event) before(y *event) bool {
	return x.at < y.at || x.at == y.at && int32(x.seq-y.seq) < 0
}

// The wheel has a slot for each short span of the time from now on. Most events are a few tens
// of nanoseconds away, so a slot has few of them.
const (
	slotBits = 6 // a slot is 64 ps
	slots    = 64 * 64
)

// queue gives out events by their time, and events of one time in the order in which they were
// pushed. Those that are further away than the wheel reaches wait in a heap.
type queue struct {
	seq  uint32
	free int32   // the first unused node, or 0
	pool []node  // node 0 is not used
	far  []event // a heap in which each node has four children

	slot   [slots]int32       // the first node of each slot, or 0
	filled [slots / 64]uint64 // bit s%64 of row s/64 is 1 if slot s has an event
	rows   uint64             // bit r is 1 if row r of filled is not 0
}

// node is an event in the wheel, and the next one of its slot.
type node struct {
	event
	next int32
}

func (e *Engine) push(at Time, kind uint8, a, b int32) {
	q := &e.queue
	q.seq++
	ev := event{at, q.seq, kind, a, b}
	if at>>slotBits-e.now>>slotBits >= slots {
		q.pushFar(ev)
		return
	}
	n := q.free
	if n == 0 {
		n = int32(len(q.pool))
		q.pool = append(q.pool, node{})
	} else {
		q.free = q.pool[n].next
	}
	s := int(at>>slotBits) % slots
	// A new event comes after those of the same time.
	link := &q.slot[s]
	for *link != 0 && q.pool[*link].at <= at {
		link = &q.pool[*link].next
	}
	q.pool[n] = node{ev, *link}
	*link = n
	q.filled[s/64] |= 1 << (s % 64)
	q.rows |= 1 << (s / 64)
}

// first returns the slot of the wheel whose events are the next, or -1.
func (q *queue) first(now Time) int {
	if q.rows == 0 {
		return -1
	}
	s := int(now>>slotBits) % slots
	row := s / 64
	if later := q.filled[row] >> (s % 64); later != 0 {
		return s + bits.TrailingZeros64(later)
	}
	// The rows behind this one, around to this one: its early slots are the last.
	row = (row + 1 + bits.TrailingZeros64(bits.RotateLeft64(q.rows, -(row+1)))) % 64
	return row*64 + bits.TrailingZeros64(q.filled[row])
}

// pop removes the next event. There is none if ok is false.
func (q *queue) pop(now Time) (ev event, ok bool) {
	s := q.first(now)
	if s < 0 {
		if len(q.far) == 0 {
			return event{}, false
		}
		return q.popFar(), true
	}
	n := q.slot[s]
	first := &q.pool[n]
	if len(q.far) > 0 && q.far[0].before(&first.event) {
		return q.popFar(), true
	}
	q.slot[s] = first.next
	if first.next == 0 {
		q.filled[s/64] &^= 1 << (s % 64)
		if q.filled[s/64] == 0 {
			q.rows &^= 1 << (s / 64)
		}
	}
	first.next, q.free = q.free, n
	return first.event, true
}

func (q *queue) pushFar(ev event) {
	i := len(q.far)
	q.far = append(q.far, ev)
	for i > 0 {
		parent := (i - 1) / 4
		if !ev.before(&q.far[parent]) {
			break
		}
		q.far[i] = q.far[parent]
		i = parent
	}
	q.far[i] = ev
}

func (q *queue) popFar() event {
	top := q.far[0]
	n := len(q.far) - 1
	last := q.far[n]
	q.far = q.far[:n]
	i := 0
	for {
		child := 4*i + 1
		if child >= n {
			break
		}
		least := child
		for c := child + 1; c < min(child+4, n); c++ {
			if q.far[c].before(&q.far[least]) {
				least = c
			}
		}
		if !q.far[least].before(&last) {
			break
		}
		q.far[i] = q.far[least]
		i = least
	}
	if n > 0 {
		q.far[i] = last
	}
	return top
}
