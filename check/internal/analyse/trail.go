package analyse

import (
	"slices"

	"shmbench/check/internal/explore"
)

// trail is the states that a search breadth first reaches from some states, and how.
type trail struct {
	s     *Space
	from  []uint32 // by state: the one before, +1; of a first state, its own, +1
	by    []uint8  // by state: the actor whose step led there
	queue []uint32
}

// newTrail returns a trail from all states that first holds for.
func newTrail(s *Space, first func(id uint32) bool) *trail {
	t := &trail{s: s, from: make([]uint32, s.G.States), by: make([]uint8, s.G.States)}
	for id := range uint32(s.G.States) {
		if first(id) {
			t.from[id], t.queue = id+1, append(t.queue, id)
		}
	}
	return t
}

func (t *trail) has(id uint32) bool { return t.from[id] != 0 }

// step adds a step to the trail, unless it leads to a state that is there.
func (t *trail) step(from uint32, actor int, to uint32) {
	if !t.has(to) {
		t.from[to], t.by[to], t.queue = from+1, uint8(actor), append(t.queue, to)
	}
}

// follow calls visit for each step from the states of the trail, which visit may add
// to. It returns the first step for which visit returns true, if there is one.
func (t *trail) follow(visit func(from uint32, actor int, to uint32) bool) (from uint32, actor int, to uint32, found bool) {
	for k := 0; k < len(t.queue); k++ {
		from = t.queue[k]
		for actor, to = range t.s.G.Successors(from) {
			if to != explore.None && visit(from, actor, to) {
				return from, actor, to, true
			}
		}
	}
	return 0, 0, 0, false
}

// path returns the actors by whose steps the trail leads to a state, and the state from
// which it does.
func (t *trail) path(id uint32) (from uint32, path []int) {
	for ; t.from[id] != id+1; id = t.from[id] - 1 {
		path = append(path, int(t.by[id]))
	}
	slices.Reverse(path)
	return id, path
}
