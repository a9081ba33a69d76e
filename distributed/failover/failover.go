// Package failover has mutual exclusion algorithms that survive crashes by an election.
// The nodes elect a new coordinator in place of a dead one, or a node that replaces a lost
// token.
//
// Both kinds work in epochs, numbered upwards. A node begins an epoch when it is elected,
// or when it leads and hears of a loss. It holds a query: it asks all nodes whether they
// are in the critical section or have the token, and waits two ticks for nodes that may
// be dead. A node that answers promises to ignore earlier epochs. So all messages of an
// earlier epoch are void, and there are never two permissions as long as no live node is
// believed dead.
//
// A node that restarts has kept its epoch, so its promise holds, and it has kept the
// number of its elections. It reports the restart to all nodes, and the leader begins an
// epoch. The restarted node's earlier requests, permissions and forwarded messages are
// void. A node makes its requests again when a leader's query reaches it.
package failover

import (
	"fmt"
	"slices"

	"shmbench/distributed"
	"shmbench/distributed/election"
)

// leaderForms are the forms of the messages of the leader, and of the nodes that answer.
var leaderForms = distributed.Plain(distributed.Query, distributed.Report, distributed.Up)

// The timers of a node. They follow the timers of its elector.
const (
	timerWatch = distributed.TimerID(election.Timers + iota) // time to see whether the watched one lives
	timerQuery                                               // a node that has not reported is dead
	timerLink                                                // the next node of the ring has not acknowledged
)

const survives = "crashes of all nodes but one, and restarts"

// The specifications of this package, one for each election.
var (
	CentralBully        = Central(&election.Bully)
	CentralRing         = Central(&election.Ring)
	CentralChangRoberts = Central(&election.ChangRoberts)
	RingBully           = Ring(&election.Bully)
	RingRing            = Ring(&election.Ring)
	RingChangRoberts    = Ring(&election.ChangRoberts)
)

// leadership runs a node's elector, passes messages and timers of elections to
// it, and keeps the epoch.
type leadership struct {
	me      distributed.ID
	n       int
	elector distributed.Elector
	leader  distributed.ID
	term    int64 // of the leader
	epoch   int64 // the latest that this node has begun or promised to

	// while this node holds a query
	querying bool
	reported []bool
}

// epochs is the number of epochs that fit into one term.
const epochs = 1 << 20

func newLeadership(i distributed.ID, n int, elector distributed.Elector) leadership {
	leader, term := elector.Leader()
	return leadership{me: i, n: n, elector: elector, leader: leader, term: term, epoch: term * epochs, reported: make([]bool, n)}
}

// elected reports whether the elector has found a new leader.
func (l *leadership) elected() bool {
	leader, term := l.elector.Leader()
	if leader == distributed.None || term <= l.term {
		return false
	}
	l.leader, l.term = leader, term
	return true
}

// restart keeps the state that survives a crash, and tells all nodes that this
// node is up.
func (l *leadership) restart(out *distributed.Out) {
	l.leader, l.term = distributed.None, 0
	l.querying = false
	clear(l.reported)
	l.all(distributed.Message{Kind: distributed.Up}, out)
	l.elector.(distributed.Recoverer).Recover(out)
}

// Kept implements [distributed.Keeper].
func (l *leadership) Kept() []int64 { return []int64{l.epoch, l.elector.Elections()} }

// Restore implements [distributed.Keeper].
func (l *leadership) Restore(kept []int64) error {
	if len(kept) != 2 || kept[0] < 0 || kept[1] < 0 {
		return fmt.Errorf("%v is not an epoch and a number of elections", kept)
	}
	l.epoch = kept[0]
	l.elector.(interface{ Restore(elections int64) }).Restore(kept[1])
	return nil
}

// begin begins an epoch of this node and its query.
func (l *leadership) begin(out *distributed.Out) {
	l.epoch = max(l.epoch+1, l.term*epochs)
	l.querying = true
	clear(l.reported)
	l.reported[l.me] = true
	l.all(distributed.Message{Kind: distributed.Query, Stamp: l.epoch}, out)
	out.Set(timerQuery, 2)
}

// promise handles a query and reports whether the epoch of the query is new. A node
// that has promised a later epoch answers with that epoch, because the sender has
// restarted and does not know it.
func (l *leadership) promise(m distributed.Message, out *distributed.Out) bool {
	if m.Stamp <= l.epoch {
		if m.Stamp < l.epoch {
			l.to(m.From, distributed.Message{Kind: distributed.Report, Stamp: l.epoch}, out)
		}
		return false
	}
	l.leader, l.term = m.From, max(l.term, m.Stamp/epochs)
	l.epoch = m.Stamp
	l.end(out)
	return true
}

// outdated reports whether m is a report of a later epoch. Then this node does
// not lead.
func (l *leadership) outdated(m distributed.Message, out *distributed.Out) bool {
	if m.Stamp <= l.epoch || l.leader != l.me {
		return false
	}
	l.epoch, l.leader = m.Stamp, distributed.None
	l.end(out)
	return true
}

// report handles a report to the current query, and reports whether it was the
// last missing report.
func (l *leadership) report(m distributed.Message, out *distributed.Out) bool {
	l.reported[m.From] = true
	for _, r := range l.reported {
		if !r {
			return false
		}
	}
	l.end(out)
	return true
}

// end ends this node's query, if it holds one.
func (l *leadership) end(out *distributed.Out) {
	l.querying = false
	clear(l.reported)
	out.Cancel(timerQuery)
}

// all sends m to all others.
func (l *leadership) all(m distributed.Message, out *distributed.Out) {
	m.From = l.me
	out.Broadcast(m, l.n)
}

// Epoch implements [distributed.Epochal].
func (l *leadership) Epoch() int64 { return l.epoch }

func (l *leadership) to(j distributed.ID, m distributed.Message, out *distributed.Out) {
	m.From, m.To = l.me, j
	out.Send(m)
}

// spec completes a specification whose nodes get a new coordinator, or token, by
// election e. If first is true, the election also chooses the first one.
func spec(a distributed.Algorithm, e *election.Algorithm, first bool, node func(l leadership) distributed.Node) distributed.Algorithm {
	a.Name, a.Title, a.Source = a.Name+"-"+e.Name, a.Title+e.Title, a.Source+"; election: "+e.Source
	a.Claims = distributed.Claims{FIFO: true, Timely: true, DeadlockFree: true, StarvationFree: true, Survives: survives, Crash: true, Restart: true}
	a.Forms = slices.Concat(a.Forms, leaderForms, e.Forms)
	a.New = func(c distributed.Config) ([]distributed.Node, error) {
		if err := c.Check(); err != nil {
			return nil, err
		}
		if !e.Crash {
			return nil, fmt.Errorf("%s survives no crash: no failover rests on it", e.Name)
		}
		electors, err := e.New(election.Config{Nodes: c.Nodes, First: first})
		if err != nil {
			return nil, err
		}
		return c.Build(func(i distributed.ID) distributed.Node { return node(newLeadership(i, c.Nodes, electors[i])) })
	}
	return a
}
