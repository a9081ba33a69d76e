// Package explore tries every order of events on a system of message-passing
// nodes: every interleaving of requests, releases and deliveries, and as many
// losses, duplications, crashes and partitions as a model allows. It decides
// mutual exclusion, deadlock and starvation (or, for elections, agreement) and
// shows a shortest sequence of events that breaks a property.
//
// Nodes are pure state machines, so each is learnt once as an automaton: what
// a local state does with an event is computed the first time and looked up
// after. The states explored are then short vectors of numbers.
package explore

import (
	"context"
	"errors"
	"fmt"

	"shmbench/distributed"
)

// A Model is what to explore.
type Model struct {
	Nodes   []distributed.Machine // all distributed.Node, or all distributed.Elector
	Threads int                   // threads a node; 1 for electors

	// Present[i] is how many of the threads node i begins with; nil: all. Moves is how
	// often a thread that rests may move to a node with room for one.
	Present []int
	Moves   int

	// Requests is how often each thread asks. Forever lets threads ask again and again.
	// Then the exploration ends only for algorithms with finitely many states. The states
	// of a distributed.Stamper that differ by a shift of its timestamps count as one.
	Requests int

	// Apart: node 0 makes no request, does not crash, and no partition separates it from
	// any node.
	Apart bool

	FIFO   bool // messages of a pair arrive in the order sent
	Timing Timing
	Faults Faults

	// HighestLeads requires that electors elect the highest live node. MaxElections is
	// how many elections they may begin before they agree; 0 is no limit.
	HighestLeads bool
	MaxElections int64

	// Invariants are held in every state. One that is broken ends nothing.
	Invariants []distributed.Invariant

	// GoOn makes two inside end nothing either: it is noted, and what else there is
	// to decide is decided.
	GoOn bool

	// Wins reports whether progress is required of a node while the network is cut; nil:
	// of all.
	Wins func(v *distributed.View, i distributed.ID) bool

	MaxStates int // give up beyond; 0 is DefaultMaxStates
}

// Forever as Model.Requests lets each thread ask again after each release.
const Forever = 0

// DefaultMaxStates is the limit on states where a model sets none.
const DefaultMaxStates = 4_000_000

// Timing says when timers may expire.
type Timing uint8

const (
	AnyTime Timing = iota // at any moment: no timeout is long enough
	Timely                // time passes only while no message is under way: every timeout is long enough
	Ticks                 // after their ticks, and a message takes up to one tick: a timeout is as long as it says
)

var timings = [...]string{"any", "timely", "ticks"}

func (t Timing) String() string { return timings[t] }

// MarshalText implements encoding.TextMarshaler.
func (t Timing) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// Faults is how many of each fault may happen in one run, at any moment.
type Faults struct {
	Lose       int  `json:"lose"`       // a message is lost
	Duplicate  int  `json:"duplicate"`  // a message arrives and stays under way
	Crash      int  `json:"crash"`      // a node crashes, between two events or two sends of one; what is under way to it is lost
	Recover    int  `json:"recover"`    // a crashed node that is a distributed.Recoverer restarts
	Hang       int  `json:"hang"`       // a thread that is inside never leaves
	Partition  int  `json:"partition"`  // the nodes fall into two parts; messages between are lost until they heal, if ever
	CutsLast   bool `json:"cuts_last"`  // partitions never heal
	Early      int  `json:"early"`      // a timer expires before its time
	Suspicions int  `json:"suspicions"` // an elector suspects a leader that is up; one that is down or cut off is always suspected eventually
}

// A Place is a thread of a node.
type Place struct {
	Node   distributed.ID
	Thread distributed.Thread
}

func (p Place) String() string { return fmt.Sprintf("thread %d of node %d", p.Thread, p.Node) }

// Property is what a violation breaks.
type Property string

const (
	MutualExclusion Property = "mutual exclusion" // at most one is inside
	Deadlock        Property = "deadlock freedom" // while one waits, one eventually enters
	Starvation      Property = "starvation freedom"
	Protocol        Property = "protocol"           // no grant to a thread that does not wait, no panic
	OneLeader       Property = "one leader a term"  // no term has two leaders
	Agreement       Property = "eventual agreement" // all that are up eventually follow one that is up, in each part of a cut
	HighestLeads    Property = "the highest leads"  // of those that are up
)

