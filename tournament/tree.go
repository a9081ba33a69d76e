// Package tournament holds the tournament trees: n-process locks made of locks
// for fewer, mostly two, in which a process climbs from its leaf to the root.
package tournament

import "shmbench/shm"

// Tree is a tournament tree over any lock. The locks of this package that are
// Trees say which lock is at the nodes.
//
// Source: lecture notes "Algorithms for Concurrent Distributed Systems: The
// Mutual Exclusion Problem"; Gadi Taubenfeld, "Synchronization Algorithms and
// Concurrent Programming", 2006, p. 38, for the complete binary tree; Peter A.
// Buhr, David Dice and Wim H. Hesselink, "High-performance N-thread software
// solutions for mutual exclusion", Concurrency and Computation: Practice and
// Experience 27(3), 2015, p. 651-701, for the minimal one.
//
// Registers: those of the node's lock, at each node.
//
// Properties: mutual exclusion, deadlock freedom and starvation freedom follow from those of
// the node, by induction over the levels: only the holder of a node takes the node's place at
// its parent. Order of arrival and bounded waiting do not follow: after it wins a node and
// before it arrives at the next, other processes do not see a process.
//
// The doorway is that of the lowest node.
//
//	entry section of process i:
//	T1  for each node v on the path from the leaf of process i up to the root:
//	T2      enter node v as the process whose place the path takes there
//	exit section of process i:
//	T3  for each node v on the path from the root down to the leaf:
//	T4      leave node v as the process whose place was taken there
//
// Released stores are those of the node's lock. The stores of an exit section reach memory
// in order, from the root down. So the place at a node is free before the next process can
// take it.
//
// Deviations: the notes and the books compute the path while a process climbs. Here it is
// stored when the tree is built. At each node the notes' exit section clears want before it
// hands over the priority. Here each node is left by the exit section of its lock. In a
// complete tree a process also passes the nodes that it has to itself, as in Taubenfeld's
// book.
type Tree struct {
	_    shm.NoCopy
	node []shm.Mutex // node[v], v >= 1; nil where no process can come
	path [][]place
}

// place is the place of a process at a node on its path.
type place struct {
	node shm.Mutex
	at   int
}

// NewTree returns a tree for n processes with a lock from newNode at each node. Each lock
// is for as many processes as a node of the shape has places. It returns newNode's error,
// or a *shm.ProcsError under the name of the algorithm.
func NewTree(algorithm string, n int, shape Shape, newNode func() (shm.Mutex, error)) (*Tree, error) {
	if err := shm.CheckProcs(algorithm, n, 1, shm.MaxProcs); err != nil {
		return nil, err
	}
	t := &Tree{node: make([]shm.Mutex, shape.inner(n)+1), path: make([][]place, n)}
	for i := range n {
		for _, up := range shape.path(n, i) {
			if t.node[up.node] == nil {
				node, err := newNode()
				if err != nil {
					return nil, err
				}
				t.node[up.node] = node
			}
			t.path[i] = append(t.path[i], place{t.node[up.node], up.place})
		}
	}
	return t, nil
}

// Lock acquires the lock for process i.
func (t *Tree) Lock(i int) {
	for _, up := range t.path[i] { // T1
		up.node.Lock(up.at) // T2
	}
}

// Unlock releases the lock for process i.
func (t *Tree) Unlock(i int) {
	path := t.path[i]
	for k := len(path) - 1; k >= 0; k-- { // T3
		path[k].node.Unlock(path[k].at) // T4
	}
}
