package tournament

import (
	"fmt"

	"shmbench/shm"
)

// Shape is the shape of a tree: its nodes, and the nodes that each process passes. With two
// places at a node, the root is 1 and the children of node v are 2v and 2v+1. With d places,
// the children of node v are the d nodes from d(v-1)+2 on. The leaves, which are no nodes, are
// numbered after the nodes.
type Shape struct {
	places  int
	minimal bool
}

// Complete is the complete tree with d places at a node and the fewest levels for n processes:
// each process passes ceil(log_d n) nodes. If n is not a power of d, the remaining leaves
// belong to no process, and nodes that no process can reach are not built.
func Complete(d int) Shape { return Shape{places: atLeastTwo(d)} }

// Minimal is the tree with the fewest nodes, ceil((n-1)/(d-1)). Places belong to nodes, in
// order, as long as there are too few places, and then to processes. With two places at a
// node, process i begins at leaf n + i.
func Minimal(d int) Shape { return Shape{places: atLeastTwo(d), minimal: true} }

func atLeastTwo(d int) int {
	if d < 2 {
		panic(fmt.Sprintf("tournament: a node with %d places: it must have 2 or more", d))
	}
	return d
}

// A step is a node on the way up and the place taken there.
type step struct{ node, place int }

// path returns the way of process i up, one of n.
func (s Shape) path(n, i int) []step {
	var path []step
	for v := s.inner(n) + 1 + i; v > 1; { // the leaf
		up := step{node: (v-2)/s.places + 1, place: (v - 2) % s.places}
		path = append(path, up)
		v = up.node
	}
	return path
}

// inner is the number of nodes before the first leaf, built or not.
func (s Shape) inner(n int) int {
	if s.minimal {
		return (n + s.places - 3) / (s.places - 1)
	}
	inner := 0
	for width := 1; width < n; width *= s.places {
		inner += width
	}
	return inner
}

// nodes is the number of nodes that n processes can come to.
func (s Shape) nodes(n int) int {
	if s.minimal {
		return s.inner(n)
	}
	nodes := 0
	for n > 1 {
		n = (n + s.places - 1) / s.places
		nodes += n
	}
	return nodes
}

// perNode is the formula of registers when each node has count of them.
func (s Shape) perNode(count int) shm.Formula {
	text := "n-1"
	if count > 1 {
		text = fmt.Sprintf("%d(n-1)", count)
	}
	if s.places > 2 {
		text += fmt.Sprintf("/%d", s.places-1)
	}
	if !s.minimal || s.places > 2 {
		text += fmt.Sprintf(" for n=%d^k", s.places)
	}
	return shm.Formula{Text: text, At: func(n int) int { return count * s.nodes(n) }}
}
