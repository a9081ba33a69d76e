package analyse

// tarjan is the working memory of components.
type tarjan struct {
	index []uint32 // order of discovery, from 1; 0 is undiscovered
	low   []uint32
	comp  []uint32 // the component's number, from 1, once it is complete
	stack []uint32
	calls []call
}

type call struct {
	id    uint32
	actor int
}

// components calls visit for each strongly connected component of a subgraph,
// every component after all those that it leads to (Tarjan, SIAM Journal on
// Computing 1(2), 1972). A state without a cycle is a component of its own.
// member tells which states belong to the component that is visited.
func (s *Space) components(g subgraph, visit func(comp []uint32, member func(uint32) bool)) {
	t := &s.tarjan
	n := s.G.States
	if t.index == nil {
		t.index, t.low, t.comp = make([]uint32, n), make([]uint32, n), make([]uint32, n)
	}
	clear(t.index)
	clear(t.comp)
	next, comps := uint32(0), uint32(0)
	member := func(id uint32) bool { return t.comp[id] == comps }
	open := func(id uint32) {
		next++
		t.index[id], t.low[id] = next, next
		t.stack = append(t.stack, id)
		t.calls = append(t.calls, call{id, 0})
	}
	for root := range uint32(n) {
		if t.index[root] != 0 || !g.in(root) {
			continue
		}
		open(root)
		for len(t.calls) > 0 {
			c := &t.calls[len(t.calls)-1]
			if c.actor < s.Actors {
				id, a := c.id, c.actor
				c.actor++
				to := s.G.Next(id, a)
				if !g.has(id, a, to) {
					continue
				}
				if t.index[to] == 0 {
					open(to)
				} else if t.comp[to] == 0 {
					t.low[id] = min(t.low[id], t.index[to])
				}
				continue
			}
			id := c.id
			t.calls = t.calls[:len(t.calls)-1]
			if len(t.calls) > 0 {
				up := t.calls[len(t.calls)-1].id
				t.low[up] = min(t.low[up], t.low[id])
			}
			if t.low[id] == t.index[id] {
				comps++
				at := len(t.stack) - 1
				for t.stack[at] != id {
					at--
				}
				comp := t.stack[at:]
				for _, m := range comp {
					t.comp[m] = comps
				}
				visit(comp, member)
				t.stack = t.stack[:at]
			}
		}
	}
}
