package sim

// item is one entry of the event queue: when, and a key whose high bits number
// the insertions, so that events of one instant come in the order in which they
// were scheduled, and whose low bits say which event it is.
type item struct {
	at  int64
	key uint64
}

const (
	slotBits = 22
	maxSlots = 1 << slotBits // events that may be pending at once
	slotMask = maxSlots - 1
)

func (x item) slot() int { return int(x.key & slotMask) }

func (x item) before(y item) bool {
	return x.at < y.at || x.at == y.at && x.key < y.key
}

// queue is a heap of four children a node: shallower than a binary one, and
// four items share a cache line.
type queue struct {
	items []item
	seq   uint64
}

// push schedules the event in slot at time at.
func (q *queue) push(at int64, slot int) {
	q.seq++
	x := item{at, q.seq<<slotBits | uint64(slot)}
	q.items = append(q.items, x)
	h := q.items
	i := len(h) - 1
	for i > 0 {
		up := (i - 1) / 4
		if !x.before(h[up]) {
			break
		}
		h[i] = h[up]
		i = up
	}
	h[i] = x
}

// pop takes out the earliest item of a queue that is not empty.
func (q *queue) pop() item {
	h := q.items
	top := h[0]
	last := len(h) - 1
	x := h[last]
	h = h[:last]
	q.items = h
	if last == 0 {
		return top
	}
	i := 0
	for {
		c := 4*i + 1
		if c >= last {
			break
		}
		least := c
		for k := c + 1; k < min(c+4, last); k++ {
			if h[k].before(h[least]) {
				least = k
			}
		}
		if !h[least].before(x) {
			break
		}
		h[i] = h[least]
		i = least
	}
	h[i] = x
	return top
}
