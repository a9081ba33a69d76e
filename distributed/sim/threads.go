package sim

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"shmbench/distributed"
)

// threads is what the run knows of the threads: node i's thread t is i*m+t.
type threads struct {
	state     []threadState
	asked     []int64 // when it asked
	entriesAt []int64 // how many entries there had been when it asked
	resting   []distributed.Thread
	restingN  []int32 // node i's resting threads are resting[i*m : i*m+restingN[i]]
	arriving  []bool  // an arrival at the node is scheduled

	waiting   int       // threads that wait, of all nodes
	inside    []insider // more than one only where there are several locks
	grantedAt int64     // when the last one entered
	leftAt    int64     // when the last thread left while others waited; -1: none waited
	last      insider   // whose entry completed the run
}

// insider is a thread that is inside.
type insider struct {
	node   distributed.ID
	thread distributed.Thread
	locks  []uint16 // that it holds; nil: there is one
	number int64    // of the entry
	hangs  bool     // it never leaves
	entry
}

// conflicts reports whether q and a thread with these locks must not be inside
// together.
func (q *insider) conflicts(locks []uint16) bool {
	return locks == nil || slices.ContainsFunc(locks, func(k uint16) bool { return slices.Contains(q.locks, k) })
}

// takeOut takes thread t of node i out of those inside.
func (t *threads) takeOut(i distributed.ID, th distributed.Thread) (q insider) {
	at := slices.IndexFunc(t.inside, func(q insider) bool { return q.node == i && q.thread == th })
	q = t.inside[at]
	t.inside = slices.Delete(t.inside, at, at+1)
	return q
}

type threadState uint8

const (
	resting threadState = iota
	waiting
	inSection
	absent // room for a thread
)

func newThreads(c distributed.Config) threads {
	n, m := c.Nodes, c.Threads
	t := threads{
		state:     make([]threadState, n*m),
		asked:     make([]int64, n*m),
		entriesAt: make([]int64, n*m),
		resting:   make([]distributed.Thread, n*m),
		restingN:  make([]int32, n),
		arriving:  make([]bool, n),
		leftAt:    -1,
	}
	for i := range n {
		t.rest(c, i)
	}
	return t
}

// rest makes the threads with which node i begins rest.
func (t *threads) rest(c distributed.Config, i int) {
	m, begin := c.Threads, c.Begins(distributed.ID(i))
	t.restingN[i] = int32(begin)
	for j := range m {
		t.state[i*m+j] = absent
	}
	for j := range begin {
		t.state[i*m+j] = resting
		t.resting[i*m+j] = distributed.Thread(j)
	}
}

// startLoad makes the first requests, or schedules them.
func (e *engine) startLoad() {
	switch e.o.Load.kind {
	case poisson:
		for i := range e.n {
			if e.asks(i) {
				e.nextArrival(distributed.ID(i))
			}
		}
	case saturated:
		for t := range e.m { // the first threads of all nodes first
			for i := range e.n {
				if !e.down[i] && e.asks(i) && e.end == running && e.state[i*e.m+t] == resting {
					e.request(distributed.ID(i), distributed.Thread(t))
				}
			}
		}
	case single:
		e.nextArrival(0)
	}
}

// asks reports whether anything is asked for at node i.
func (e *engine) asks(i int) bool { return i > 0 || !e.o.System.Server }

// nextArrival schedules the next arrival at node i.
func (e *engine) nextArrival(i distributed.ID) {
	if e.arriving[i] {
		return
	}
	e.arriving[i] = true
	var gap int64
	if e.o.Load.kind == single {
		rest := 10 * int64(e.o.Delay.Bound())
		gap = rest + e.arrivals.below(rest)
	} else {
		gap = int64(e.arrivals.exponential() / e.o.Load.rate * float64(time.Second))
	}
	e.queue.push(e.now+gap, int(i))
}

