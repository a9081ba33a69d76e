// Package tournament holds the tournament trees: n-process locks made of
// two-process locks, in which a process climbs from its leaf to the root.
package tournament

import (
	"math/bits"

	"shmbench/shm"
)

// Shape says which nodes a tree has. Nodes are numbered from the root, 1, down
// and from left to right, so that the children of node v are 2v and 2v+1; the
// leaves, which are no nodes, are numbered on.
type Shape uint8

const (
	// Complete is the complete binary tree with k = ceil(log2 n) levels of nodes,
	// in which process i begins at leaf 2^k + i: each passes k nodes. Where n is not
	// a power of two, the remaining leaves belong to nobody, and nodes that no
	// process can reach are not built.
	Complete Shape = iota
	// Minimal is the tree in which process i begins at leaf n + i: it has n-1 nodes,
	// each with two children, and a process passes floor(log2 n) or ceil(log2 n) of
	// them.
	Minimal
)

// leaf returns the number of the leaf of process i; it is 1 in a tree without
// nodes.
func (s Shape) leaf(n, i int) int {
	if s == Minimal {
		return n + i
	}
	return 1<<bits.Len(uint(n-1)) + i
}

// nodes is the number of nodes that n processes can come to.
func (s Shape) nodes(n int) int {
	if s == Minimal {
		return n - 1
	}
	nodes := 0
	for n > 1 {
		n = (n + 1) / 2
		nodes += n
	}
	return nodes
}

// Tree is a tournament tree over any two-process lock. The locks of this
// package that are Trees say which lock is at the nodes.
//
// Source: lecture notes "Algorithms for Concurrent Distributed Systems: The
// Mutual Exclusion Problem"; Gadi Taubenfeld, "Synchronization Algorithms and
// Concurrent Programming", 2006, p. 38, for the complete tree; Peter A. Buhr, David
// Dice and Wim H. Hesselink, "High-performance N-thread software solutions for
// mutual exclusion", Concurrency and Computation: Practice and Experience 27(3),
// 2015, p. 651-701, for the minimal one.
//
// Registers: those of the two-process lock, at each node.
//
// Properties: mutual exclusion and freedom from deadlock and lockout follow
// from the node's, by induction over the levels: the holder of a node is the
// one process that takes the node's side at its parent. Order of arrival and
// bounded waiting do not: between winning one node and showing itself at the
// next, a process is out of sight of the other side.
//
//	entry section of process i:
//	T1  v := the leaf of process i
//	T2  while v > 1:
//	T3      enter node floor(v/2) as process v mod 2
//	T4      v := floor(v/2)
//	exit section of process i:
//	T5  for each v on the path from a child of the root down to the leaf:
//	T6      leave node floor(v/2) as process v mod 2
//
// Released stores are those of the node's lock. The exit section's reach memory in
// its order, from the root down, so that the side of a node is free before the next
// process can come there.
//
// Deviations: the notes write the climb as a recursion; here it is a loop. At
// each node their exit section clears want before it hands the priority over,
// while a Tree leaves a node as its two-process lock does.
type Tree struct {
	_    shm.NoCopy
	leaf int         // of process 0; the others follow
	node []shm.Mutex // node[v], v >= 1; nil where no process can come
}

// NewTree returns a tree for n processes with a two-process lock from newNode
// at each node. It returns newNode's error, or a *shm.ProcsError under the
// name of the algorithm.
func NewTree(algorithm string, n int, shape Shape, newNode func() (shm.Mutex, error)) (*Tree, error) {
	if err := shm.CheckProcs(algorithm, n, 1, shm.MaxProcs); err != nil {
		return nil, err
	}
	leaf := shape.leaf(n, 0)
	t := &Tree{leaf: leaf, node: make([]shm.Mutex, leaf)}
	for i := range n {
		for v := (leaf + i) / 2; v >= 1 && t.node[v] == nil; v /= 2 {
			node, err := newNode()
			if err != nil {
				return nil, err
			}
			t.node[v] = node
		}
	}
	return t, nil
}

// Lock is the entry section of process i.
func (t *Tree) Lock(i int) {
	for v := t.leaf + i; v > 1; v /= 2 { // T1, T2, T4
		t.node[v/2].Lock(v % 2) // T3
	}
}

// Unlock is the exit section of process i.
func (t *Tree) Unlock(i int) {
	leaf := t.leaf + i                                           // its bits, after the first, are the path down
	for level := bits.Len(uint(leaf)) - 2; level >= 0; level-- { // T5
		v := leaf >> level
		t.node[v/2].Unlock(v % 2) // T6
	}
}
