package explore

import "slices"

// Trail is the states that a search breadth first reaches from some states, and how.
type Trail struct {
	g     *Graph
	from  []uint32 // by state: the one before, +1; of a first state, its own, +1
	by    []uint8  // by state: the actor whose step led there
	queue []uint32
}

// NewTrail returns a trail from all states of a graph that first holds for.
func NewTrail(g *Graph, first func(id uint32) bool) *Trail {
	t := &Trail{g: g, from: make([]uint32, g.States), by: make([]uint8, g.States)}
	for id := range uint32(g.States) {
		if first(id) {
			t.from[id], t.queue = id+1, append(t.queue, id)
		}
	}
	return t
}

// Has reports whether a state is on the trail.
func (t *Trail) Has(id uint32) bool { return t.from[id] != 0 }

// Step adds a step to the trail, unless it leads to a state that is there.
func (t *Trail) Step(from uint32, actor int, to uint32) {
	if !t.Has(to) {
		t.from[to], t.by[to], t.queue = from+1, uint8(actor), append(t.queue, to)
	}
}

// Follow calls visit for each step from the states of the trail, which visit may add
// to. It returns the first step for which visit returns true, if there is one.
func (t *Trail) Follow(visit func(from uint32, actor int, to uint32) bool) (from uint32, actor int, to uint32, found bool) {
	for k := 0; k < len(t.queue); k++ {
		from = t.queue[k]
		for actor, to = range t.g.Successors(from) {
			if to != None && visit(from, actor, to) {
				return from, actor, to, true
			}
		}
	}
	return 0, 0, 0, false
}

// Path returns the actors by whose steps the trail leads to a state, and the state from
// which it does.
func (t *Trail) Path(id uint32) (from uint32, path []int) {
	for ; t.from[id] != id+1; id = t.from[id] - 1 {
		path = append(path, int(t.by[id]))
	}
	slices.Reverse(path)
	return id, path
}