// arrive plays an arrival at node i; under a Single load it is any node's.
func (e *engine) arrive(i distributed.ID) {
	e.arriving[i] = false
	if e.o.Load.kind == single {
		if e.downs == e.n || e.downs == e.n-1 && !e.down[0] && !e.asks(0) {
			return
		}
		i = e.choice.node(e.n, func(i distributed.ID) bool { return !e.down[i] && e.asks(int(i)) && e.restingN[i] > 0 })
	}
	if e.down[i] {
		return
	}
	first := int(i) * e.m
	var t distributed.Thread
	if e.o.Load.any {
		t = distributed.Thread(e.choice.below(int64(e.o.System.Begins(i))))
		if e.state[first+int(t)] != resting {
			e.nextArrival(i)
			return
		}
	} else {
		t = e.resting[first+int(e.choice.below(int64(e.restingN[i])))]
	}
	e.request(i, t)
	if e.o.Load.kind == poisson && (e.o.Load.any || e.restingN[i] > 0) {
		e.nextArrival(i)
	}
}

// request lets the resting thread t of node i ask.
func (e *engine) request(i distributed.ID, t distributed.Thread) {
	first := int(i) * e.m
	list := e.resting[first : first+int(e.restingN[i])]
	for k, r := range list {
		if r == t {
			list[k] = list[len(list)-1]
			break
		}
	}
	e.restingN[i]--
	e.state[first+int(t)] = waiting
	e.asked[first+int(t)] = e.now
	e.entriesAt[first+int(t)] = e.meter.entered
	if e.waiting == 0 {
		e.stallAt = e.now + e.patience
	}
	e.waiting++
	e.meter.local = true
	e.node(i).Request(t, &e.out)
	e.carryOut(i)
	e.meter.local = false
}

// enter lets thread t of node i in, and checks that it may.
func (e *engine) enter(i distributed.ID, t distributed.Thread) {
	k := int(i)*e.m + int(t)
	if t < 0 || int(t) >= e.m || e.state[k] != waiting {
		e.violate(fmt.Sprintf("node %d let thread %d enter, which does not wait", i, t))
		return
	}
	locks := e.holds(i, t)
	for k := range e.inside {
		if q := &e.inside[k]; q.conflicts(locks) {
			if e.o.GoOn {
				e.meter.overlaps++
				break
			}
			e.violate(fmt.Sprintf("node %d thread %d entered while node %d thread %d was in its critical section", i, t, q.node, q.thread))
			return
		}
	}
	e.state[k] = inSection
	e.waiting--
	e.grantedAt = e.now
	e.stallAt = e.now + e.patience
	begun := e.meter.enter(e.now-e.asked[k], e.entriesAt[k], e.now, e.leftAt)
	e.inside = append(e.inside, insider{i, t, locks, e.meter.entered, false, begun})
	e.leftAt = -1
	if e.hangNext {
		e.hang(&e.inside[len(e.inside)-1])
	}
	e.schedule(e.now+int64(e.o.Section.draw(&e.sections)),
		event{kind: leaving, gen: e.incarnation[i], msg: distributed.Message{To: i, Thread: t, Stamp: e.meter.entered}})
	if e.crashNext {
		e.crashNext = false
		e.crash(i)
	}
}

// leaves reports whether thread t of node i is inside since that entry, and leaves
// when its time is over.
func (t *threads) leaves(i distributed.ID, th distributed.Thread, number int64) bool {
	return slices.ContainsFunc(t.inside, func(q insider) bool {
		return q.node == i && q.thread == th && q.number == number && !q.hangs
	})
}

// hang makes q stay inside forever.
func (e *engine) hang(q *insider) {
	q.hangs, e.hangNext = true, false
	if e.o.Load.kind == single {
		e.nextArrival(0)
	}
}

// putOut makes thread t of node i leave, whose permission has been taken back,
// and reports whether it did: who hangs does not.
func (e *engine) putOut(i distributed.ID, t distributed.Thread) bool {
	at := slices.IndexFunc(e.inside, func(q insider) bool { return q.node == i && q.thread == t })
	if at < 0 {
		e.violate(fmt.Sprintf("node %d took thread %d's permission back, which has none", i, t))
		return false
	}
	if e.inside[at].hangs {
		return false
	}
	e.meter.revoked++
	left := e.takeOut(i, t)
	e.restAt(i, t)
	if e.meter.leave(int(i), e.now, left.entry) {
		e.end, e.last = Complete, left
		return false // asked for when the run goes on
	}
	return true
}

