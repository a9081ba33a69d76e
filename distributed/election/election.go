// Package election has algorithms by which the nodes that are up agree on one leader.
//
// A term is a counter and a node: term = counter·n + leader. So each term has one leader by
// construction. If two leaders have the same counter, the greater node has the later term. A
// node knows an earlier leader by its term.
package election

import (
	"fmt"

	"shmbench/distributed"
)

// An Algorithm is the machine-readable specification of an election algorithm.
type Algorithm struct {
	Name     string
	Title    string
	Source   string // author, title, venue, year, page
	FIFO     bool   // relies on each pair's messages arriving in order
	Ring     bool   // uses Config.Ring
	Picks    bool   // uses Config.Lowest
	Survives string // the faults under which its claim holds: all nodes that are up follow one leader that is up
	Crash    bool   // these faults include crashes and permanent cuts
	Messages string // textbook number of messages an election
	Cases    []Case // the same numbers as cases, to compare with measurements

	// Candidate returns the candidate of an Election message. If it is nil, the
	// candidate is the message's Who.
	Candidate func(m distributed.Message) distributed.ID

	// Forms lists the forms of the nodes' messages, in an election that survives
	// crashes.
	Forms distributed.Forms

	// New builds the nodes of c.
	New func(c Config) ([]distributed.Elector, error)
}

// A Config describes the nodes of an election.
type Config struct {
	Nodes int // n, at least 2

	// First says that no node leads before the election. Otherwise all nodes
	// follow node n−1 in term n−1, or node 0 in term 0 if Lowest is set.
	First bool

	// Ring lists the nodes in the order in which messages go round. Nil means 0 to
	// n−1.
	Ring []distributed.ID

	// Lowest elects the lowest node instead of the highest.
	Lowest bool
}

func (c Config) check() error {
	if c.Nodes < 2 || c.Nodes > distributed.MaxNodes {
		return fmt.Errorf("%d nodes: an election wants 2 to %d", c.Nodes, distributed.MaxNodes)
	}
	if c.Ring == nil {
		return nil
	}
	if len(c.Ring) != c.Nodes {
		return fmt.Errorf("a ring of %d for %d nodes", len(c.Ring), c.Nodes)
	}
	seen := make([]bool, c.Nodes)
	for _, i := range c.Ring {
		if i < 0 || int(i) >= c.Nodes || seen[i] {
			return fmt.Errorf("the ring %v: each of 0..%d is on it once", c.Ring, c.Nodes-1)
		}
		seen[i] = true
	}
	return nil
}

// neighbors returns, for each node, the next node on the ring and the node before
// it. It returns nil slices if c is not valid.
func (c Config) neighbors() (next, before []distributed.ID) {
	if c.check() != nil {
		return nil, nil
	}
	next, before = make([]distributed.ID, c.Nodes), make([]distributed.ID, c.Nodes)
	for k := range c.Nodes {
		i, j := distributed.ID(k), distributed.ID((k+1)%c.Nodes)
		if c.Ring != nil {
			i, j = c.Ring[i], c.Ring[j]
		}
		next[i], before[j] = j, i
	}
	return next, before
}

// All lists the election algorithms in the order in which tables show them.
var All = []*Algorithm{&Bully, &Ring, &ChangRoberts, &HirschbergSinclair, &Peterson}

// Timers is the number of timers that an elector of this package may use:
// 0..Timers-1.
const Timers = 3

const (
	timerAnswer   distributed.TimerID = iota // no node has answered, or acknowledged
	timerElection                            // no leader has come out of it
	timerJoin                                // all that are up have welcomed this node
)

const survives = "crashes and restarts, if messages take at most a tick and the failure detector finds every dead leader"

// view is the state of every elector: the latest leader, and the counter of the
// latest election that the node has heard of.
type view struct {
	me      distributed.ID
	n       int
	leader  distributed.ID
	term    int64
	counter int64
}

func newView(i int, c Config) view {
	v := view{me: distributed.ID(i), n: c.Nodes, leader: distributed.ID(c.Nodes - 1)}
	switch {
	case c.First:
		v.leader = distributed.None
		return v
	case c.Lowest:
		v.leader = 0
	}
	v.term = int64(v.leader)
	return v
}

func (v *view) Start(*distributed.Out) {}

func (v *view) Leader() (distributed.ID, int64) { return v.leader, v.term }

func (v *view) Elections() int64 { return v.counter }

// Restore sets the number of elections that a node has kept over a crash.
func (v *view) Restore(elections int64) { v.counter = elections }

// hear notes the counter of an election or a term.
func (v *view) hear(counter int64) { v.counter = max(v.counter, counter) }

// termOf returns the term of a leader elected in election counter.
func (v *view) termOf(counter int64, leader distributed.ID) int64 {
	return counter*int64(v.n) + int64(leader)
}

// latest returns the latest term that this node knows of, or the first term of
// the latest election.
func (v *view) latest() int64 { return max(v.term, v.termOf(v.counter, 0)) }

// follow makes leader the leader of term, unless the node knows a later term. It
// reports whether it did so.
func (v *view) follow(leader distributed.ID, term int64) bool {
	v.hear(term / int64(v.n))
	if term <= v.term {
		return false
	}
	v.leader, v.term = leader, term
	return true
}

func (v *view) String() string {
	return fmt.Sprintf("leader=%d term=%d counter=%d", v.leader, v.term, v.counter)
}

func build[N distributed.Elector](c Config, node func(i int) N) ([]distributed.Elector, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	nodes := make([]distributed.Elector, c.Nodes)
	for i := range nodes {
		nodes[i] = node(i)
	}
	return nodes, nil
}
