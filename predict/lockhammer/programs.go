package lockhammer

import p "shmbench/predict"

// The programs of the tool, written from their accesses: registers, which
// of them share a line, and the order of the accesses. Steps are numbered by pc, and each
// method returns done once the part is over.

// code is the entry and the exit section of a program for one thread.
type code interface {
	enter(pc int, got uint64) (a p.Access, next int, done bool)
	leave(pc int, got uint64) (a p.Access, next int, done bool)
}

// memory gives out registers.
type memory struct{ e *p.Engine }

// line returns registers in one line, all 0.
func (m memory) line(words int) []int32 {
	l := m.e.AddLine()
	all := make([]int32, words)
	for i := range all {
		all[i] = m.e.AddWord(l, 0)
	}
	return all
}

// Programs are the names of the tool's programs that there are.
var Programs = []string{"empty", "incdec_refcount", "ticket_spinlock", "swap_mutex", "queued_spinlock", "osq_lock", "cas_event_mutex"}

// build makes a program for all threads.
func build(name string, m memory, threads int) func(thread int) code {
	switch name {
	case "empty":
		return func(int) code { return empty{} }
	case "incdec_refcount":
		w := m.line(1)[0]
		return func(int) code { return incdec{w} }
	case "ticket_spinlock":
		w := m.line(2)
		return func(int) code { return &ticket{next: w[0], owner: w[1]} }
	case "swap_mutex":
		w := m.line(1)[0]
		return func(int) code { return swap{w} }
	case "queued_spinlock":
		w := m.line(2)
		nodes := nodes(m, threads)
		return func(i int) code { return &queued{lock: w[0], pool: w[1], nodes: nodes, me: i} }
	case "osq_lock":
		w := m.line(3)
		nodes := nodes(m, threads)
		return func(i int) code { return &osq{tail: w[0], static: w[1], pool: w[2], nodes: nodes, me: i} }
	case "cas_event_mutex":
		w, r := m.line(2), m.line(1)[0]
		return func(i int) code { return &casEvent{lock: w[0], counter: w[1], random: r, draw: uint64(i)*7919 + 1} }
	}
	return nil
}

// node is a node of a queue lock, in a line of its own.
type node struct{ next, locked int32 }

func nodes(m memory, n int) []node {
	all := make([]node, n)
	for i := range all {
		w := m.line(2)
		all[i] = node{w[0], w[1]}
	}
	return all
}

func load(w int32) p.Access           { return p.Access{Op: p.Load, Word: w} }
func post(w int32, v uint64) p.Access { return p.Access{Op: p.StoreRelease, Word: w, Arg: v} }
func xchg(w int32, v uint64) p.Access { return p.Access{Op: p.Swap, Word: w, Arg: v} }
func add(w int32, v uint64) p.Access  { return p.Access{Op: p.Add, Word: w, Arg: v} }
func cas(w int32, old, v uint64) p.Access {
	return p.Access{Op: p.CompareAndSwap, Word: w, Arg: old, New: v}
}

var pause = p.Access{Op: p.Pause}

// empty is the loop alone.
type empty struct{}

func (empty) enter(int, uint64) (p.Access, int, bool) { return p.Access{}, 0, true }
func (empty) leave(int, uint64) (p.Access, int, bool) { return p.Access{}, 0, true }

// incdec counts up and down.
type incdec struct{ word int32 }

func (c incdec) enter(pc int, _ uint64) (p.Access, int, bool) { return add(c.word, 1), 1, pc == 1 }
func (c incdec) leave(pc int, _ uint64) (p.Access, int, bool) {
	return add(c.word, ^uint64(0)), 1, pc == 1
}

// ticket has both counters in one word; here they share a line.
type ticket struct {
	next, owner int32
	mine        uint64
}

func (t *ticket) enter(pc int, got uint64) (p.Access, int, bool) {
	switch pc {
	case 0:
		return add(t.next, 1), 1, false
	case 1: // what it got has the owner's half, too; one more load of a line in hand
		t.mine = got - 1
		return load(t.owner), 2, false
	case 2:
		if got == t.mine {
			return p.Access{}, 0, true
		}
		return pause, 3, false
	}
	return load(t.owner), 2, false
}

func (t *ticket) leave(pc int, got uint64) (p.Access, int, bool) {
	switch pc {
	case 0:
		return load(t.owner), 1, false
	case 1:
		return post(t.owner, got+1), 2, false
	}
	return p.Access{}, 0, true
}

// swap is test-and-set without a test.
type swap struct{ word int32 }

func (s swap) enter(pc int, got uint64) (p.Access, int, bool) {
	return xchg(s.word, 1), 1, pc == 1 && got == 0
}
func (s swap) leave(pc int, _ uint64) (p.Access, int, bool) { return post(s.word, 0), 1, pc == 1 }

// queued is Linux's queued spin lock without the pending bit, which matters to
// two threads only: the lock's word has the byte locked and the tail above it.
type queued struct {
	lock, pool int32
	nodes      []node
	me         int
	prev       uint64
}

const lockedByte = 0xff

