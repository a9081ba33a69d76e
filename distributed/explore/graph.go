package explore

import (
	"context"
	"slices"

	"shmbench/distributed"
)

// graph has the reachable states and the steps between them.
type graph struct {
	m        *Model
	n        int
	automata []*automaton
	table    messageTable
	elects   bool // the nodes are electors
	recovers bool // the nodes can restart
	stamps   bool // timestamps are shifted, see shift

	number  map[string]int32
	keys    []string // state number → key
	from    []int32  // state number → the state that found it, -1 for the first
	by      []action // ... and by which action
	first   []int    // state number → where its edges begin; one more at the end
	edges   []edge
	fair    []int16 // per edge: its fairness class, see liveness
	passing []bool  // per state: a fair run cannot stay in this state alone
	depth   int

	twoInside string     // the overlap that the latest action caused, where an overlap does not end the search
	overlap   *Violation // the first overlap

	view    distributed.View   // scratch of invariants
	refuted map[int]refutation // by the invariant's place in the model
}

type edge struct {
	action action
	to     int32
}

func newGraph(m *Model) *graph {
	g := &graph{m: m, n: len(m.Nodes), number: map[string]int32{}, table: messageTable{number: map[string]int32{}}, refuted: map[int]refutation{}}
	for i, node := range m.Nodes {
		g.automata = append(g.automata, newAutomaton(distributed.ID(i), g.n, node))
	}
	_, g.elects = m.Nodes[0].(distributed.Elector)
	_, g.recovers = distributed.Unwrapped(m.Nodes[0]).(distributed.Recoverer)
	if m.Requests == Forever && !g.elects {
		_, g.stamps = m.Nodes[0].(distributed.Stamper)
	}
	return g
}

// begin returns the state after every node's Start.
func (g *graph) begin() (s *state, property Property, why string) {
	s = newState(g.n, g.m.Threads)
	for at := range s.left {
		switch {
		case g.elects:
		case g.m.Apart && at < g.m.Threads:
			s.status[at] = absent
		case g.m.Present != nil && at%g.m.Threads >= g.m.Present[at/g.m.Threads]:
			s.status[at] = absent
		case g.m.Requests == Forever:
			s.left[at] = 1
		default:
			s.left[at] = uint8(g.m.Requests)
		}
	}
	f := g.m.Faults
	for k, n := range [budgets]int{f.Lose, f.Duplicate, f.Crash, f.Recover, f.Partition, f.Suspicions, f.Early, g.m.Moves, f.Hang} {
		s.budget[k] = uint8(n)
	}
	for i := range distributed.ID(g.n) {
		if property, why = g.react(s, i, input{what: evStart}, &action{}); property != "" {
			return s, property, why
		}
	}
	return s, "", ""
}

// add numbers the state of key k, found from state p by action a.
func (g *graph) add(k []byte, p int32, a action) int32 {
	if n, ok := g.number[string(k)]; ok {
		return n
	}
	n := int32(len(g.keys))
	key := string(k)
	g.number[key] = n
	g.keys = append(g.keys, key)
	g.from, g.by = append(g.from, p), append(g.by, a)
	return n
}

// search visits the states in order of depth and sets r.Complete. It returns
// the first broken safety property, or nil.
func (g *graph) search(ctx context.Context, r *Result) *Violation {
	s, property, why := g.begin()
	if property != "" {
		return &Violation{Property: property, Text: why, Loop: -1}
	}
	work := newState(g.n, g.m.Threads)
	var key []byte
	var as []action
	g.invariants(s, g.add(s.appendKey(nil), -1, action{}))
	layer := 1 // states of this depth end here
	for at := int32(0); int(at) < len(g.keys); at++ {
		if int(at) == layer {
			layer = len(g.keys)
			g.depth++
		}
		if len(g.keys) > g.m.MaxStates || at&1023 == 0 && ctx.Err() != nil {
			return nil
		}
		g.first = append(g.first, len(g.edges))
		s.read(g.keys[at])
		as = g.enabled(s, as[:0])
		for _, a := range as {
			work.read(g.keys[at])
			if property, why := g.apply(work, &a); property != "" {
				return &Violation{Property: property, Text: why, Trace: g.trace(append(g.path(at), a)), Loop: -1}
			}
			if g.twoInside != "" && g.overlap == nil {
				g.overlap = &Violation{Property: MutualExclusion, Text: g.twoInside, Trace: g.trace(append(g.path(at), a)), Loop: -1}
			}
			key = work.appendKey(key[:0])
			known := len(g.keys)
			to := g.add(key, at, a)
			if int(to) == known {
				g.invariants(work, to)
			}
			g.edges = append(g.edges, edge{a, to})
		}
	}
	g.first = append(g.first, len(g.edges))
	r.Complete = true
	return nil
}

// path returns the actions of a shortest path to state n.
func (g *graph) path(n int32) []action {
	var as []action
	for ; g.from[n] >= 0; n = g.from[n] {
		as = append(as, g.by[n])
	}
	slices.Reverse(as)
	return as
}
