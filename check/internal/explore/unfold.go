package explore

import (
	"math/bits"
	"slices"
)

// Orbit returns, for an image of states, those of all members of their orbits, by symmetry. An image's
// Of is given the same words to read and to write.
func (q *Quotient) Orbit(image Image) (all []Image) {
	for k := range q.group {
		all = append(all, Image{Words: image.Words, Of: func(state, to []uint64) {
			q.rename(k, state, to)
			image.Of(to, to)
		}})
	}
	return all
}

// PathTo returns the actors of a shortest execution that ends in a state of the orbit of the state id: the
// one that symmetry number k makes of it.
func (q *Quotient) PathTo(g *Graph, id uint32, k int) []int {
	end := make([]uint64, q.words)
	q.rename(k, g.State(id), end)
	return q.unfold(g.route(id), func(s []uint64) bool { return slices.Equal(s, end) })
}

// reached is a state of the system itself, and the step that has led there.
type reached struct {
	state []uint64
	from  int // in the states before
	actor int
}

// unfold returns an execution of the system itself from its initial state through one state of each
// orbit on a route, and to one that is wanted. The states of a step are those of the orbit to which
// some state before leads.
func (q *Quotient) unfold(route [][]uint64, wanted func(s []uint64) bool) []int {
	initial := make([]uint64, q.words)
	q.SC.Initial(initial)
	steps := [][]reached{{{state: initial}}}
	for _, next := range route[1:] {
		steps = append(steps, q.follow(steps[len(steps)-1], next))
	}
	last := len(steps) - 1
	at := slices.IndexFunc(steps[last], func(r reached) bool { return wanted(r.state) })
	if at < 0 {
		panic("explore: no execution through the orbits of a path")
	}
	var path []int
	for ; last > 0; last-- {
		r := steps[last][at]
		path, at = append(path, r.actor), r.from
	}
	slices.Reverse(path)
	return path
}

// follow returns the states of an orbit to which some states lead.
func (q *Quotient) follow(some []reached, orbit []uint64) (all []reached) {
	out, to := make([]uint64, q.words*q.Actors()), make([]uint64, q.words)
	known := map[string]bool{}
	for i, r := range some {
		enabled, _ := q.SC.Expand(r.state, out)
		for ; enabled != 0; enabled &= enabled - 1 {
			a := bits.TrailingZeros64(enabled)
			s := out[a*q.words:][:q.words]
			copy(to, s)
			key := string(appendKey(nil, s))
			if q.reduce(to); slices.Equal(to, orbit) && !known[key] {
				known[key] = true
				all = append(all, reached{slices.Clone(s), i, a})
			}
		}
	}
	return all
}
