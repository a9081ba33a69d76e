package analyse

import (
	"slices"

	"shmbench/check/graph"
	"shmbench/check/internal/explore"
)

// Part is a part of a graph of states: the states that In holds for, and of the
// edges between them those that Keep holds for (all, if Keep is nil).
type Part struct {
	In   func(id uint32) bool
	Keep func(from uint32, actor int, to uint32) bool
}

// Anywhere holds for all states.
func Anywhere(uint32) bool { return true }

// Has reports whether an edge to a state, which may be explore.None, is in the part.
func (p Part) Has(from uint32, actor int, to uint32) bool {
	return to != explore.None && p.In(to) && (p.Keep == nil || p.Keep(from, actor, to))
}

// Of returns the part of a graph with the actors as the numbers of edges.
func (p Part) Of(g *explore.Graph) graph.Graph {
	return graph.Graph{Nodes: g.States, In: p.In, Edges: func(from uint32, ends []uint32) []uint32 {
		for actor, to := range g.Successors(from) {
			if !p.Has(from, actor, to) {
				to = graph.None
			}
			ends = append(ends, to)
		}
		return ends
	}}
}

// Members tells which states are those of a component; they ascend.
func Members(states []uint32) func(id uint32) bool {
	return func(id uint32) bool { _, found := slices.BinarySearch(states, id); return found }
}
