package predict

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

// queue is a heap of events in which each node has four children. The event
// that was pushed last is held back, as it is often the next.
type queue struct {
	events  []event
	held    event
	holding bool
	seq     uint32
}

func (q *queue) empty() bool { return !q.holding && len(q.events) == 0 }

func (e *Engine) push(at Time, kind uint8, a, b int32) {
	q := &e.heap
	q.seq++
	ev := event{at, q.seq, kind, a, b}
	if !q.holding {
		q.held, q.holding = ev, true
		return
	}
	if ev.before(&q.held) {
		ev, q.held = q.held, ev
	}
	i := len(q.events)
	q.events = append(q.events, ev)
	for i > 0 {
		parent := (i - 1) / 4
		if !ev.before(&q.events[parent]) {
			break
		}
		q.events[i] = q.events[parent]
		i = parent
	}
	q.events[i] = ev
}

func (q *queue) pop() event {
	if q.holding && (len(q.events) == 0 || q.held.before(&q.events[0])) {
		q.holding = false
		return q.held
	}
	top := q.events[0]
	n := len(q.events) - 1
	last := q.events[n]
	q.events = q.events[:n]
	i := 0
	for {
		child := 4*i + 1
		if child >= n {
			break
		}
		least := child
		for c := child + 1; c < min(child+4, n); c++ {
			if q.events[c].before(&q.events[least]) {
				least = c
			}
		}
		if !q.events[least].before(&last) {
			break
		}
		q.events[i] = q.events[least]
		i = least
	}
	if n > 0 {
		q.events[i] = last
	}
	return top
}
