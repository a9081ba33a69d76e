// Package graph finds strongly connected components, shortest walks and closed
// walks in directed graphs, such as those of the states of a system.
package graph

import "slices"

// None is the end of an edge that is missing.
const None = ^uint32(0)

// Graph is a directed graph of the nodes 0 to Nodes-1.
type Graph struct {
	Nodes int
	// In tells which nodes belong to the graph; all do if it is nil.
	In func(node uint32) bool
	// Edges appends the ends of a node's edges, in the order in which they are
	// numbered. An end is None or belongs to the graph.
	Edges func(node uint32, to []uint32) []uint32
}

// Within returns the part of the graph that has only the nodes that in holds
// for, and the edges between them.
func (g Graph) Within(in func(node uint32) bool) Graph {
	return Graph{g.Nodes, in, func(node uint32, to []uint32) []uint32 {
		first := len(to)
		to = g.Edges(node, to)
		for i, end := range to[first:] {
			if end != None && !in(end) {
				to[first+i] = None
			}
		}
		return to
	}}
}

// Walk returns a shortest walk from a node whose last edge fulfills last, as the numbers of
// its edges, and the node where it ends. It returns nil if there is none.
func (g Graph) Walk(from uint32, last func(node uint32, edge int, to uint32) bool) (edges []int, end uint32) {
	type arrival struct {
		from uint32
		edge int
	}
	arrived := map[uint32]arrival{}
	queue := []uint32{from}
	var ends []uint32
	for k := 0; k < len(queue); k++ {
		node := queue[k]
		ends = g.Edges(node, ends[:0])
		for edge, to := range ends {
			if to == None {
				continue
			}
			if last(node, edge, to) {
				edges = []int{edge}
				for ; node != from; node = arrived[node].from {
					edges = append(edges, arrived[node].edge)
				}
				slices.Reverse(edges)
				return edges, to
			}
			if _, known := arrived[to]; !known && to != from {
				arrived[to] = arrival{node, edge}
				queue = append(queue, to)
			}
		}
	}
	return nil, from
}

// Path returns a shortest walk, perhaps an empty one, from a node to one that
// goal holds for, and that node. There must be one.
func (g Graph) Path(from uint32, goal func(node uint32) bool) (edges []int, end uint32) {
	if goal(from) {
		return nil, from
	}
	edges, end = g.Walk(from, func(_ uint32, _ int, to uint32) bool { return goal(to) })
	if edges == nil {
		panic("graph: no path to the goal")
	}
	return edges, end
}

// Staying is the number of the edge by which a walk stays where it is.
const Staying = -1

// Tour returns a closed walk from a node, as the numbers of its edges, on which
// each demand is met that some walk can meet: a demand is met by taking an edge
// at a node, or by being at a node if it holds for the edge Staying. The walk is
// empty if being at the node meets all. The graph must be strongly connected.
func (g Graph) Tour(from uint32, demands []func(node uint32, edge int) bool) []int {
	var tour, open []int
	for k, met := range demands {
		if !met(from, Staying) {
			open = append(open, k)
		}
	}
	at := from
	for len(open) > 0 {
		first := demands[open[0]]
		leg, _ := g.Walk(at, func(node uint32, edge int, to uint32) bool { return first(node, edge) || first(to, Staying) })
		open = open[1:] // if no walk meets it, none ever does
		for _, edge := range leg {
			to := g.Edges(at, nil)[edge]
			open = slices.DeleteFunc(open, func(k int) bool { return demands[k](at, edge) || demands[k](to, Staying) })
			at = to
		}
		tour = append(tour, leg...)
	}
	if at != from {
		back, _ := g.Path(at, func(node uint32) bool { return node == from })
		tour = append(tour, back...)
	}
	return tour
}
