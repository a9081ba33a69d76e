// Package tournament holds the tournament trees: n-process locks made of
// two-process locks, in which a process climbs from its leaf to the root.
package tournament

import (
	"fmt"
	"math/bits"

	"shmbench/shm"
)

// Tree is a tournament tree over any two-process lock. The locks of this
// package are Trees; their files say which lock is at the nodes.
//
// Source: lecture notes "Algorithms for Concurrent Distributed Systems: The
// Mutual Exclusion Problem"; Gadi Taubenfeld, "Synchronization Algorithms and
// Concurrent Programming", 2006.
//
// Registers: those of the two-process lock, at each of the 2^k - 1 nodes of
// the complete binary tree with k = ceil(log2 n) levels. Nodes are numbered
// from the root, 1, down and from left to right; process i begins at node
// 2^(k-1) + floor(i/2). Where n is not a power of two, the remaining leaves
// belong to nobody, and nodes that no process can reach are not built.
//
// Properties: mutual exclusion and freedom from deadlock and lockout follow
// from the node's, by induction over the levels: the holder of a node is the
// one process that takes the node's side at its parent.
//
//	entry section of process i:
//	T1  v := 2^(k-1) + floor(i/2), side := i mod 2
//	T2  while v >= 1:
//	T3      enter node v as process side
//	T4      v, side := floor(v/2), v mod 2
//	exit section of process i:
//	T5  for each node v on the path from the root down to the leaf:
//	T6      leave node v as the side that was taken there
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
	k    int         // levels
	node []shm.Mutex // node[v], v >= 1; nil where no process can come
}

// NewTree returns a tree for n processes with a two-process lock from newNode
// at each node. It returns newNode's error, or a *shm.ProcsError under the
// name of the algorithm.
func NewTree(algorithm string, n int, newNode func() (shm.Mutex, error)) (*Tree, error) {
	if err := shm.CheckProcs(algorithm, n, 1, shm.MaxProcs); err != nil {
		return nil, err
	}
	k := bits.Len(uint(n - 1))
	t := &Tree{k: k, node: make([]shm.Mutex, 1<<k)}
	for i := range n {
		for v := t.leaf(i); v >= 1 && t.node[v] == nil; v /= 2 {
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
	side := i % 2
	for v := t.leaf(i); v >= 1; v /= 2 { // T1, T2
		t.node[v].Lock(side) // T3
		side = v % 2         // T4
	}
}

// Unlock is the exit section of process i.
func (t *Tree) Unlock(i int) {
	path := 1<<t.k + i                      // the leaf's child: its bits, from the top, are the path
	for level := t.k; level >= 1; level-- { // T5
		t.node[path>>level].Unlock(path >> (level - 1) % 2) // T6
	}
}

// leaf returns the node at which process i begins, 0 in a tree without nodes.
func (t *Tree) leaf(i int) int { return (1<<t.k + i) / 2 }

// reachable is the number of nodes that n processes can come to.
func reachable(n int) int {
	nodes := 0
	for n > 1 {
		n = (n + 1) / 2
		nodes += n
	}
	return nodes
}

// perNode is the formula of registers of which each node has count.
func perNode(text string, count int) shm.Formula {
	return shm.Formula{Text: text + " for n=2^k", At: func(n int) int { return count * reachable(n) }}
}

// holdsPath is the invariant that a process in its critical section has its
// flag up at every node of its path, under the name that the node's lock gives
// to the flag.
func holdsPath(flag string, source shm.Source) shm.Invariant {
	return shm.Invariant{Name: "path", Source: source, Holds: func(v shm.View) error {
		k := bits.Len(uint(v.N() - 1))
		for i := range v.N() {
			for level := 1; level <= k && v.Section(i) == shm.Critical; level++ {
				path := 1<<k + i
				node, side := path>>level, path>>(level-1)%2
				if !v.Bool("node."+flag, node, side) {
					return fmt.Errorf("process %d is in its critical section and node[%d].%s[%d] is down", i, node, flag, side)
				}
			}
		}
		return nil
	}}
}
