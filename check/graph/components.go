package graph

// Components calls visit for each strongly connected component, every
// component after all those that it leads to. A node without a cycle is a
// component of its own. component is visit's to read, and member tells which
// nodes belong to it, until visit returns. (Tarjan, SIAM Journal on Computing
// 1(2), 1972, with one number a node as in Pearce, Information Processing
// Letters 116(1), 2016.)
func (g Graph) Components(visit func(component []uint32, member func(node uint32) bool)) {
	type call struct {
		node uint32
		ends int  // where the ends of its edges begin that are still to be followed
		root bool // no node of an earlier call has been met
	}
	var (
		// A node has number 0 until it is met, then one from 1 up, and from
		// Nodes down once its component is known: the component's number.
		number = make([]uint32, g.Nodes)
		next   = uint32(1)
		closed = uint32(g.Nodes)
		calls  []call
		ends   []uint32
		open   []uint32 // nodes that were left before their component was known
	)
	member := func(node uint32) bool { return number[node] == closed }
	enter := func(node uint32) {
		number[node] = next
		next++
		calls = append(calls, call{node, len(ends), true})
		ends = g.Edges(node, ends)
	}
	for start := range uint32(g.Nodes) {
		if number[start] != 0 || g.In != nil && !g.In(start) {
			continue
		}
		enter(start)
		for len(calls) > 0 {
			c := &calls[len(calls)-1]
			if last := len(ends) - 1; last >= c.ends {
				to := ends[last]
				switch {
				case to == None:
				case number[to] == 0: // and looked at again afterwards
					enter(to)
					continue
				case number[to] < number[c.node]:
					number[c.node], c.root = number[to], false
				}
				ends = ends[:last]
				continue
			}
			node, root := c.node, c.root
			calls = calls[:len(calls)-1]
			open = append(open, node)
			if !root {
				continue
			}
			first := len(open) - 1
			for first > 0 && number[open[first-1]] >= number[node] {
				first--
			}
			for _, m := range open[first:] {
				number[m] = closed
			}
			next -= uint32(len(open) - first)
			visit(open[first:], member)
			open = open[:first]
			closed--
		}
	}
}

// OnCycles calls visit with each node that lies on a cycle.
func (g Graph) OnCycles(visit func(node uint32)) {
	var ends []uint32
	g.Components(func(component []uint32, _ func(uint32) bool) {
		if len(component) == 1 {
			ends = g.Edges(component[0], ends[:0])
			loop := false
			for _, to := range ends {
				loop = loop || to == component[0]
			}
			if !loop {
				return
			}
		}
		for _, node := range component {
			visit(node)
		}
	})
}
