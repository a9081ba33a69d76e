package explore

import "slices"

// Path returns the actors of a shortest execution from the initial state to
// the state id, of those the one by the lowest numbers. The edges must have been
// kept.
func (g *Graph) Path(id uint32) []int {
	var path []int
	for id != 0 {
		level, _ := slices.BinarySearch(g.levels, id+1)
		from, actor := g.finder(id, g.levels[level-2])
		path = append(path, actor)
		id = from
	}
	slices.Reverse(path)
	return path
}

// finder returns the first state, from a level on, that leads to the state id,
// and by which actor.
func (g *Graph) finder(id, level uint32) (from uint32, actor int) {
	for from = level; from < id; from++ {
		if actor = slices.Index(g.Successors(from), id); actor >= 0 {
			return from, actor
		}
	}
	panic("explore: no path to a state that was reached")
}
