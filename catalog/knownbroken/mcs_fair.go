package knownbroken

import (
	"sync/atomic"

	"shmbench/shm"
	"shmbench/shm/spin"
)

// mcsFair is the fair queue lock of Mellor-Crummey and Scott after the pseudo-code on the
// authors' web page. The last leaving reader reads the next writer, and removes it from its
// register by a compare-and-swap. In between, the writer can enter, leave, and return with the
// same node, behind new readers. The late compare-and-swap succeeds, and lets the writer in
// beside them.
//
// Process 0 writes twice here, and the others read once, so that the states are few enough to
// explore: any other call never returns.
var mcsFair = made(Lock{
	Algorithm: shm.Algorithm{
		Name:  "knownbroken/mcs-fair",
		Title: "Fair queue-based reader-writer lock, after its authors' page",
		Source: shm.Source{
			Author: "John M. Mellor-Crummey and Michael L. Scott",
			Title:  "Scalable Reader-Writer Synchronization for Shared-Memory Multiprocessors",
			Venue:  "pseudo-code of the authors on the web, after PPoPP 1991",
			Year:   1991,
		},
		Class:    shm.Swap | shm.CompareAndSwap | shm.FetchAndAdd | shm.FetchAndOr,
		MinProcs: 2,
		Claims:   shm.Claims{DeadlockFree: true, StarvationFree: true},
		Space: shm.Space{
			{Name: "never", Count: shm.Const(1), Values: shm.Const(1)},
			{Name: "tail", Count: shm.Const(1), Values: shm.NPlus1},
			{Name: "writer", Count: shm.Const(1), Values: shm.Const(2)},
			{Name: "readers", Count: shm.Const(1), Values: shm.N},
			{Name: "kind", Count: shm.N, Values: shm.Const(2)},
			{Name: "next", Count: shm.N, Values: shm.N},
			{Name: "state", Count: shm.N, Values: shm.Const(6)},
		},
	},
	Read:     "index-benchmarks/latches/MCSRW.h of sfu-dis/optiql at 4b9e562378bb9c6ff0384eab9e629c4159849231, which follows the page",
	Claimed:  "mutual exclusion of a writer with all others, and that processes enter in the order of arrival",
	Property: exclusion,
	Verdict:  "a reader that leaves late takes a writer in its second passage for the same writer in its first one, and lets it in beside readers.",
	Procs:    4,
	Memory:   Consistent,
	Steps:    55,
	Fix:      "the register of the next writer also has the number of the writer's passage",
}, newMCSFair(1))

// mcsFairMutex is the lock. The state of a node is whether its process is blocked, and what its
// successor is: none, a reader or a writer.
//
//	entry section of writer i:
//	1  kind[i] := writing; state[i] := (blocked, none); next[i] := nil
//	2  p := swap(tail, i)
//	3  if p = nil then writer := i; if readers = 0 then if swap(writer, nil) = i then i is not blocked, enter
//	4  if p is not nil then the successor of p is a writer; next[p] := i
//	5  wait until i is not blocked
//	exit section of writer i:
//	6  s := next[i]; if s = nil then if compare-and-swap(tail, i, nil) succeeds then return
//	7  wait until s := next[i] is not nil
//	8  if kind[s] = reading then readers + 1
//	9  s is not blocked
//	entry section of reader i:
//	10 kind[i] := reading; state[i] := (blocked, none); next[i] := nil
//	11 p := swap(tail, i)
//	12 if p = nil then readers + 1; i is not blocked
//	13 else if kind[p] = writing, or compare-and-swap(state[p], (blocked, none), (blocked, reader)) succeeds, then
//	14     next[p] := i; wait until i is not blocked
//	15 else readers + 1; next[p] := i; i is not blocked
//	16 if the successor of i is a reader then wait until s := next[i] is not nil; readers + 1; s is not blocked
//	exit section of reader i:
//	17 s := next[i]; if s = nil then if compare-and-swap(tail, i, nil) succeeds then goto 20
//	18 wait until s := next[i] is not nil
//	19 if the successor of i is a writer then writer := s
//	20 if fetch-and-add(readers, -1) gives 0 then
//	21     w := writer; if w is not nil then if readers = 0 then if compare-and-swap(writer, w, nil) succeeds then
//	22         w is not blocked
type mcsFairMutex struct {
	never    atomic.Bool   // no process sets it
	tail     atomic.Uint32 // 0, or i+1 for the node of process i
	writer   atomic.Uint32 // as tail, and in the fixed lock the version of the node
	readers  atomic.Uint32
	node     []mcsFairNode
	versions uint32 // of a node; 1 in the lock as published
	passages []int  // that a process has begun, of its own
}

type mcsFairNode struct{ kind, next, state, version atomic.Uint32 }

