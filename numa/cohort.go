package numa

import (
	"fmt"

	"shmbench/queue"
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

// Local is what a cohort lock needs of the lock of a node: that it can tell whether its
// holder is alone.
type Local interface {
	shm.Mutex
	// Alone reports, to the process i that holds the lock, whether no process waits for
	// it. It may say so though a process does; but if it says that a process waits,
	// a process does and goes on waiting.
	Alone(i int) bool
}

// Cohort makes cohort locks: the specification and the lock are made of those of the lock of a
// node and of the one between the nodes. The first has to be a Local; the second can
// be any, since it is a node that holds it, whichever of its processes acts for it.
type Cohort struct {
	Name, Title   string
	Global, Local func(shm.Layout, shm.Stores) shm.Algorithm
	Nodes         Nodes
	Batch         int // how many processes of a node in a row enter at most, 1 or more
	// Idle names the register of the local lock that a process alone does not touch;
	// empty if there is none.
	Idle string
	// Place is the line of the global lock with which a node takes its place in a queue,
	// behind that of the cohort lock; empty if there is no queue.
	Place string
}

// Batch is how many processes of a node in a row enter at most in the locks of the
// catalog: few, so that a check comes to the end of a batch in all ways. The authors
// measure with 64 and more.
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

// CohortMutex is a cohort lock: a process takes the lock of its node, and then, unless
// its predecessor there has left it behind, the lock between the nodes.
//
// Source: David Dice, Virendra J. Marathe and Nir Shavit, "Lock Cohorting: A General
// Technique for Designing NUMA Locks", ACM Transactions on Parallel Computing 1(2), 2015,
// article 13; first in PPoPP 2012, p. 247-256.
//
// Registers: those of the lock of each node, and of the one between the nodes, in which
// the nodes are the processes; passed[c] of each node c, how many of its processes have
// left the global lock to the next one of the node since it was taken, read and written
// by the holder of the node's lock.
//
// Properties: mutual exclusion, because a process that holds its node's lock finds passed other
// than 0 if, and only if, its node holds the global lock. Free from deadlock if both
// locks are, and from lockout if both are, because a node lets go of the global lock
// after batch processes, or when its holder is alone. Of a node whose holder waits for
// a global lock that serves the nodes in the order of arrival, batch * (nodes - 1)
// processes of others enter first at the most (the specification's Placed, where line 3 has its
// place); but until it has its place there, it
// can be passed any number of times, and with it all those that wait behind it.
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
// Released stores are those of the two locks: what each says of them holds, since the
// stores reach memory in the order of lines 7 and 8.
//
// Deviations: passed is the authors' count of hand-overs, and also tells whether the
// predecessor has left the global lock behind, which they keep in the local one. In a
// global MCS lock a node has one record, and not each thread a pool of them: a node is
// there at most once. If all processes are on one node there is no global lock; on a
// machine of one node the catalog's lock is the local lock itself.
type CohortMutex struct {
	_      shm.NoCopy
	batch  int
	way    []cohortWay // by process
	global shm.Mutex   // nil if there is one node
}

// cohortWay is the lock of a process's node, what is counted of the node, its number, and
// the process's own number there.
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

// Lock is the entry section of process i.
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

// Unlock is the exit section of process i.
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
