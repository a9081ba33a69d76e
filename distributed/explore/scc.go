package explore

import "slices"

// components calls visit with each strongly connected component of the
// subgraph of the states in, single states included unless they are passing
// (Tarjan 1972, without recursion). The component is visit's to keep.
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
				if len(stack)-at > 1 || !g.passing[n] {
					visit(g.component(stack[at:]))
				}
				stack = stack[:at]
			}
		}
	}
}

// component gathers what a set of states, strongly connected, can do.
func (g *graph) component(states []int32) *component {
	c := &component{states: slices.Clone(states)}
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
	for k, n := range c.states {
		var can classes
		for at := g.first[n]; at < g.first[n+1]; at++ {
			e, class := g.edges[at], int(g.fair[at])
			if class >= 0 {
				can.add(class)
			}
			if inside(e.to) {
				c.inner = true
				c.enters = c.enters || e.action.entries > 0
				if class >= 0 {
					c.taken.add(class)
				}
			}
		}
		if k == 0 {
			c.always = can
		} else {
			lost := c.always.without(&can)
			c.always = c.always.without(&lost)
		}
	}
	return c
}

// lasso returns the actions of a closed walk from state start through c that
// is fair: each class is taken on it, or disabled somewhere on it.
func (g *graph) lasso(c *component, start int32) []action {
	if len(c.states) == 1 {
		c.member = map[int32]bool{start: true}
	}
	var walk []action
	at := start
	met := g.canNot(start) // classes taken or disabled so far
	follow := func(last func(e int) bool) {
		leg, to := g.walk(c, at, last)
		for _, e := range leg {
			walk = append(walk, g.edges[e].action)
			if class := int(g.fair[e]); class >= 0 {
				met.add(class)
			}
			off := g.canNot(g.edges[e].to)
			met.include(&off)
		}
		at = to
	}
	for k := range 64 * len(met) {
		if !met.has(k) {
			follow(func(e int) bool {
				off := g.canNot(g.edges[e].to)
				return int(g.fair[e]) == k || off.has(k)
			})
		}
	}
	if at != start || len(walk) == 0 {
		follow(func(e int) bool { return g.edges[e].to == start })
	}
	return walk
}

// canNot returns the classes that state n does not enable.
func (g *graph) canNot(n int32) (off classes) {
	var can classes
	for e := g.first[n]; e < g.first[n+1]; e++ {
		if class := int(g.fair[e]); class >= 0 {
			can.add(class)
		}
	}
	for i := range off {
		off[i] = ^can[i]
	}
	return off
}

// walk returns the edges of a shortest walk inside c from state at that ends
// with one for which last holds, and where it ends.
func (g *graph) walk(c *component, at int32, last func(e int) bool) (leg []int, to int32) {
	type arrival struct {
		from int32
		edge int
	}
	reached := map[int32]arrival{}
	queue := []int32{at}
	for len(queue) > 0 {
		n := queue[0]
		queue = queue[1:]
		for e := g.first[n]; e < g.first[n+1]; e++ {
			to := g.edges[e].to
			if !c.member[to] {
				continue
			}
			if last(e) {
				leg = []int{e}
				for ; n != at; n = reached[n].from {
					leg = append(leg, reached[n].edge)
				}
				slices.Reverse(leg)
				return leg, to
			}
			if _, seen := reached[to]; !seen && to != at {
				reached[to] = arrival{n, e}
				queue = append(queue, to)
			}
		}
	}
	return nil, at
}
