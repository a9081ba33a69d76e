package graph

import "slices"

// MaxRatio returns the greatest quotient of the sums of cost and of count over the
// edges of a cycle, as a fraction in lowest terms. It also returns a cycle that has
// this quotient: a node, and the numbers of the edges from there on. The denominator
// is 0 if some cycle costs something and counts nothing; then there is no greatest
// quotient. Without a cycle that counts, all are 0. No cost and no count may be
// negative. The algorithm is Howard's policy iteration, with whole numbers: A.
// Dasdan, ACM Transactions on Design Automation of Electronic Systems 9(4), 2004.
func (g Graph) MaxRatio(weigh func(node uint32, edge int, to uint32) (cost, count int)) (num, den int, from uint32, cycle []int) {
	free := Graph{g.Nodes, g.In, func(node uint32, to []uint32) []uint32 {
		first := len(to)
		to = g.Edges(node, to)
		for i, end := range to[first:] {
			if end == None {
				continue
			}
			if _, count := weigh(node, i, end); count > 0 {
				to[first+i] = None
			}
		}
		return to
	}}
	free.Components(func(comp []uint32, member func(uint32) bool) {
		for _, node := range comp {
			for edge, to := range free.Edges(node, nil) {
				if cycle != nil || to == None || !member(to) {
					continue
				}
				if cost, _ := weigh(node, edge, to); cost > 0 {
					back, _ := free.Within(member).Path(to, func(at uint32) bool { return at == node })
					num, from, cycle = cost, node, append([]int{edge}, back...)
				}
			}
		}
	})
	if cycle != nil {
		return num, 0, from, cycle
	}
	den = 1
	found := false
	g.Components(func(comp []uint32, member func(uint32) bool) {
		p := newPolicy(g, comp, member, weigh)
		if p == nil {
			return
		}
		for p.improve() {
		}
		if p.counts && (!found || p.num*den > num*p.den) {
			found = true
			num, den, from, cycle = p.num, p.den, p.nodes[p.root], p.cycle()
		}
	})
	if !found {
		return 0, 0, 0, nil
	}
	d := divisor(num, den)
	return num / d, den / d, from, cycle
}

func divisor(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// policy is an edge for each node of a strongly connected component, and the best cycle of
// these edges.
type policy struct {
	nodes    []uint32
	edges    [][]weighed // by node, inside the component
	chosen   []int       // by node: which of its edges
	value    []int       // by node, relative to the root
	root     int         // on the best cycle
	num, den int         // of the best cycle
	counts   bool        // the best cycle counts something
}

type weighed struct{ edge, to, cost, count int }

// newPolicy returns the first edges; nil if the component has no edge.
func newPolicy(g Graph, comp []uint32, member func(uint32) bool, weigh func(uint32, int, uint32) (int, int)) *policy {
	p := &policy{nodes: slices.Sorted(slices.Values(comp))}
	var ends []uint32
	for _, node := range p.nodes {
		var out []weighed
		ends = g.Edges(node, ends[:0])
		for edge, to := range ends {
			if to == None || !member(to) {
				continue
			}
			cost, count := weigh(node, edge, to)
			i, _ := slices.BinarySearch(p.nodes, to)
			out = append(out, weighed{edge, i, cost, count})
		}
		if out == nil {
			return nil
		}
		p.edges = append(p.edges, out)
	}
	p.chosen, p.value = make([]int, len(p.nodes)), make([]int, len(p.nodes))
	return p
}

func (p *policy) next(i int) weighed { return p.edges[i][p.chosen[i]] }

// improve evaluates the policy, and reports whether it has become better.
func (p *policy) improve() (better bool) {
	p.best()
	p.evaluate()
	for i, out := range p.edges {
		for k, e := range out {
			if v := p.relative(e) + p.value[e.to]; v > p.value[i] {
				p.value[i], p.chosen[i], better = v, k, true
			}
		}
	}
	return better
}

// relative is what an edge costs beyond the quotient of the best cycle, times the denominator.
// As long as no cycle counts anything, it is what the edge counts.
func (p *policy) relative(e weighed) int {
	if !p.counts {
		return e.count
	}
	return e.cost*p.den - e.count*p.num
}

// best finds the best cycle of the policy.
func (p *policy) best() {
	met := make([]int, len(p.nodes)) // by which walk
	p.num, p.den, p.counts, p.root = 0, 1, false, -1
	for first := range p.nodes {
		i := first
		for met[i] == 0 {
			met[i] = first + 1
			i = p.next(i).to
		}
		if met[i] != first+1 {
			continue
		}
		num, den := 0, 0
		for at := i; ; {
			e := p.next(at)
			num, den = num+e.cost, den+e.count
			if at = e.to; at == i {
				break
			}
		}
		if p.root < 0 {
			p.root = i
		}
		if den > 0 && (!p.counts || num*p.den > p.num*den) {
			p.num, p.den, p.root, p.counts = num, den, i, true
		}
	}
}

// evaluate finds the values of all nodes. A node whose edges do not lead to the root is given
// an edge that does.
func (p *policy) evaluate() {
	type in struct{ from, edge int }
	into := make([][]in, len(p.nodes))
	for i, out := range p.edges {
		for k, e := range out {
			into[e.to] = append(into[e.to], in{i, k})
		}
	}
	done := make([]bool, len(p.nodes))
	p.value[p.root], done[p.root] = 0, true
	queue := []int{p.root}
	for _, any := range []bool{false, true} {
		for k := 0; k < len(queue); k++ {
			at := queue[k]
			for _, e := range into[at] {
				if done[e.from] || !any && p.chosen[e.from] != e.edge {
					continue
				}
				p.chosen[e.from], done[e.from] = e.edge, true
				p.value[e.from] = p.relative(p.next(e.from)) + p.value[at]
				queue = append(queue, e.from)
			}
		}
	}
}

// cycle is the best cycle, from the root on.
func (p *policy) cycle() (edges []int) {
	for i := p.root; ; {
		e := p.next(i)
		edges = append(edges, e.edge)
		if i = e.to; i == p.root {
			return edges
		}
	}
}
