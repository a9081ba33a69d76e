package explore

import "slices"

// components calls visit with each strongly connected component of the
// subgraph of the states in, single states included (Tarjan 1972, without
// recursion). The component is visit's to keep.
func (g *graph) components(in []bool, visit func(*component)) {
	const unseen = 0
	index := make([]int32, len(in)) // 1-based order of visit
	low := make([]int32, len(in))
	onStack := make([]bool, len(in))
	var stack []int32
	type frame struct {
		n    int32
		next int // index into g.edges
	}
	var frames []frame
	count := int32(0)
	push := func(n int32) {
		count++
		index[n], low[n] = count, count
		onStack[n] = true
		stack = append(stack, n)
		frames = append(frames, frame{n, g.first[n]})
	}
	for root := range in {
		if !in[root] || index[root] != unseen {
			continue
		}
		push(int32(root))
		for len(frames) > 0 {
			f := &frames[len(frames)-1]
			if f.next < g.first[f.n+1] {
				to := g.edges[f.next].to
				f.next++
				switch {
				case !in[to]:
				case index[to] == unseen:
					push(to)
				case onStack[to]:
					low[f.n] = min(low[f.n], index[to])
				}
				continue
			}
			n := f.n
			frames = frames[:len(frames)-1]
			if len(frames) > 0 {
				up := frames[len(frames)-1].n
				low[up] = min(low[up], low[n])
			}
			if low[n] == index[n] {
				at := len(stack) - 1
				for stack[at] != n {
					at--
				}
				for _, s := range stack[at:] {
					onStack[s] = false
				}
				visit(g.component(stack[at:]))
				stack = stack[:at]
			}
		}
	}
}

// component gathers what a set of states, strongly connected, can do.
func (g *graph) component(states []int32) *component {
	c := &component{states: slices.Clone(states), always: ^uint64(0)}
	slices.Sort(c.states)
	inside := func(n int32) bool {
		if len(c.states) == 1 {
			return n == c.states[0]
		}
		return c.member[n]
	}
	if len(states) > 1 {
		c.member = make(map[int32]bool, len(states))
		for _, n := range states {
			c.member[n] = true
		}
	}
	for _, n := range c.states {
		can := uint64(0)
		for _, e := range g.out(n) {
			class := g.class(e.action)
			can |= class
			if inside(e.to) {
				c.inner = true
				c.taken |= class
				c.enters = c.enters || e.action.entries > 0
			}
		}
		c.always &= can
	}
	return c
}

// lasso returns the actions of a closed walk from state start through c that
// is fair: each class that some state of it enables throughout is taken.
func (g *graph) lasso(c *component, start int32) []action {
	if len(c.states) == 1 {
		for _, e := range g.out(start) {
			if e.to == start {
				return []action{e.action}
			}
		}
	}
	var walk []action
	at := start
	done := uint64(0)
	for k := range 64 {
		bit := uint64(1) << k
		if c.taken&bit == 0 || done&bit != 0 {
			continue
		}
		leg, to := g.walk(c, at, func(e edge) bool { return g.class(e.action)&bit != 0 })
		for _, a := range leg {
			done |= g.class(a)
		}
		walk, at = append(walk, leg...), to
	}
	if at != start || len(walk) == 0 {
		leg, _ := g.walk(c, at, func(e edge) bool { return e.to == start })
		walk = append(walk, leg...)
	}
	return walk
}

// walk returns a shortest walk inside c from state at that ends with a step
// for which last holds, and where it ends.
func (g *graph) walk(c *component, at int32, last func(edge) bool) ([]action, int32) {
	from := map[int32]edge{} // how a state was reached; to is the previous state
	queue := []int32{at}
	for len(queue) > 0 {
		n := queue[0]
		queue = queue[1:]
		for _, e := range g.out(n) {
			if !c.member[e.to] {
				continue
			}
			if last(e) {
				as := []action{e.action}
				for ; n != at; n = from[n].to {
					as = append(as, from[n].action)
				}
				slices.Reverse(as)
				return as, e.to
			}
			if _, seen := from[e.to]; !seen && e.to != at {
				from[e.to] = edge{e.action, n}
				queue = append(queue, e.to)
			}
		}
	}
	return nil, at
}
