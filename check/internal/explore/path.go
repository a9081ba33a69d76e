package explore

import (
	"math/bits"
	"slices"
)

// Path returns the actors of a shortest execution from the initial state to
// the state id, of those the one by the lowest numbers. In a graph up to symmetries
// it leads to some state of the orbit of id.
func (g *Graph) Path(id uint32) []int {
	if q, ok := g.Sys.(*Quotient); ok {
		return q.unfold(g.route(id), func([]uint64) bool { return true })
	}
	path, _ := g.back(id)
	return path
}

// route returns the states of a shortest path to the state id.
func (g *Graph) route(id uint32) (states [][]uint64) {
	_, ids := g.back(id)
	for _, id := range ids {
		states = append(states, g.State(id))
	}
	return states
}

// back returns the actors of a shortest path to the state id, and the states.
func (g *Graph) back(id uint32) (path []int, ids []uint32) {
	ids = append(ids, id)
	for id != 0 {
		level, _ := slices.BinarySearch(g.levels, id+1)
		from, actor := g.finder(id, g.levels[level-2])
		path, ids = append(path, actor), append(ids, from)
		id = from
	}
	slices.Reverse(path)
	slices.Reverse(ids)
	return path, ids
}

// finder returns the first state, from a level on, that leads to the state id,
// and by which actor.
func (g *Graph) finder(id, level uint32) (from uint32, actor int) {
	leads := g.leads(id)
	for from = level; from < id; from++ {
		if actor = leads(from); actor >= 0 {
			return from, actor
		}
	}
	panic("explore: no path to a state that was reached")
}

// leads returns the function that says which actor leads from a state to the state id, or -1. It
// makes the successors again if the edges were not kept.
func (g *Graph) leads(id uint32) func(from uint32) (actor int) {
	if g.kept {
		return func(from uint32) int { return slices.Index(g.Successors(from), id) }
	}
	to, words := g.State(id), g.Sys.Words()
	out := make([]uint64, words*g.Sys.Actors())
	return func(from uint32) int {
		enabled, _ := g.Sys.Expand(g.State(from), out)
		for ; enabled != 0; enabled &= enabled - 1 {
			if a := bits.TrailingZeros64(enabled); slices.Equal(out[a*words:][:words], to) {
				return a
			}
		}
		return -1
	}
}
