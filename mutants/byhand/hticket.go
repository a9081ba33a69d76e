package byhand

import (
	"sync/atomic"

	"shmbench/numa"
	"shmbench/shm"
	"shmbench/spin"
)

const (
	hticketBatch = 2  // of the broken locks
	hticketOpen  = -1 // open
)

var hticket = numa.HTicket{Nodes: twoNodes, Batch: hticketBatch}.Card(shm.Packed, shm.Sequential)

var htickets = []Mutant{
	mutate(hticket, "hticket-looks-only", "who leaves sees that nobody has drawn a ticket after it, and does not end the batch", Deadlock, 1,
		func(n int) shm.Mutex { return &hticketLooksOnly{newHTicket(n)} }),
	mutate(hticket, "hticket-not-opened", "who ends a batch leaves the node with the last ticket that was served", Deadlock, 1,
		func(n int) shm.Mutex { return &hticketNotOpened{newHTicket(n)} }),
	mutate(hticket, "hticket-always-passed", "the next node is let in at the end of each ticket, and not of each batch", Safety, 3,
		func(n int) shm.Mutex { return &hticketAlwaysPassed{newHTicket(n)} }),
	mutate(hticket, "hticket-opened-last", "the node is opened for its next batch after the next node has been let in", Equivalent, 2,
		func(n int) shm.Mutex { return &hticketOpenedLast{newHTicket(n)} }),
}

// hticketBase is the hierarchical ticket lock on two nodes:
//
//	entry section of process i of node s, for batches of B tickets:
//	1  t := fetch-and-decrement(lrequest[s]) - 1
//	2  if t < -1 then wait until lrequest[s] >= 0; goto 1
//	3  if t >= 0 then wait until lgrant[s] = t, and enter
//	4  wait until lgrant[s] = open
//	5  lgrant[s] := B
//	6  lrequest[s] := B
//	7  g := fetch-and-increment(request)
//	8  wait until grant = g
//	exit section:
//	9  k := lgrant[s]
//	10 if compare-and-swap(lrequest[s], k, 0) succeeds, or k = 0, then
//	11     lgrant[s] := open
//	12     grant := grant + 1
//	13 else lgrant[s] := k - 1
type hticketBase struct {
	request, grant   atomic.Uint32
	lrequest, lgrant [2]atomic.Int32
	node             []int // by process
}

func newHTicket(n int) *hticketBase {
	l := &hticketBase{node: make([]int, n)}
	for i := range l.node {
		l.node[i] = i % 2
	}
	l.lgrant[0].Store(hticketOpen)
	l.lgrant[1].Store(hticketOpen)
	return l
}

func (l *hticketBase) Lock(i int) {
	s := l.node[i]
	if l.inBatch(s) {
		return
	}
	spin.Until(func() bool { return l.lgrant[s].Load() == hticketOpen }) // 4
	l.lgrant[s].Store(hticketBatch)                                      // 5
	l.lrequest[s].Store(hticketBatch)                                    // 6
	g := l.request.Add(1) - 1                                            // 7
	spin.Until(func() bool { return l.grant.Load() == g })               // 8
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
	if k := l.lgrant[s].Load(); l.lrequest[s].CompareAndSwap(k, 0) || k == 0 { // 9, 10
		l.lgrant[s].Store(hticketOpen) // 11
		l.pass()
	} else {
		l.lgrant[s].Store(k - 1) // 13
	}
}

// pass is line 12.
func (l *hticketBase) pass() { l.grant.Store(l.grant.Load() + 1) }

type hticketLooksOnly struct{ *hticketBase }

func (l *hticketLooksOnly) Unlock(i int) {
	s := l.node[i]
	if k := l.lgrant[s].Load(); l.lrequest[s].Load() == k || k == 0 { // 9, 10
		l.lgrant[s].Store(hticketOpen) // 11
		l.pass()
	} else {
		l.lgrant[s].Store(k - 1) // 13
	}
}

type hticketNotOpened struct{ *hticketBase }

func (l *hticketNotOpened) Unlock(i int) {
	s := l.node[i]
	if k := l.lgrant[s].Load(); l.lrequest[s].CompareAndSwap(k, 0) || k == 0 { // 9, 10
		l.pass()
	} else {
		l.lgrant[s].Store(k - 1) // 13
	}
}

type hticketAlwaysPassed struct{ *hticketBase }

func (l *hticketAlwaysPassed) Unlock(i int) {
	s := l.node[i]
	if k := l.lgrant[s].Load(); l.lrequest[s].CompareAndSwap(k, 0) || k == 0 { // 9, 10
		l.lgrant[s].Store(hticketOpen) // 11
	} else {
		l.lgrant[s].Store(k - 1) // 13
	}
	l.pass()
}

type hticketOpenedLast struct{ *hticketBase }

func (l *hticketOpenedLast) Unlock(i int) {
	s := l.node[i]
	if k := l.lgrant[s].Load(); l.lrequest[s].CompareAndSwap(k, 0) || k == 0 { // 9, 10
		l.pass()
		l.lgrant[s].Store(hticketOpen) // 11
	} else {
		l.lgrant[s].Store(k - 1) // 13
	}
}
