// Package failover has mutual exclusion that survives crashes by electing: a
// new coordinator for the dead one, or a node that makes a new token for the
// lost one.
//
// Both work in reigns, numbered upwards. A node that begins one, because it
// was elected or because it leads and was told of a loss, holds an inquest: it
// asks all who is inside or has the token, and waits two ticks for those who
// may be dead. Whoever answers promises to heed no earlier reign. So what an
// earlier reign still had under way is void, and nothing is given out twice
// as long as nobody alive is taken for dead.
package failover

import (
	"shmbench/distributed"
	"shmbench/distributed/election"
)

// Timers of a node; its elector has those before.
const (
	timerWatch   = distributed.TimerID(election.Timers + iota) // time to see whether the watched one lives
	timerInquest                                               // whoever has not reported is dead
	timerLink                                                  // the next node of the ring has not acknowledged
)

const survives = "crashes of all nodes but one"

// The cards, each election put to use.
var (
	CentralBully        = Central(&election.Bully)
	CentralRing         = Central(&election.Ring)
	CentralChangRoberts = Central(&election.ChangRoberts)
	RingBully           = Ring(&election.Bully)
	RingRing            = Ring(&election.Ring)
	RingChangRoberts    = Ring(&election.ChangRoberts)
)

// leads runs a node's elector, which the messages and timers of elections go
// to, and keeps the reign.
type leads struct {
	me      distributed.ID
	n       int
	elector distributed.Elector
	leader  distributed.ID
	term    int64 // of the leader
	reign   int64 // the latest that this node has begun or promised to

	// while this node holds an inquest
	inquest  bool
	reported []bool
}

// reigns is how many reigns one term has room for.
const reigns = 1 << 20

func newLeads(i int, electors []distributed.Elector) leads {
	leader, term := electors[i].Leader()
	n := len(electors)
	return leads{me: distributed.ID(i), n: n, elector: electors[i], leader: leader, term: term, reign: term * reigns, reported: make([]bool, n)}
}

// elected reports whether the elector has come up with a new leader.
func (l *leads) elected() bool {
	leader, term := l.elector.Leader()
	if term <= l.term {
		return false
	}
	l.leader, l.term = leader, term
	return true
}

// begin begins a reign of this node and its inquest.
func (l *leads) begin(out *distributed.Out) {
	l.reign = max(l.reign+1, l.term*reigns)
	l.inquest = true
	clear(l.reported)
	l.reported[l.me] = true
	l.all(distributed.Message{Kind: distributed.Inquest, Stamp: l.reign}, out)
	out.Set(timerInquest, 2)
}

// promise takes an inquest; it reports whether its reign is a new one.
func (l *leads) promise(m distributed.Message, out *distributed.Out) bool {
	if m.Stamp <= l.reign {
		return false
	}
	l.leader, l.term = m.From, max(l.term, m.Stamp/reigns)
	l.reign = m.Stamp
	l.end(out)
	return true
}

// report takes a report to the current inquest; it reports whether that was
// the last one missing.
func (l *leads) report(m distributed.Message, out *distributed.Out) bool {
	l.reported[m.From] = true
	for _, r := range l.reported {
		if !r {
			return false
		}
	}
	l.end(out)
	return true
}

// end ends this node's inquest, if it holds one.
func (l *leads) end(out *distributed.Out) {
	l.inquest = false
	clear(l.reported)
	out.Cancel(timerInquest)
}

// all sends m to all others.
func (l *leads) all(m distributed.Message, out *distributed.Out) {
	for j := range distributed.ID(l.n) {
		if j != l.me {
			m.From, m.To = l.me, j
			out.Send(m)
		}
	}
}

func (l *leads) to(j distributed.ID, m distributed.Message, out *distributed.Out) {
	m.From, m.To = l.me, j
	out.Send(m)
}

func (l *leads) clone() leads {
	c := *l
	c.elector = l.elector.Clone().(distributed.Elector)
	c.reported = append([]bool(nil), l.reported...)
	return c
}

func (l *leads) appendState(b []byte) []byte {
	b = l.elector.AppendState(b)
	b = distributed.AppendInts(b, int64(l.leader), l.term, l.reign)
	b = distributed.AppendBools(b, l.inquest)
	return distributed.AppendBools(b, l.reported...)
}

// card is what both algorithms' cards share.
func card(name, title, source string, e *election.Algorithm, node func(i, threads int, electors []distributed.Elector) distributed.Node) distributed.Algorithm {
	return distributed.Algorithm{
		Name: name, Title: title, Source: source + "; election: " + e.Source,
		Claims: distributed.Claims{FIFO: true, Timely: true, DeadlockFree: true, StarvationFree: true, Survives: survives},
		New: func(c distributed.Config) ([]distributed.Node, error) {
			if err := c.Check(); err != nil {
				return nil, err
			}
			electors, err := e.New(c.Nodes)
			if err != nil {
				return nil, err
			}
			nodes := make([]distributed.Node, c.Nodes)
			for i := range nodes {
				nodes[i] = node(i, c.Threads, electors)
			}
			return nodes, nil
		},
	}
}
