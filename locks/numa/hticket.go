package numa

import (
	"fmt"
	"slices"

	"shmbench/locks/queue"
	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
)

var everything = shm.Source{
	Author: "Tudor David, Rachid Guerraoui and Vasileios Trigonakis",
	Title:  "Everything You Always Wanted to Know About Synchronization but Were Afraid to Ask",
	Venue:  "24th ACM Symposium on Operating Systems Principles",
	Year:   2013,
	Page:   "33-48",
}

// HTicket makes the hierarchical ticket lock for processes on some nodes. At most Batch
// handoffs in a row stay on one node.
type HTicket struct {
	Nodes Nodes
	Batch int
}

// Spec returns the specification of the lock for a layout of its registers and for its stores.
func (h HTicket) Spec(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return h.Nodes.orPlain(shm.Algorithm{
		Name:     "numa/hticket",
		Title:    "HTicket, hierarchical ticket lock",
		Source:   everything,
		Class:    shm.FetchAndAdd | shm.CompareAndSwap,
		MinProcs: 1,
		MaxProcs: shm.MaxProcs,
		Claims: shm.Claims{
			DeadlockFree: true,
			Doorway:      "1",
			Place:        "7",
			Placed:       h.Nodes.others(h.Batch + 1),
		},
		Space: shm.Space{
			{Name: "request", Count: shm.Const(1)},
			{Name: "grant", Count: shm.Const(1)},
			{Name: "lrequest", Count: h.nodes(), Values: shm.Formula{Text: "batch + 1 + the most processes of a node, 3 if that is one", At: func(n int) int {
				if h.Nodes.shared(n) == 0 {
					return 3
				}
				_, size := h.Nodes.places(n)
				return h.Batch + 1 + slices.Max(size)
			}}},
			{Name: "lgrant", Count: h.nodes(), Values: shm.Formula{Text: "batch + 2, 2 if each process has a node of its own", At: func(n int) int {
				if h.Nodes.shared(n) == 0 {
					return 2
				}
				return h.Batch + 2
			}}},
		},
		Layout: layout,
		Stores: stores,
		New:    func(n int) (shm.Mutex, error) { return h.New(n, layout, stores) },
	}, queue.Ticket)
}

func (h HTicket) nodes() shm.Formula { return shm.Formula{Text: "nodes", At: h.Nodes.count} }

// HTicketMutex is the hierarchical ticket lock. Each node has a ticket lock whose tickets
// count down to 0, which is one batch. Between the nodes there is a ticket lock in which the
// first process of each batch takes a ticket.
//
// Source: Tudor David, Rachid Guerraoui and Vasileios Trigonakis, "Everything You Always
// Wanted to Know About Synchronization but Were Afraid to Ask", SOSP 2013, p. 33-48. The
// program that was read is src/htlockepfl.c of multicore-locks/litl, a copy of theirs.
//
// Registers: request and grant, tickets of nodes, as in the ticket lock. Each node has
// lrequest, the last ticket that a process took there, changed by its processes. It also has
// lgrant: the ticket that is served, or open if no batch is active. The process that starts a
// batch and the exit sections write lgrant.
//
// Properties: mutual exclusion, because a node has one batch at a time. A process that finds
// no ticket left (t = -1) waits until the last process of the batch has opened the node on
// line 11. Only then does it start the next batch on lines 5 and 6, whose turn comes after
// line 12. The lock is deadlock-free. A process that arrives still later waits for that batch
// and tries again on line 2. These tries have no order, so a process can starve because of
// others on its node.
//
// The doorway is line 1. There is no bound on the processes that enter after it. The reason
// is that the first process of the batch may be slow to take the ticket of the node on line
// 7. From then on a process waits for one batch of each other node.
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
//
// Released stores: lines 5 and 6, which line 7 takes to memory; lines 11, 12 and 13, which no
// access of the critical section can follow. If other processes see them late, they only wait
// longer.
//
// Deviations: in the program open is B, and there is no line 5. Then the node looks open while
// the process that starts a batch is in its critical section. On a node with B + 2 processes
// or more, a process that finds all tickets taken meanwhile starts a second batch
// (knownbroken/hticket-batch). The program's B is 128. On line 2 it pauses, longer for a
// smaller t, where this lock waits. It also pauses between two reads on lines 3, 4 and 8.
type HTicketMutex struct {
	_              shm.NoCopy
	released       bool
	batch          int32
	request, grant *register.Uint32
	node           []int // by process
	local          shm.Array[hticketNode]
}

// hticketOpen is lgrant of a node that has no batch. It is no ticket.
const hticketOpen = -1

type hticketNode struct{ lrequest, lgrant register.Int32 }

// New returns the lock for n processes, or a *shm.ProcsError.
func (h HTicket) New(n int, layout shm.Layout, stores shm.Stores) (*HTicketMutex, error) {
	if err := shm.CheckProcs("numa/hticket", n, 1, shm.MaxProcs); err != nil {
		return nil, err
	}
	if h.Batch < 1 {
		return nil, fmt.Errorf("numa/hticket: a batch of %d: it must be at least 1", h.Batch)
	}
	places, size := h.Nodes.places(n)
	r := shm.NewArray[register.Uint32](2, layout)
	l := &HTicketMutex{
		released: stores == shm.Released,
		batch:    int32(h.Batch),
		request:  r.At(0),
		grant:    r.At(1),
		local:    shm.NewArray[hticketNode](len(size), layout),
	}
	for _, at := range places {
		l.node = append(l.node, at.node)
	}
	for node := range size {
		l.local.At(node).lgrant.Store(hticketOpen)
	}
	return l, nil
}

// Lock acquires the lock for process i.
func (l *HTicketMutex) Lock(i int) {
	node := l.local.At(l.node[i])
	t := node.lrequest.Add(-1) // 1
	for t < -1 {
		spin.Until(func() bool { return node.lrequest.Load() >= 0 }) // 2
		t = node.lrequest.Add(-1)                                    // 1
	}
	if t >= 0 {
		spin.Until(func() bool { return node.lgrant.Load() == t }) // 3
		return
	}
	spin.Until(func() bool { return node.lgrant.Load() == hticketOpen }) // 4
	node.lgrant.StoreReleaseIf(l.released, l.batch)                      // 5
	node.lrequest.StoreReleaseIf(l.released, l.batch)                    // 6
	g := l.request.Add(1) - 1                                            // 7
	spin.Until(func() bool { return l.grant.Load() == g })               // 8
}

// Unlock releases the lock for process i.
func (l *HTicketMutex) Unlock(i int) {
	node := l.local.At(l.node[i])
	k := node.lgrant.Load()                           // 9
	if node.lrequest.CompareAndSwap(k, 0) || k == 0 { // 10
		node.lgrant.StoreReleaseIf(l.released, hticketOpen)  // 11
		l.grant.StoreReleaseIf(l.released, l.grant.Load()+1) // 12
		return
	}
	node.lgrant.StoreReleaseIf(l.released, k-1) // 13
}