// A Violation is a broken property and how it comes about.
type Violation struct {
	Property Property `json:"property"`
	Text     string   `json:"text"`  // one line
	Trace    []Event  `json:"trace"` // a shortest sequence of events that leads there
	Loop     int      `json:"loop"`  // for a run without end: the index in Trace from where it repeats; else -1
}

// Steps returns the length of v's trace, a loop not counted.
func (v *Violation) Steps() int {
	if v.Loop >= 0 {
		return v.Loop
	}
	return len(v.Trace)
}

// A Result is what Explore found.
type Result struct {
	States     int         `json:"states"`
	Steps      int         `json:"steps"`
	Depth      int         `json:"depth"`      // steps of the longest shortest path
	Complete   bool        `json:"complete"`   // every state was visited; if not, absence of a violation is no proof
	Violations []Violation `json:"violations"` // at most one a property, invariants last

	// NotCarriedOut are the requested faults that no state makes possible, by their names
	// in Faults; of a complete exploration.
	NotCarriedOut []string `json:"not_carried_out,omitempty"`
}

// Holds reports whether the exploration was complete and found nothing.
func (r *Result) Holds() bool { return r.Complete && len(r.Violations) == 0 }

// Broken returns the violation of property p, or nil.
func (r *Result) Broken(p Property) *Violation {
	for i := range r.Violations {
		if r.Violations[i].Property == p {
			return &r.Violations[i]
		}
	}
	return nil
}

// Nodes turns an algorithm's nodes into a model's.
func Nodes[N distributed.Machine](nodes []N) []distributed.Machine {
	ms := make([]distributed.Machine, len(nodes))
	for i, n := range nodes {
		ms[i] = n
	}
	return ms
}

// limits of the compact form
const (
	MaxNodes  = 6 // of a Model
	maxPlaces = 12
	maxTimers = 16
)

func (m *Model) check() error {
	n := len(m.Nodes)
	switch {
	case n < 2 || n > MaxNodes:
		return fmt.Errorf("%d nodes: the explorer takes 2 to %d", n, MaxNodes)
	case m.Threads < 1 || n*m.Threads > maxPlaces:
		return fmt.Errorf("%d threads on each of %d nodes: the explorer takes 1 to %d threads in all", m.Threads, n, maxPlaces)
	case m.Present != nil && len(m.Present) != n:
		return fmt.Errorf("numbers of threads of %d nodes, for %d nodes", len(m.Present), n)
	case m.Moves < 0 || m.Moves > 255:
		return fmt.Errorf("%d moves: 0 to 255", m.Moves)
	case m.Requests < 0 || m.Requests > 255:
		return fmt.Errorf("%d requests a thread: at least 1, at most 255, or 0 forever", m.Requests)
	}
	for _, f := range []int{m.Faults.Lose, m.Faults.Duplicate, m.Faults.Crash, m.Faults.Recover, m.Faults.Partition, m.Faults.Hang, m.Faults.Suspicions, m.Faults.Early} {
		if f < 0 || f > 255 {
			return fmt.Errorf("%d faults of one sort: 0 to 255", f)
		}
	}
	return nil
}

// Explore visits the states of m breadth first. It stops at the first broken
// safety property; if there is none it decides the liveness properties on the
// whole graph. Invariants are held in all states that it visits. When ctx ends it returns what it has, incomplete. A node
// that recurses without end ends the program, unless it is guarded: see WithGuard.
func Explore(ctx context.Context, m Model) (*Result, error) {
	if err := m.check(); err != nil {
		return nil, err
	}
	if m.MaxStates == 0 {
		m.MaxStates = DefaultMaxStates
	}
	g := newGraph(&m)
	if m.Faults.Recover > 0 && !g.recovers {
		return nil, errors.New("no node can restart: the algorithm has no rule for it")
	}
	g.table.guard, _ = ctx.Value(guardKey{}).(func() bool)
	r := &Result{Violations: []Violation{}}
	bad := g.search(ctx, r)
	r.States, r.Steps = len(g.keys), len(g.edges)
	r.Depth = g.depth
	if g.overlap != nil {
		r.Violations = append(r.Violations, *g.overlap)
	}
	switch {
	case bad != nil:
		r.Violations = append(r.Violations, *bad)
	case r.Complete:
		if err := g.classify(); err != nil {
			return nil, err
		}
		r.Violations = append(r.Violations, g.liveness()...)
	}
	r.Violations = append(r.Violations, g.brokenInvariants()...)
	if r.Complete {
		r.NotCarriedOut = g.notCarriedOut()
	}
	return r, nil
}