const (
	mcsFairReading = 0
	mcsFairWriting = 1

	// The parts of a state.
	mcsFairBlocked        = 1
	mcsFairReaderBehind   = 2
	mcsFairWriterBehind   = 4
	mcsFairVersion        = 8 // a version is multiplied by it
	mcsFairWriters        = 1 // processes that write,
	mcsFairWriterPassages = 2 // so often
)

// newMCSFair returns a function that makes the lock with so many versions of each node.
func newMCSFair(versions uint32) func(n int) shm.Mutex {
	return func(n int) shm.Mutex {
		return &mcsFairMutex{node: make([]mcsFairNode, n), versions: versions, passages: make([]int, n)}
	}
}

func (l *mcsFairMutex) of(node uint32) *mcsFairNode { return &l.node[node%mcsFairVersion-1] }

// limit stops a process forever if its call is not one of those that are explored.
func (l *mcsFairMutex) limit(i int, writes bool) {
	most := 1
	if writes {
		most = mcsFairWriterPassages
	}
	if (i < mcsFairWriters) != writes || l.passages[i] == most {
		spin.Until(func() bool { return l.never.Load() })
	}
	l.passages[i]++
}

// named returns the name of a writer's node, with its version in the fixed lock.
func (l *mcsFairMutex) named(node uint32) uint32 {
	if l.versions == 1 {
		return node
	}
	return node + mcsFairVersion*l.of(node).version.Load()
}

func (node *mcsFairNode) unblock() {
	node.state.And(^uint32(mcsFairBlocked)) // 3, 9, 12, 15, 16, 22
}

func (node *mcsFairNode) wait() {
	spin.Until(func() bool { return node.state.Load()&mcsFairBlocked == 0 }) // 5, 14
}

// behind waits for the successor.
func (node *mcsFairNode) behind() uint32 {
	s := uint32(0)
	spin.Until(func() bool { s = node.next.Load(); return s != 0 }) // 7, 16, 18
	return s
}

// begin is lines 1 and 2, and lines 10 and 11. It returns the predecessor.
func (l *mcsFairMutex) begin(i int, kind uint32) uint32 {
	node := &l.node[i]
	node.kind.Store(kind)             // 1, 10
	node.state.Store(mcsFairBlocked)  // 1, 10
	node.next.Store(0)                // 1, 10
	return l.tail.Swap(uint32(i + 1)) // 2, 11
}

func (l *mcsFairMutex) Lock(i int) {
	l.limit(i, true)
	I, node := uint32(i+1), &l.node[i]
	if l.versions > 1 {
		node.version.Store((node.version.Load() + 1) % l.versions)
	}
	p := l.begin(i, mcsFairWriting)
	if p == 0 {
		me := l.named(I)
		l.writer.Store(me)                                   // 3
		if l.readers.Load() == 0 && l.writer.Swap(0) == me { // 3
			node.unblock()
			return
		}
	} else {
		l.of(p).state.Or(mcsFairWriterBehind) // 4
		l.of(p).next.Store(I)                 // 4
	}
	node.wait()
}

func (l *mcsFairMutex) Unlock(i int) {
	node := &l.node[i]
	s := node.next.Load()                                // 6
	if s == 0 && l.tail.CompareAndSwap(uint32(i+1), 0) { // 6
		return
	}
	s = node.behind()
	if l.of(s).kind.Load() == mcsFairReading { // 8
		l.readers.Add(1) // 8
	}
	l.of(s).unblock()
}

func (l *mcsFairMutex) RLock(i int) {
	l.limit(i, false)
	I, node := uint32(i+1), &l.node[i]
	switch p := l.begin(i, mcsFairReading); {
	case p == 0:
		l.readers.Add(1) // 12
		node.unblock()
	case l.of(p).kind.Load() == mcsFairWriting || // 13
		l.of(p).state.CompareAndSwap(mcsFairBlocked, mcsFairBlocked|mcsFairReaderBehind): // 13
		l.of(p).next.Store(I) // 14
		node.wait()
	default:
		l.readers.Add(1)      // 15
		l.of(p).next.Store(I) // 15
		node.unblock()
	}
	if node.state.Load()&mcsFairReaderBehind != 0 { // 16
		s := node.behind()
		l.readers.Add(1) // 16
		l.of(s).unblock()
	}
}

func (l *mcsFairMutex) RUnlock(i int) {
	node := &l.node[i]
	s := node.next.Load()                                 // 17
	if s != 0 || !l.tail.CompareAndSwap(uint32(i+1), 0) { // 17
		s = node.behind()
		if node.state.Load()&mcsFairWriterBehind != 0 { // 19
			l.writer.Store(l.named(s)) // 19
		}
	}
	if l.readers.Add(^uint32(0)) != 0 { // 20
		return
	}
	w := l.writer.Load()                                                  // 21
	if w != 0 && l.readers.Load() == 0 && l.writer.CompareAndSwap(w, 0) { // 21
		l.of(w).unblock()
	}
}
