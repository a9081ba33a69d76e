package explore

import (
	"slices"

	digraph "shmbench/check/graph"
)

// digraph returns the graph of the states for which in holds, and of the steps
// between them for which follow holds. A nil function holds for all. The steps of
// a state are numbered from its first step.
func (g *graph) digraph(in func(n uint32) bool, follow func(edge) bool) digraph.Graph {
	return digraph.Graph{Nodes: len(g.keys), Edges: func(n uint32, ends []uint32) []uint32 {
		for _, e := range g.edges[g.first[n]:g.first[n+1]] {
			if follow == nil || follow(e) {
				ends = append(ends, uint32(e.to))
			} else {
				ends = append(ends, digraph.None)
			}
		}
		return ends
	}}.Within(in)
}

// components calls visit with each strongly connected component of a subgraph.
// The subgraph has the states in, and the steps for which follow holds; nil holds
// for all. Single states are included unless they are passing. visit may keep the
// component.
func (g *graph) components(in []bool, follow func(edge) bool, visit func(*component)) {
	g.digraph(func(n uint32) bool { return in[n] }, follow).Components(func(states []uint32, member func(uint32) bool) {
		if len(states) > 1 || !g.passing[states[0]] {
			visit(g.component(states, member, follow))
		}
	})
}

// component gathers the possible actions of a strongly connected set of states.
func (g *graph) component(states []uint32, member func(uint32) bool, follow func(edge) bool) *component {
	c := &component{states: slices.Clone(states), follow: follow}
	slices.Sort(c.states)
	for k, n := range c.states {
		can := g.can(n)
		for e := g.first[n]; e < g.first[n+1]; e++ {
			if member(uint32(g.edges[e].to)) && (follow == nil || follow(g.edges[e])) {
				c.enters = c.enters || g.edges[e].action.entries > 0
				if class := int(g.fair[e]); class >= 0 {
					c.taken.add(class)
				}
			}
		}
		if k == 0 {
			c.always = can
		} else {
			lost := c.always.without(&can)
			c.always = c.always.without(&lost)
		}
	}
	return c
}

// can returns the classes that state n enables.
func (g *graph) can(n uint32) (can classes) {
	for e := g.first[n]; e < g.first[n+1]; e++ {
		if class := int(g.fair[e]); class >= 0 {
			can.add(class)
		}
	}
	return can
}

// lasso returns the actions of a fair closed walk through c from its first state.
// Each class is taken on the walk, or disabled somewhere on it. A thread enters
// on the walk if one can. The walk is empty if a fair run can stay in the first
// state.
func (g *graph) lasso(c *component) []action {
	var demands []func(n uint32, step int) bool
	for k := range 64 * len(c.taken) {
		demands = append(demands, func(n uint32, step int) bool {
			can := g.can(n)
			return !can.has(k) || step != digraph.Staying && int(g.fair[g.first[n]+step]) == k
		})
	}
	demands = append(demands, func(n uint32, step int) bool {
		return step != digraph.Staying && g.edges[g.first[n]+step].action.entries > 0
	})
	inside := g.digraph(func(n uint32) bool { _, found := slices.BinarySearch(c.states, n); return found }, c.follow)
	var walk []action
	at := c.states[0]
	for _, step := range inside.Tour(at, demands) {
		e := g.edges[g.first[at]+step]
		walk = append(walk, e.action)
		at = uint32(e.to)
	}
	return walk
}
