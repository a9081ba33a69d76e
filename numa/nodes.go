// Package numa holds the locks for machines whose memory is nearer to some of the
// processors than to others: a leaving process prefers one that waits on its own node,
// a bounded number of times in a row.
package numa

import (
	"fmt"
	"slices"

	"shmbench/shm"
)

// Nodes says where the processes are: Nodes(i) is the path of process i down a tree
// of groups of processors, from the outside in: its node, which of the groups of that
// node, and so on. It is as long for every process, and empty if the machine is one
// node. A process stays where it is during a passage.
type Nodes func(process int) (path []int)

// InTurn deals the processes out in turn: over so many nodes, on each over so many
// groups, and so on. InTurn() is a machine of one node.
//
// The catalog has InTurn(2): process i on node i mod 2. It does not depend on the
// machine, so that what is checked is the same everywhere; two processes are on two
// nodes, so that the lock between the nodes has something to do; and four are two on
// each, the least at which both nodes can hand over. Of four every state was visited, in
// batches of one and of two, of C-BO-MCS (25,344 with two), C-MCS-MCS (70,336), HMCS of two
// levels (1,245,476), CNA (8,118,442), HBO (1,085,231), and within two passages of
// C-TKT-TKT (127,423) and HTicket (266,075): the specifications hold. Of HCLH and of HMCS
// of three levels it were too many.
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

// Listed has the path of each process in a list, and those of further processes from
// its begin on.
func Listed(paths [][]int) Nodes {
	return func(process int) []int { return paths[process%len(paths)] }
}

// one reports whether the machine is one node.
func (nodes Nodes) one() bool { return len(nodes(0)) == 0 }

// others is the formula of what a process waits for that has its place among the nodes:
// each other node has batch in a row, or one if it has a single process.
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

// orPlain returns the specification of a lock for several nodes, or on a machine of one
// node that of the lock that it is made of, which it then is: there is nothing to prefer
// there, and nothing to pay for.
func (nodes Nodes) orPlain(a shm.Algorithm, plain func(shm.Layout, shm.Stores) shm.Algorithm) shm.Algorithm {
	if !nodes.one() {
		return a
	}
	p := plain(a.Layout, a.Stores)
	build := p.New
	p.Name, p.Title, p.Source, p.Reconstructed = a.Name, a.Title, a.Source, a.Reconstructed
	p.Simplified, p.Explored = a.Simplified, a.Explored
	p.New = func(n int) (shm.Mutex, error) {
		if err := shm.CheckProcs(a.Name, n, a.MinProcs, a.MaxProcs); err != nil {
			return nil, err
		}
		return build(n)
	}
	return p
}

// place is where a process is among those of one lock.
type place struct {
	node int // from 0 on, in the order in which processes name them
	rank int // among the processes of its node
}

// places numbers the nodes of n processes, and the processes of each; size has how
// many these are.
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

// count returns on how many nodes n processes are.
func (nodes Nodes) count(n int) int {
	_, size := nodes.places(n)
	return len(size)
}

// shared returns how many nodes have several of n processes.
func (nodes Nodes) shared(n int) (count int) {
	_, size := nodes.places(n)
	for _, processes := range size {
		if processes > 1 {
			count++
		}
	}
	return count
}
