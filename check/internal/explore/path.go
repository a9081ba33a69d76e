package explore

import (
	"context"
	"slices"
)

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

// Path returns the actors of a shortest execution from the initial state to
// the state goal, which must be one that can be reached, by exploring that far.
func Path(sys System, goal []uint64) []int {
	g := Run(context.Background(), &until{sys, goal}, Options{Keep: true})
	for id := range uint32(g.States) {
		if slices.Equal(g.State(id), goal) {
			return g.Path(id)
		}
	}
	panic("explore: no path to a state that was reached")
}

// until is a system that is explored until a state is met.
type until struct {
	System
	goal []uint64
}

// Expand is the system's, and ends the exploration at the goal.
func (u *until) Expand(s, out []uint64) (enabled uint64, bad Bad) {
	if slices.Equal(s, u.goal) {
		return 0, Stop
	}
	return u.System.Expand(s, out)
}
