// Package plain has locks that keep plain data in memory which processes
// share: statistics, owners, queues, nodes. All of them exclude.
package plain

import "sync/atomic"

type guard struct{ busy atomic.Bool }

func (g *guard) enter() {
	for g.busy.Swap(true) {
	}
}

func (g *guard) leave() { g.busy.Store(false) }

// Ring notes who came last in a slice that the lock guards.
type Ring struct {
	guard
	last []int
	next int
}

func NewRing(n int) *Ring { return &Ring{last: make([]int, 2)} }

func (l *Ring) Lock(pid int) {
	l.enter()
	l.last[l.next] = pid
	l.next = (l.next + 1) % len(l.last)
}

func (l *Ring) Unlock(pid int) {
	if l.last[(l.next+1)%2] != pid {
		panic("somebody else came last")
	}
	l.leave()
}

// Statistics counts passages, in all and by process, modulo 4.
type Statistics struct {
	guard
	all  uint8
	mine []struct{ passages, odd uint8 }
}

func NewStatistics(n int) *Statistics {
	return &Statistics{mine: make([]struct{ passages, odd uint8 }, n)}
}

func (l *Statistics) Lock(pid int) {
	l.mine[pid].passages++
	l.mine[pid].passages &= 3
	l.enter()
	l.all++
	l.all %= 4
}

func (l *Statistics) Unlock(pid int) {
	l.leave()
	l.mine[pid].odd ^= 1
	l.mine[pid].odd <<= l.mine[pid].passages & 1
	l.mine[pid].odd &= 3
}

type node struct {
	next  *node
	owner int
	note  *int
}

// Nodes hands a token around a circle of nodes.
type Nodes struct {
	guard
	at *node
}

func NewNodes(n int) *Nodes {
	first := &node{owner: -1, note: new(int)}
	last := first
	for range n {
		last.next = &node{owner: -1, note: new(int)}
		last = last.next
	}
	last.next = first
	return &Nodes{at: first}
}

func (l *Nodes) Lock(pid int) {
	l.enter()
	l.at.next.owner = pid
	*l.at.next.note = pid
	l.at = l.at.next
}

func (l *Nodes) Unlock(pid int) {
	if p := l.at; p.owner != *p.note {
		panic("two notes")
	}
	l.leave()
}

// Records has records that are copied whole, each by one process.
type Records struct {
	guard
	mine [2]record
	free record
}

type record struct {
	pid  int
	seen [2]bool
	_    [8]byte
	name string
}

func NewRecords(n int) *Records { return &Records{free: record{pid: 7, name: "free"}} }

func (l *Records) Lock(pid int) {
	r := l.mine[pid]
	r.seen[pid] = !r.seen[pid]
	r.pid = l.free.pid
	l.mine[pid] = r
	l.enter()
}

func (l *Records) Unlock(pid int) {
	l.leave()
	l.mine[pid] = l.free
	p := &l.mine[pid]
	p.seen = [2]bool{true, l.mine[pid].name == "free"}
}

// Swaps exchanges what it guards.
type Swaps struct {
	guard
	a, b int
	list [3]int8
}

func NewSwaps(n int) *Swaps { return &Swaps{b: 1} }

func (l *Swaps) Lock(pid int) {
	l.enter()
	l.a, l.b = l.b, l.a
	i := 0
	i, l.list[i] = 2, int8(l.a)
	l.list[i], _, i = l.list[0], i, 1
	l.list[i] = -l.list[i] | 1
}

func (l *Swaps) Unlock(pid int) {
	x, y := l.a, l.b
	if x+y != 1 {
		panic("lost one")
	}
	l.a, l.b = both(y, x)
	l.leave()
}

func both(x, y int) (int, int) { return x, y }

var owner = -1

var order = []*int{new(int), new(int)}

// Global keeps its owner in variables of the package.
type Global struct{ guard }

func NewGlobal(n int) *Global { return new(Global) }

func (l *Global) Lock(pid int) {
	l.enter()
	owner = pid
	*order[pid] = pid + 1
}

func (l *Global) Unlock(pid int) {
	if owner != pid || *order[pid] != pid+1 {
		panic("not the owner")
	}
	owner = -1
	l.leave()
}