func (q *queued) enter(pc int, got uint64) (p.Access, int, bool) {
	own := q.nodes[q.me]
	mine := uint64(q.me+1) << 8
	switch pc {
	case 0:
		return cas(q.lock, 0, 1), 1, false
	case 1:
		if got == 1 {
			return p.Access{}, 0, true
		}
		return load(q.pool), 2, false
	case 2:
		return post(own.locked, 0), 3, false
	case 3:
		return post(own.next, 0), 4, false
	case 4:
		return load(q.lock), 5, false
	case 5:
		if got == 0 {
			return cas(q.lock, 0, 1), 6, false
		}
		fallthrough
	case 6:
		if pc == 6 && got == 1 {
			return p.Access{}, 0, true
		}
		return p.Access{Op: p.Swap, Word: q.lock, Arg: mine, New: lockedByte}, 7, false
	case 7:
		q.prev = got >> 8
		if q.prev == 0 {
			return load(q.lock), 12, false
		}
		return load(q.pool), 8, false
	case 8:
		return post(q.nodes[q.prev-1].next, uint64(q.me+1)), 9, false
	case 9:
		return load(own.locked), 10, false
	case 10:
		if got == 0 {
			return pause, 9, false
		}
		return load(q.lock), 12, false
	case 11:
		return load(q.lock), 12, false
	case 12:
		if got&lockedByte != 0 {
			return pause, 11, false
		}
		if got == mine { // the last of the queue
			return cas(q.lock, mine, 1), 13, false
		}
		return p.Access{Op: p.StoreRelease, Word: q.lock, Arg: 1, New: ^uint64(lockedByte)}, 14, false
	case 13:
		if got == 1 {
			return p.Access{}, 0, true
		}
		return p.Access{Op: p.StoreRelease, Word: q.lock, Arg: 1, New: ^uint64(lockedByte)}, 14, false
	case 14:
		return load(own.next), 15, false
	case 15:
		if got == 0 {
			return pause, 14, false
		}
		return post(q.nodes[got-1].locked, 1), 16, false
	}
	return p.Access{}, 0, true
}

func (q *queued) leave(pc int, _ uint64) (p.Access, int, bool) {
	return p.Access{Op: p.StoreRelease, Word: q.lock, New: ^uint64(lockedByte)}, 1, pc == 1
}

// osq is Linux's queue for optimistic spinning, which reads a static at every
// turn and a pointer when it leaves, both in the tail's line.
type osq struct {
	tail, static, pool int32
	nodes              []node
	me                 int
	prev               uint64
}

func (o *osq) enter(pc int, got uint64) (p.Access, int, bool) {
	own := o.nodes[o.me]
	switch pc {
	case 0:
		return load(o.pool), 1, false
	case 1:
		return post(own.locked, 0), 2, false
	case 2:
		return post(own.next, 0), 3, false
	case 3:
		return xchg(o.tail, uint64(o.me+1)), 4, false
	case 4:
		if o.prev = got; got == 0 {
			return p.Access{}, 0, true
		}
		return load(o.pool), 5, false
	case 5:
		return post(o.nodes[o.prev-1].next, uint64(o.me+1)), 6, false
	case 6:
		return load(own.locked), 7, false
	case 7:
		if got != 0 {
			return p.Access{}, 0, true
		}
		return load(o.static), 8, false
	}
	return pause, 6, false
}

func (o *osq) leave(pc int, got uint64) (p.Access, int, bool) {
	own, mine := o.nodes[o.me], uint64(o.me+1)
	switch pc {
	case 0:
		return cas(o.tail, mine, 0), 1, false
	case 1:
		if got == 1 {
			return p.Access{}, 0, true
		}
		return load(o.pool), 2, false
	case 2:
		return xchg(own.next, 0), 3, false
	case 3:
		if got != 0 {
			return post(o.nodes[got-1].locked, 1), 7, false
		}
		return load(o.tail), 4, false
	case 4:
		if got == mine {
			return cas(o.tail, mine, 0), 5, false
		}
		return load(own.next), 6, false
	case 5:
		if got == 1 {
			return p.Access{}, 0, true
		}
		return load(own.next), 6, false
	case 6:
		if got != 0 {
			return xchg(own.next, 0), 3, false
		}
		return pause, 8, false
	case 8:
		return load(o.tail), 4, false
	}
	return p.Access{}, 0, true
}

// casEvent is InnoDB's mutex with an event, but no process waits for it here: it
// backs off between its tries by 0 to 199 times 50 pauses, drawn from a shared word.
type casEvent struct {
	lock, counter, random int32
	draw                  uint64
	rounds                int
}

// spinRounds is InnoDB's innodb_sync_spin_loops.
const spinRounds = 30

func (c *casEvent) enter(pc int, got uint64) (p.Access, int, bool) {
	switch pc {
	case 0:
		c.rounds = 0
		return xchg(c.lock, 1), 1, false
	case 1:
		if got == 0 {
			return p.Access{}, 0, true
		}
		return load(c.lock), 2, false
	case 2:
		if c.rounds++; got == 0 || c.rounds > spinRounds {
			c.rounds = 0
			return xchg(c.lock, 1), 1, false
		}
		return load(c.random), 3, false
	case 3:
		c.draw = got*1664525 + 1013904223 + c.draw%3
		return post(c.random, c.draw), 4, false
	case 4:
		return p.Access{Op: p.Idle, Arg: (c.draw >> 16 % 200) * 50}, 5, false
	}
	return load(c.lock), 2, false
}

func (c *casEvent) leave(pc int, _ uint64) (p.Access, int, bool) {
	switch pc {
	case 0:
		return xchg(c.lock, 0), 1, false
	case 1:
		return load(c.counter), 2, false
	}
	return p.Access{}, 0, true
}
