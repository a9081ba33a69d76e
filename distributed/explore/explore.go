// Package explore tries every order of events on a system of message-passing
// nodes. It covers every interleaving of requests, releases and deliveries, and
// as many losses, duplications, crashes and partitions as a model allows. It
// decides mutual exclusion, deadlock freedom and starvation freedom, or agreement
// for elections. For a broken property it shows a shortest sequence of events.
//
// Nodes are pure state machines, so the package learns each node as an automaton.
// It computes the effect of an event on a local state the first time, and looks
// it up afterwards. The explored states are then short vectors of numbers.
package explore

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"shmbench/distributed"
)

// A Model is a system to explore and the properties to decide.
type Model struct {
	Nodes   []distributed.Machine // all distributed.Node, or all distributed.Elector
	Threads int                   // threads per node; 1 for electors

	// Present[i] is the number of threads that node i begins with; nil means all.
	// Moves is how often a resting thread may move to a node with room for it.
	Present []int
	Moves   int

	// Requests is how often each thread makes a request. Forever lets threads request
	// again and again. Then the exploration ends only for algorithms with finitely many
	// states. Two states of a distributed.Stamper that differ by a shift of its
	// timestamps count as one.
	Requests int

	// Apart says that node 0 makes no request and does not crash, and that no partition
	// separates it from any node.
	Apart bool

	FIFO   bool // messages of a pair arrive in the order of sending
	Timing Timing
	Faults Faults

	// HighestLeads requires that electors elect the highest live node. MaxElections is
	// how many elections they may begin before they agree; 0 is no limit.
	HighestLeads bool
	MaxElections int64

	// Invariants are checked in every state. A broken invariant does not end the
	// exploration.
	Invariants []distributed.Invariant

	// GoOn continues the exploration when two threads are in the critical section.
	// The result notes the violation, and the exploration decides the remaining
	// properties too.
	GoOn bool

	// Wins reports whether node i must make progress while the network is cut. Nil means
	// that every node must.
	Wins func(v *distributed.View, i distributed.ID) bool

	MaxStates int // states after which the exploration gives up; 0 means DefaultMaxStates
}

// Forever, as Model.Requests, lets each thread request again after each release.
const Forever = 0

// DefaultMaxStates is the limit on states if Model.MaxStates is 0.
const DefaultMaxStates = 4_000_000

// Timing says when timers may expire.
type Timing uint8

const (
	AnyTime Timing = iota // at any moment: no timeout is long enough to rely on
	Timely                // time passes only while no message is under way: every timeout is long enough
	Ticks                 // after their ticks; a message takes at most one tick, so timeouts are exact
)

var timings = [...]string{"any", "timely", "ticks"}

func (t Timing) String() string { return timings[t] }

// MarshalText implements encoding.TextMarshaler.
func (t Timing) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (t *Timing) UnmarshalText(name []byte) error {
	i := slices.Index(timings[:], string(name))
	if i < 0 {
		return errors.New("it is any, timely or ticks")
	}
	*t = Timing(i)
	return nil
}

// Faults limits how many faults of each kind may happen in one run, at any
// moment.
type Faults struct {
	Lose       int  `json:"lose"`       // a message is lost
	Duplicate  int  `json:"duplicate"`  // a message arrives and stays under way
	Crash      int  `json:"crash"`      // a node crashes, between two events or between two sends of one event; messages under way to it are lost
	Recover    int  `json:"recover"`    // a crashed node that is a distributed.Recoverer restarts
	Hang       int  `json:"hang"`       // a thread never leaves its critical section
	Partition  int  `json:"partition"`  // the nodes fall into two parts; messages between the parts are lost until the partition heals, if it does
	CutsLast   bool `json:"cuts_last"`  // partitions never heal
	Early      int  `json:"early"`      // a timer expires before its time
	Suspicions int  `json:"suspicions"` // an elector suspects a leader that is up; it always suspects a leader that is down or cut off eventually
}

// A Place is a thread of a node.
type Place struct {
	Node   distributed.ID
	Thread distributed.Thread
}

func (p Place) String() string { return fmt.Sprintf("thread %d of node %d", p.Thread, p.Node) }

// A Property is a property that a violation breaks.
type Property string

const (
	MutualExclusion Property = "mutual exclusion" // at most one process is in the critical section
	Deadlock        Property = "deadlock freedom" // while a process waits, some process eventually enters
	Starvation      Property = "starvation freedom"
	Protocol        Property = "protocol"           // no grant to a thread that does not wait, no panic
	OneLeader       Property = "one leader a term"  // no term has two leaders
	Agreement       Property = "eventual agreement" // in each part of a cut, all nodes that are up eventually follow one that is up
	HighestLeads    Property = "the highest leads"  // the leader is the highest node that is up
)

// A Violation is a broken property with a trace that breaks it.
type Violation struct {
	Property Property `json:"property"`
	Text     string   `json:"text"`  // one line
	Trace    []Event  `json:"trace"` // a shortest sequence of events that leads there
	Loop     int      `json:"loop"`  // for an endless run, the index in Trace where the repeated part begins; otherwise -1
}

// Steps returns the length of v's trace without its loop.
func (v *Violation) Steps() int {
	if v.Loop >= 0 {
		return v.Loop
	}
	return len(v.Trace)
}

// A Result is the result of an exploration.
type Result struct {
	States     int         `json:"states"`
	Steps      int         `json:"steps"`
	Depth      int         `json:"depth"`      // depth of the deepest state: the length of a shortest path to it
	Complete   bool        `json:"complete"`   // every state was visited; if not, absence of a violation is no proof
	Violations []Violation `json:"violations"` // at most one per property, invariants last

	// NotCarriedOut lists the requested faults that no state makes possible, by their
	// names in Faults. It is set only if the exploration is complete.
	NotCarriedOut []string `json:"not_carried_out,omitempty"`
}

// Holds reports whether the exploration was complete and found no violation.
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

// Nodes returns the nodes as a slice of machines, for Model.Nodes.
func Nodes[N distributed.Machine](nodes []N) []distributed.Machine {
	ms := make([]distributed.Machine, len(nodes))
	for i, n := range nodes {
		ms[i] = n
	}
	return ms
}

// Limits of the compact form.
const (
	MaxNodes  = 6 // maximum number of nodes of a Model
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

// Explore visits the states of m breadth first. It stops at the first broken safety property.
// If there is none, it decides the liveness properties on the whole graph. It checks the
// invariants in all states that it visits. When ctx ends, Explore returns an incomplete result.
// It returns an error if m is not valid. A node that recurses without end ends the program,
// unless the context has a guard: see WithGuard.
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
