// Package numa holds the locks for machines with several memory nodes. An exit section prefers
// a waiting process on its own node, a bounded number of times in a row.
package numa

import (
	"fmt"
	"slices"

	"shmbench/shm"
)

// Nodes says where the processes are. Nodes(i) is the path of process i in a tree of groups of
// processors, from the outermost group inwards: its node, its group within that node, and so
// on. The path has the same length for every process, and is empty on a machine of one node. A
// process stays on its node during a passage.
type Nodes func(process int) (path []int)

// InTurn assigns the processes in turn to the given numbers of nodes, of groups on each node,
// and so on. InTurn() is a machine of one node.
//
// The catalog has InTurn(2): process i is on node i mod 2. It does not depend on the machine,
// so that the same lock is checked everywhere. Two processes are on two nodes, so that the
// lock between the nodes has an effect. Four processes are two on each node, the least at
// which both nodes can hand over. The specifications hold for four processes, in batches of
// one and of two: all states were visited of C-BO-MCS (25,344 with batches of two), C-MCS-MCS
// (70,336), HMCS of two levels (1,245,476), CNA (8,118,442) and HBO (1,085,231). All states
// within two passages were visited of C-TKT-TKT (127,423) and HTicket (266,075). HCLH and
// HMCS of three levels have too many states.
func InTurn(groups ...int) Nodes {
	return func(process int) []int {
		path := make([]int, len(groups))
		for level, count := range groups {
			path[level] = process % count
			process /= count
		}
		return path
	}
}

// Listed has the path of each process in a list, and repeats the list for further processes.
func Listed(paths [][]int) Nodes {
	return func(process int) []int { return paths[process%len(paths)] }
}

// one reports whether the machine has one node.
func (nodes Nodes) one() bool { return len(nodes(0)) == 0 }

// others is the formula of the processes that enter before a process whose node has its place:
// batch processes in a row of each other node, or one if that node has a single process.
func (nodes Nodes) others(batch int) *shm.Formula {
	return &shm.Formula{Text: fmt.Sprintf("%d * (nodes-1)", batch), At: func(n int) int {
		_, size := nodes.places(n)
		sum, least := 0, 0
		for _, processes := range size {
			turn := min(batch, 1)
			if processes > 1 {
				turn = batch
			}
			sum += turn
			if least == 0 || turn < least {
				least = turn
			}
		}
		return sum - least // of the node that has least itself
	}}
}

// orPlain returns the specification of a lock for several nodes. On a machine of one node it
// returns the specification of the lock that it is made of, because such a machine has nothing
// to prefer and should not pay for it.
func (nodes Nodes) orPlain(a shm.Algorithm, plain func(shm.Layout, shm.Stores) shm.Algorithm) shm.Algorithm {
	if !nodes.one() {
		return a
	}
	p := plain(a.Layout, a.Stores)
	p.Name, p.Title, p.Source, p.Reconstructed = a.Name, a.Title, a.Source, a.Reconstructed
	p.Simplified, p.Explored = a.Simplified, a.Explored
	// New names the lock for several nodes in its errors.
	return p.BuiltOver(p, p.Layout, p.Stores, func(_ shm.Build, lock shm.Mutex) shm.Mutex { return lock })
}

// place is the node of a process, and its number there.
type place struct {
	node int // from 0 on, in the order in which processes name them
	rank int // among the processes of its node
}

// places numbers the nodes of n processes, and the processes of each node. size has the number
// of processes of each node.
func (nodes Nodes) places(n int) (of []place, size []int) {
	var known []int
	one := nodes.one()
	for i := range n {
		name := 0
		if !one {
			name = nodes(i)[0]
		}
		node := slices.Index(known, name)
		if node < 0 {
			node = len(known)
			known, size = append(known, name), append(size, 0)
		}
		of = append(of, place{node, size[node]})
		size[node]++
	}
	return of, size
}

// count returns the number of nodes that n processes are on.
func (nodes Nodes) count(n int) int {
	_, size := nodes.places(n)
	return len(size)
}

// shared returns the number of nodes with several of n processes.
func (nodes Nodes) shared(n int) (count int) {
	_, size := nodes.places(n)
	for _, processes := range size {
		if processes > 1 {
			count++
		}
	}
	return count
}
