package permission

import "shmbench/distributed"

// voters is a tree of so many voters, 0 the root, 2v+1 and 2v+2 the children of
// v: an odd number, so that each has two children or none.
type voters int

// votersOf returns the tree of a system of n nodes. Of an even number of nodes
// the last has no vote: its parent would have one child.
func votersOf(n int) voters { return voters(n - 1 + n%2) }

func (t voters) leaf(v distributed.ID) bool { return 2*int(v)+1 >= int(t) }

// quorum appends to q a quorum of the subtree of v: v itself and, below it, a
// quorum of one child's subtree, if there is one that of the side on which node
// me is, which spreads the votes; or, where v is down, a quorum of each child's. It
// reports whether there is one.
func (t voters) quorum(q []distributed.ID, v, me distributed.ID, down []bool) ([]distributed.ID, bool) {
	if t.leaf(v) {
		return append(q, v), !down[v]
	}
	children := [2]distributed.ID{2*v + 1, 2*v + 2}
	if down[v] {
		q, left := t.quorum(q, children[0], me, down)
		q, right := t.quorum(q, children[1], me, down)
		return q, left && right
	}
	if below(me, children[1]) {
		children[0], children[1] = children[1], children[0]
	}
	q = append(q, v)
	for _, c := range children {
		if q, ok := t.quorum(q, c, me, down); ok {
			return q, true
		}
	}
	return q, false
}

// below reports whether node i is in the subtree of v.
func below(i, v distributed.ID) bool {
	for i > v {
		i = (i - 1) / 2
	}
	return i == v
}

// has reports whether the nodes with a true result of voted include a quorum of the
// subtree of v.
func (t voters) has(v distributed.ID, voted func(distributed.ID) bool) bool {
	if t.leaf(v) {
		return voted(v)
	}
	left, right := t.has(2*v+1, voted), t.has(2*v+2, voted)
	return left && right || voted(v) && (left || right)
}

// Paths returns for each of n nodes the tree quorum of Agrawal and El Abbadi that
// it has where no node is down: a path from the root of the tree to a leaf, by
// way of the node if it has a vote. Any two share the root.
func Paths(n int) [][]distributed.ID {
	t, down := votersOf(n), make([]bool, n)
	quorums := make([][]distributed.ID, n)
	for i := range quorums {
		quorums[i], _ = t.quorum(nil, 0, distributed.ID(i), down)
	}
	return quorums
}
