package numa

import (
	"fmt"

	"shmbench/locks/queue"
	"shmbench/shm"
	"shmbench/tas"
)

var cohorting = shm.Source{
	Author: "David Dice, Virendra J. Marathe and Nir Shavit",
	Title:  "Lock Cohorting: A General Technique for Designing NUMA Locks",
	Venue:  "ACM Transactions on Parallel Computing 1(2)",
	Year:   2015,
	Page:   "article 13",
}

// Local is the lock of a node in a cohort lock. It can tell whether its holder is alone.
type Local interface {
	shm.Mutex
	// Alone reports, to the process i that holds the lock, whether no other process waits for it.
	// It may return true while a process waits. If it returns false, a process waits, and goes on
	// waiting.
	Alone(i int) bool
}

// Cohort makes cohort locks. It derives the specification and the lock from those of a lock
// for each node and of a lock between the nodes. The first must be a Local. The second can be
// any lock: a node holds it, and any process of the node can act for the node.
type Cohort struct {
	Name, Title   string
	Global, Local func(shm.Layout, shm.Stores) shm.Algorithm
	Nodes         Nodes
	Batch         int // how many processes of a node in a row enter at most, 1 or more
	// Idle names the register of the local lock that a process without competitors does not
	// access. It is empty if there is none.
	Idle string
	// Place is the line of the global lock at which a node takes its place in a queue, after that
	// line of the cohort lock. It is empty if there is no queue.
	Place string
}

// Batch is the most processes of a node that enter in a row in the locks of the catalog. It is
// small, so that a check reaches the end of a batch in all ways. The authors measure with 64
// and more.
const Batch = 4

// CBOMCS is C-BO-MCS: MCS on each node, and between the nodes test-and-test-and-set with
// backoff.
func CBOMCS(nodes Nodes, batch int) Cohort {
	backoff := func(_ shm.Layout, stores shm.Stores) shm.Algorithm { return tas.Backoff(stores) }
	return Cohort{"numa/cbomcs", "Cohort lock C-BO-MCS", backoff, queue.MCS, nodes, batch, "locked", ""}
}

// CTKTTKT is C-TKT-TKT: ticket locks on each node and between the nodes.
func CTKTTKT(nodes Nodes, batch int) Cohort {
	return Cohort{"numa/ctkttkt", "Cohort lock C-TKT-TKT", queue.Ticket, queue.Ticket, nodes, batch, "", "3/1"}
}

// CMCSMCS is C-MCS-MCS: MCS on each node and between the nodes.
func CMCSMCS(nodes Nodes, batch int) Cohort {
	return Cohort{"numa/cmcsmcs", "Cohort lock C-MCS-MCS", queue.MCS, queue.MCS, nodes, batch, "locked", "3/2"}
}

// CohortMutex is a cohort lock. A process acquires the lock of its node. Then it acquires the
// lock between the nodes, unless its predecessor on the node has kept that lock for it.
//
// Source: David Dice, Virendra J. Marathe and Nir Shavit, "Lock Cohorting: A General
// Technique for Designing NUMA Locks", ACM Transactions on Parallel Computing 1(2), 2015,
// article 13; first in PPoPP 2012, p. 247-256.
//
// Registers: those of the lock of each node, and those of the lock between the nodes, whose
// processes are the nodes. For each node c, passed[c] counts the processes in a row that have
// handed over the global lock within the node. The holder of the node's lock reads and writes
// it.
//
// Properties: mutual exclusion, because passed of a node tells the holder of the node's lock
// whether the node holds the global lock. To this holder, passed differs from 0 if and only if
// the node holds the global lock. The lock is deadlock-free if both locks are, and
// starvation-free if both are. The reason is that a node releases the global lock after batch
// processes, or when its holder is alone. Let the global lock be first-come-first-served, and
// let the node of a process wait for it. Then at most batch * (nodes - 1) processes of other
// nodes enter before this process (Placed in the specification, from line 3 on). Before the node
// has its place, the process and all that wait behind it can be passed any number of times.
//
// The doorway is that of the lock of the node.
//
//	entry section of process i of node c:
//	1  enter the local lock of c
//	2  if passed[c] = 0 then
//	3      enter the global lock as c
//	exit section:
//	4  if passed[c] + 1 < batch then if i is not alone in the local lock then
//	5      passed[c] := passed[c] + 1, goto 8
//	6  passed[c] := 0
//	7  leave the global lock as c
//	8  leave the local lock of c
//
// Line 7 comes before line 8: the next process of the node may need the place of the
// node in the global lock at once.
//
// Released stores are those of the two locks, for the reasons given there, since stores reach
// memory in the order of lines 7 and 8.
//
// Deviations: passed is the authors' count of handoffs. It also tells whether the predecessor
// has kept the global lock, which the authors store in the local lock. In a global MCS lock a
// node has one queue node, and not a pool for each thread. The reason is that a node is in
// the queue at most once. If all processes are on one node, there is no global lock. On a
// machine of one node the lock of the catalog is the local lock itself.
type CohortMutex struct {
	_      shm.NoCopy
	batch  int
	way    []cohortWay // by process
	global shm.Mutex   // nil if there is one node
}

// cohortWay is, for one process, the lock of its node, the count of the node, the number of
// the node, and the number of the process on the node.
type cohortWay struct {
	local Local
	*cohortNode
	place
}

type cohortNode struct{ passed int }

// New returns the lock for n processes, or a *shm.ProcsError.
func (c Cohort) New(n int, layout shm.Layout, stores shm.Stores) (*CohortMutex, error) {
	if err := shm.CheckProcs(c.Name, n, 1, shm.MaxProcs); err != nil {
		return nil, err
	}
	places, size := c.Nodes.places(n)
	l := &CohortMutex{batch: c.Batch, way: make([]cohortWay, n)}
	locals := make([]Local, len(size))
	for node, processes := range size {
		m, err := c.Local(layout, stores).New(processes)
		if err != nil {
			return nil, err
		}
		local, ok := m.(Local)
		if !ok {
			return nil, fmt.Errorf("%s: the lock of a node cannot tell whether its holder is alone", c.Name)
		}
		locals[node] = local
	}
	nodes := shm.NewArray[cohortNode](len(size), shm.Padded)
	for i, at := range places {
		l.way[i] = cohortWay{locals[at.node], nodes.At(at.node), at}
	}
	if len(size) > 1 {
		global, err := c.Global(layout, stores).New(len(size))
		if err != nil {
			return nil, err
		}
		l.global = global
	}
	return l, nil
}

// Lock acquires the lock for process i.
func (l *CohortMutex) Lock(i int) {
	c := &l.way[i]
	c.local.Lock(c.rank) // 1
	if l.global == nil {
		return
	}
	if c.passed == 0 { // 2
		l.global.Lock(c.node) // 3
	}
}

// Unlock releases the lock for process i.
func (l *CohortMutex) Unlock(i int) {
	c := &l.way[i]
	if l.global != nil {
		if c.passed+1 < l.batch && !c.local.Alone(c.rank) { // 4
			c.passed++ // 5
		} else {
			c.passed = 0            // 6
			l.global.Unlock(c.node) // 7
		}
	}
	c.local.Unlock(c.rank) // 8
}
