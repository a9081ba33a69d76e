// Package election has algorithms by which the nodes that are up agree on one
// leader. All terms are a counter and a node, term = counter·n + leader, so
// that of two leaders of the same counter the greater node's term is the later
// one: a term has one leader by construction, and a leader of old is known by
// its term.
package election

import (
	"fmt"
	"slices"

	"shmbench/distributed"
)

// An Algorithm is the machine-readable card of an election.
type Algorithm struct {
	Name     string
	Title    string
	Source   string // author, title, venue, year, page
	FIFO     bool   // rests on each pair's messages arriving in order
	Survives string // which faults its claim survives: all up follow one leader that is up
	Messages string // textbook number of messages an election

	// New builds n nodes that all follow node n−1 in term n−1.
	New func(n int) ([]distributed.Elector, error)
}

// All is the explicit list, in the order in which tables show it.
var All = []*Algorithm{&Bully, &Ring, &ChangRoberts}

// Timers is how many timers an elector of this package may use: 0..Timers-1.
const Timers = 2

const (
	timerAnswer   distributed.TimerID = iota // nobody has answered, or acknowledged
	timerElection                            // no leader has come out of it
)

const survives = "crashes, if messages take at most a tick and the failure detector finds every dead leader"

// view is what every elector knows: the latest leader, and the counter of the
// latest election that it has heard of.
type view struct {
	me      distributed.ID
	n       int
	leader  distributed.ID
	term    int64
	counter int64
}

func newView(i, n int) view {
	return view{me: distributed.ID(i), n: n, leader: distributed.ID(n - 1), term: int64(n - 1)}
}

func (v *view) Start(*distributed.Out) {}

func (v *view) Leader() (distributed.ID, int64) { return v.leader, v.term }

func (v *view) Elections() int64 { return v.counter }

// hear notes the counter of an election or a term.
func (v *view) hear(counter int64) { v.counter = max(v.counter, counter) }

// termOf is the term of a leader elected in election counter.
func (v *view) termOf(counter int64, leader distributed.ID) int64 {
	return counter*int64(v.n) + int64(leader)
}

// latest is the latest term that this node knows of, or the first of the latest
// election.
func (v *view) latest() int64 { return max(v.term, v.termOf(v.counter, 0)) }

// follow takes leader for the leader of term, unless a later one is known, and
// reports whether it did.
func (v *view) follow(leader distributed.ID, term int64) bool {
	v.hear(term / int64(v.n))
	if term <= v.term {
		return false
	}
	v.leader, v.term = leader, term
	return true
}

func (v *view) appendState(b []byte) []byte {
	return distributed.AppendInts(b, int64(v.leader), v.term, v.counter)
}

func (v *view) String() string {
	return fmt.Sprintf("leader=%d term=%d counter=%d", v.leader, v.term, v.counter)
}

func build[N distributed.Elector](n int, node func(i int) N) ([]distributed.Elector, error) {
	if n < 2 || n > distributed.MaxNodes {
		return nil, fmt.Errorf("%d nodes: an election wants 2 to %d", n, distributed.MaxNodes)
	}
	nodes := make([]distributed.Elector, n)
	for i := range nodes {
		nodes[i] = node(i)
	}
	return nodes, nil
}

// Find returns the election of the given name, or an error that lists the
// names there are.
func Find(name string) (*Algorithm, error) {
	at := slices.IndexFunc(All, func(a *Algorithm) bool { return a.Name == name })
	if at < 0 {
		return nil, fmt.Errorf("no election %q; there are bully, ring and chang-roberts", name)
	}
	return All[at], nil
}
