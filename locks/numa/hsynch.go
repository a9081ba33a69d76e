package numa

import (
	"slices"
	"sync/atomic"

	"shmbench/locks/delegation"
	"shmbench/locks/queue"
	"shmbench/shm"
	"shmbench/shm/spin"
)

// HSynchMutex makes the ticket lock over H-Synch for processes on some nodes. A combiner
// executes at most Batch requests for each process.
type HSynchMutex struct {
	Nodes Nodes
	Batch int
}

// Spec returns the specification of the lock.
func (h HSynchMutex) Spec() shm.Algorithm {
	plain := func(shm.Layout, shm.Stores) shm.Algorithm { return delegation.CCSynchMutex() }
	return h.Nodes.orPlain(shm.Algorithm{
		Name:     "numa/hsynch",
		Title:    "H-Synch, hierarchical combining",
		Source:   delegation.Combining,
		Class:    shm.Swap,
		Explored: shm.Explored{Procs: 2},
		Claims: shm.Claims{
			DeadlockFree:   true,
			StarvationFree: true,
			Doorway:        "2",
			LocalSpin:      shm.LocalSpin{CC: true},
		},
		Space: h.space(),
	}.Built(shm.Padded, shm.Sequential, func(b shm.Build) shm.Mutex {
		return delegation.NewTicketMutex(b.N, NewHSynch(b.N, h.Nodes, h.Batch*b.N))
	}), plain)
}

// space is the registers of H-Synch, and those of its central lock.
func (h HSynchMutex) space() shm.Space {
	records := shm.Formula{Text: "n + nodes", At: func(n int) int { return n + h.Nodes.count(n) }}
	common := shm.Formula{Text: "records of the nodes that have several processes", At: func(n int) (count int) {
		_, size := h.Nodes.places(n)
		for _, processes := range size {
			if processes > 1 {
				count += processes + 1
			}
		}
		return count
	}}
	most := func(n int) int { _, size := h.Nodes.places(n); return slices.Max(size) }
	members := shm.Formula{Text: "1 + the most processes of a node", At: func(n int) int { return 1 + most(n) }}
	neighbors := shm.Formula{Text: "processes of the nodes that have several", At: func(n int) int { return common.Of(n) - h.Nodes.shared(n) }}
	return append(delegation.TicketSpace(neighbors), shm.Space{
		{Name: "tail", Count: shm.Formula{Text: "1 + nodes", At: func(n int) int { return 1 + h.Nodes.count(n) }}, Values: shm.NPlus1},
		{Name: "locked", Count: shm.NPlus1, Values: shm.Const(2)},
		{Name: "next", Count: records, Values: members},
		{Name: "wait", Count: records, Values: shm.Const(2)},
		{Name: "completed", Count: common, Values: shm.Const(2)},
		{Name: "request", Count: common, Values: members},
		{Name: "result", Count: common, Values: shm.Formula{Text: "n * the most processes of a node", At: func(n int) int { return n * most(n) }}},
	}...)
}

// HSynch is CC-Synch on each node, with a lock between the combiners of the nodes.
//
// Source: Panagiota Fatourou and Nikolaos D. Kallimanis, "Revisiting the Combining
// Synchronization Technique", PPoPP 2012, p. 257-266. Written after the authors' program
// libconcurrent/concurrent/hsynch.c, github.com/nkallima/sim-universal-construction,
// commit 3435e0a.
//
// Registers: those of CC-Synch for each node, and those of the central lock, a CLH lock of
// all processes.
//
// Properties: a process executes requests only while it has the central lock. Requests of a
// node are executed in the order of line 2, and the central lock is first-come-first-served
// among the combiners. So no process starves if h is bounded. Before a combiner reaches line
// 6, the other nodes can pass it, and all processes that wait behind it, any number of times.
//
// The doorway is lines 1 and 2.
//
//	Execute(i, f), where process i of node c has the record spare:
//	1  N := spare; N.next := nil; N.wait := true; N.completed := false
//	2  C := swap(tail[c], N)
//	3  C.request := f; C.next := N; spare := C
//	4  wait until not C.wait
//	5  if C.completed then return C.result
//	6  acquire the central lock
//	7  P := C; at most h times, while P.next is not nil:
//	       T := P.next; P.result := P.request(); P.completed := true; P.wait := false; P := T
//	8  P.wait := false
//	9  release the central lock; return C.result
//
// At the start tail[c] is a record with wait = completed = false.
//
// Deviations: those of CC-Synch.
type HSynch struct {
	_       shm.NoCopy
	h       int
	central shm.Mutex
	tail    shm.Array[atomic.Uint32] // by node, the name of a record
	node    []int                    // by process
	record  shm.Array[hRecord]
	spare   shm.Array[uint32] // spare[i] is used by process i only
}

type hRecord struct {
	next      atomic.Uint32 // the name of a record, or 0
	wait      atomic.Bool
	completed bool
	request   func() uint64
	result    uint64
}

// NewHSynch returns H-Synch for n processes on some nodes. A combiner executes at most h
// requests, 1 or more.
func NewHSynch(n int, nodes Nodes, h int) *HSynch {
	places, size := nodes.places(n)
	central, err := queue.NewCLH(n, shm.Padded, shm.Sequential)
	if err != nil {
		panic(err) // the specification has checked n
	}
	l := &HSynch{
		h:       h,
		central: central,
		tail:    shm.NewArray[atomic.Uint32](len(size), shm.Padded),
		node:    make([]int, n),
		record:  shm.NewArray[hRecord](n+len(size), shm.Padded),
		spare:   shm.NewArray[uint32](n, shm.Padded),
	}
	for i, at := range places {
		l.node[i] = at.node
		*l.spare.At(i) = uint32(i + 1)
	}
	for c := range size {
		l.tail.At(c).Store(uint32(n + 1 + c))
	}
	return l
}

// of returns the record of a name.
func (l *HSynch) of(name uint32) *hRecord { return l.record.At(int(name - 1)) }

// Execute has f executed for process i.
func (l *HSynch) Execute(i int, f func() uint64) uint64 {
	spare := l.spare.At(i)
	name := *spare
	N := l.of(name)
	N.next.Store(0)                          // 1
	N.wait.Store(true)                       // 1
	N.completed = false                      // 1
	*spare = l.tail.At(l.node[i]).Swap(name) // 2
	C := l.of(*spare)
	C.request = f                                     // 3
	C.next.Store(name)                                // 3
	spin.Until(func() bool { return !C.wait.Load() }) // 4
	if !C.completed {                                 // 5
		l.central.Lock(i) // 6
		l.combine(C)
		l.central.Unlock(i) // 9
	}
	return C.result // 5, 9
}

// combine executes the requests from record P on.
func (l *HSynch) combine(P *hRecord) {
	for range l.h {
		T := P.next.Load() // 7
		if T == 0 {
			break
		}
		P.result = P.request() // 7
		P.completed = true     // 7
		P.wait.Store(false)    // 7
		P = l.of(T)
	}
	P.wait.Store(false) // 8
}
