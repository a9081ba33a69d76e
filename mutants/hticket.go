package mutants

import (
	"sync/atomic"

	"shmbench/numa"
	"shmbench/shm"
	"shmbench/spin"
)

// hticketBatch is the batch of the broken locks.
const hticketBatch = 2

var hticket = numa.HTicket{Nodes: twoNodes, Batch: hticketBatch}.Card(shm.Packed, shm.Sequential)

var htickets = []Mutant{
	mutate(hticket, "hticket-looks-only", "who leaves sees that nobody has drawn a ticket after it, and does not end the batch", Deadlock, 1,
		func(n int) shm.Mutex { return &hticketLooksOnly{newHTicket(n, 1)} }),
	mutate(hticket, "hticket-not-opened", "who ends a batch leaves the node with the last ticket that was served", Deadlock, 3,
		func(n int) shm.Mutex { return &hticketNotOpened{newHTicket(n, 1)} }),
	mutate(hticket, "hticket-always-passed", "the next node is let in at the end of each ticket, and not of each batch", Safety, 3,
		func(n int) shm.Mutex { return &hticketAlwaysPassed{newHTicket(n, 1)} }),
	mutate(hticket, "hticket-opened-last", "the node is opened for its next batch after the next node has been let in, which may be itself", Deadlock, 3,
		func(n int) shm.Mutex { return &hticketOpenedLast{newHTicket(n, 3)} }).
		outOfReach("between two stores of a process that leaves, two others must come and one of them leave"),
}

// hticketBase is the hierarchical ticket lock on two nodes:
//
//	entry section of process i of node s, for batches of B tickets:
//	1  t := fetch-and-decrement(lrequest[s]) - 1
//	2  if t < -1 then wait until lrequest[s] >= 0; goto 1
//	3  if t >= 0 then wait until lgrant[s] = t, and enter
//	4  wait until lgrant[s] = B
//	5  lrequest[s] := B
//	6  g := fetch-and-increment(request)
//	7  wait until grant = g
//	exit section:
//	8  k := lgrant[s]
//	9  if compare-and-swap(lrequest[s], k, 0) succeeds, or k = 0, then
//	10     lgrant[s] := B
//	11     grant := grant + 1
//	12 else lgrant[s] := k - 1
type hticketBase struct {
	request, grant   atomic.Uint32
	lrequest, lgrant [2]atomic.Int32
	node             []int // by process
}

// newHTicket puts so many processes on one node, as many on the other, and so on.
func newHTicket(n, together int) *hticketBase {
	l := &hticketBase{node: make([]int, n)}
	for i := range l.node {
		l.node[i] = i / together % 2
	}
	l.lgrant[0].Store(hticketBatch)
	l.lgrant[1].Store(hticketBatch)
	return l
}

func (l *hticketBase) Lock(i int) {
	s := l.node[i]
	if l.inBatch(s) {
		return
	}
	spin.Until(func() bool { return l.lgrant[s].Load() == hticketBatch }) // 4
	l.lrequest[s].Store(hticketBatch)                                     // 5
	g := l.request.Add(1) - 1                                             // 6
	spin.Until(func() bool { return l.grant.Load() == g })                // 7
}

// inBatch is lines 1 to 3: it reports whether the process has entered, and is not the first
// of a batch.
func (l *hticketBase) inBatch(s int) bool {
	t := l.lrequest[s].Add(-1) // 1
	for t < -1 {
		spin.Until(func() bool { return l.lrequest[s].Load() >= 0 }) // 2
		t = l.lrequest[s].Add(-1)                                    // 1
	}
	if t < 0 {
		return false
	}
	spin.Until(func() bool { return l.lgrant[s].Load() == t }) // 3
	return true
}

func (l *hticketBase) Unlock(i int) {
	s := l.node[i]
	if k := l.lgrant[s].Load(); l.lrequest[s].CompareAndSwap(k, 0) || k == 0 { // 8, 9
		l.lgrant[s].Store(hticketBatch) // 10
		l.pass()
	} else {
		l.lgrant[s].Store(k - 1) // 12
	}
}

// pass is line 11.
func (l *hticketBase) pass() { l.grant.Store(l.grant.Load() + 1) }

type hticketLooksOnly struct{ *hticketBase }

func (l *hticketLooksOnly) Unlock(i int) {
	s := l.node[i]
	if k := l.lgrant[s].Load(); l.lrequest[s].Load() == k || k == 0 { // 8, 9
		l.lgrant[s].Store(hticketBatch) // 10
		l.pass()
	} else {
		l.lgrant[s].Store(k - 1) // 12
	}
}

type hticketNotOpened struct{ *hticketBase }

func (l *hticketNotOpened) Unlock(i int) {
	s := l.node[i]
	if k := l.lgrant[s].Load(); l.lrequest[s].CompareAndSwap(k, 0) || k == 0 { // 8, 9
		l.pass()
	} else {
		l.lgrant[s].Store(k - 1) // 12
	}
}

type hticketAlwaysPassed struct{ *hticketBase }

func (l *hticketAlwaysPassed) Unlock(i int) {
	s := l.node[i]
	if k := l.lgrant[s].Load(); l.lrequest[s].CompareAndSwap(k, 0) || k == 0 { // 8, 9
		l.lgrant[s].Store(hticketBatch) // 10
	} else {
		l.lgrant[s].Store(k - 1) // 12
	}
	l.pass()
}

type hticketOpenedLast struct{ *hticketBase }

func (l *hticketOpenedLast) Unlock(i int) {
	s := l.node[i]
	if k := l.lgrant[s].Load(); l.lrequest[s].CompareAndSwap(k, 0) || k == 0 { // 8, 9
		l.pass()
		l.lgrant[s].Store(hticketBatch) // 10
	} else {
		l.lgrant[s].Store(k - 1) // 12
	}
}