// leave lets thread t of node i, which is inside, out.
func (e *engine) leave(i distributed.ID, t distributed.Thread) {
	k := int(i)*e.m + int(t)
	e.leftAt = -1
	if e.waiting > 0 && e.holders == nil { // a waiting thread may wait for another lock
		e.leftAt = e.now
	}
	e.meter.local = true
	e.node(i).Release(t, &e.out)
	left := e.takeOut(i, t)
	if to := e.destination(i); to != i {
		moved := distributed.Message{Kind: distributed.Move, From: i, To: to}
		e.state[k] = absent
		e.meter.sent(&moved, true)
		e.schedule(e.now+int64(e.o.Delay.draw(&e.moves)), event{kind: moving, msg: moved})
	} else {
		e.restAt(i, t)
	}
	e.carryOut(i)
	e.meter.local = false
	if e.meter.leave(int(i), e.now, left.entry) {
		e.end, e.last = Complete, left
		return
	}
	if e.state[k] == resting {
		e.ask(i, t)
	}
}

func (e *engine) restAt(i distributed.ID, t distributed.Thread) {
	e.state[int(i)*e.m+int(t)] = resting
	e.resting[int(i)*e.m+int(e.restingN[i])] = t
	e.restingN[i]++
}

// destination returns where a thread that has left at node i goes to rest.
func (e *engine) destination(i distributed.ID) distributed.ID {
	if e.o.Move == 0 || !e.moves.chance(e.o.Move) {
		return i
	}
	to := distributed.ID(e.moves.below(int64(e.n - 1)))
	if to >= i {
		to++
	}
	return to
}

// come lets a thread arrive at node i, where there is room for all.
func (e *engine) come(i distributed.ID) {
	t := distributed.Thread(slices.Index(e.state[int(i)*e.m:int(i+1)*e.m], absent))
	e.restAt(i, t)
	e.ask(i, t)
}

// resume goes on after the entry that was the last.
func (e *engine) resume() {
	defer e.panicked()
	if i, t := e.last.node, e.last.thread; e.state[int(i)*e.m+int(t)] == resting {
		e.ask(i, t)
	}
}

// ask makes or schedules what follows when thread t of node i has left.
func (e *engine) ask(i distributed.ID, t distributed.Thread) {
	switch e.o.Load.kind {
	case poisson:
		e.nextArrival(i)
	case saturated:
		if e.end == running && !e.down[i] {
			e.request(i, t)
		}
	case single:
		e.nextArrival(0)
	}
}

// waiters counts the threads that wait now into r.
func (e *engine) waiters(r *Result) {
	for k, s := range e.state {
		if s != waiting {
			continue
		}
		waited := e.now - e.asked[k]
		if waited > e.patience {
			r.Starving++
		}
		if r.Waiters == 0 || waited > int64(r.Oldest.Waited) {
			r.Oldest = Waiter{distributed.ID(k / e.m), distributed.Thread(k % e.m), time.Duration(waited)}
		}
		r.Waiters++
		r.LongestWait = max(r.LongestWait, time.Duration(waited))
		r.Bypass = max(r.Bypass, e.meter.entered-e.entriesAt[k])
	}
}

// whoWaits names the thread that has waited longest, if any waits, and the broken nodes.
func (e *engine) whoWaits() string {
	var b strings.Builder
	longest := -1
	for k, s := range e.state {
		if s == waiting && (longest < 0 || e.asked[k] < e.asked[longest]) {
			longest = k
		}
	}
	if longest >= 0 {
		fmt.Fprintf(&b, "; threads that wait: %d, node %d thread %d since %v", e.waiting, longest/e.m, longest%e.m, time.Duration(e.asked[longest]))
	}
	if e.downs > 0 {
		fmt.Fprintf(&b, "; nodes that are down: %d", e.downs)
	}
	if e.parted {
		b.WriteString("; the network is parted")
	}
	return b.String()
}
