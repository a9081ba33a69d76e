package distributed

import (
	"errors"
	"fmt"
	"slices"
)

// Family is the classic division of mutual exclusion by messages (Raynal, "A
// Simple Taxonomy for Distributed Mutual Exclusion Algorithms", Operating
// Systems Review 25(2), 1991).
type Family string

const (
	Central    Family = "central"    // a coordinator decides
	Permission Family = "permission" // the others, or a quorum, agree
	TokenBased Family = "token"      // the node with the token may enter
)

// An Algorithm is the machine-readable specification of a mutual exclusion algorithm.
type Algorithm struct {
	Name   string // such as "ricart-agrawala"
	Title  string
	Source string // author, title, venue, year, page
	Family Family
	Claims Claims
	Cost   Cost

	// Invariants are what the proof says of every state, where the claims hold.
	Invariants []Invariant

	// Tree and Quorums: the nodes route along Config.Parent, or vote by
	// Config.Quorums. Other algorithms heed neither.
	Tree, Quorums bool

	// Server: node 0 is a server, which need not ask for anything itself.
	Server bool

	// Apart: node 0 is a register that all can reach in spite of a cut: no
	// partition parts it from anybody, it does not crash, and nothing is asked for
	// there.
	Apart bool

	// Lease: a permission lasts Config.Lease ticks and is then taken back.
	Lease bool

	// Forms are the forms of the nodes' messages.
	Forms Forms

	// New builds the n nodes of a system, node i at index i. It fails with one
	// plain line when c is not a system that the algorithm can run.
	New func(c Config) ([]Node, error)
}

// Claims are what an algorithm promises; distributed/explore confirms or refutes each.
// All claim mutual exclusion.
type Claims struct {
	FIFO           bool // rests on each pair's messages arriving in order
	Timely         bool // rests on a message taking at most a tick
	DeadlockFree   bool // while a process waits, some process eventually enters
	StarvationFree bool // every process that waits eventually enters

	// Timers: the nodes set timers, on which progress rests and nothing else.
	Timers bool

	// Survives says in words which faults the claims survive; empty: none, the
	// network neither loses nor duplicates and no node crashes. Crash, Restart,
	// Loss and Duplication say it for single ones, Crash in a system of at least
	// CrashFrom nodes.
	Survives                          string
	Crash, Restart, Loss, Duplication bool
	CrashFrom                         int

	// Wins says what survives a partition: mutual exclusion, and progress where
	// it reports true of node i while the network is cut. Nil: nothing does.
	Wins func(v *View, i ID) bool

	// Hang: when a thread stays inside forever the others go on, and it counts as
	// inside no more. Then, and where timing is not as supposed, two are inside;
	// what is claimed of the resource that they write to are the invariants.
	Hang bool
}

// Cost is the textbook price of an entry in messages and delays.
type Cost struct {
	Messages string // such as "2(N−1)"

	// Idle and Busy bound the mean number of messages an entry, for the nodes of c with one
	// thread each. For Idle there is one request at a time, from each node as often. For Busy
	// every thread always asks. They are nil where there is no such number.
	Idle, Busy func(c Config) (least, most float64)

	// Wait bounds the mean time from a request to the permission with one request at a time,
	// in message delays. Throughput bounds the entries in a message delay if every thread
	// always asks and the critical section is empty. Lone bounds the messages of one
	// uncontended request: the least and the greatest number that is possible. Share bounds
	// the share of all messages that the busiest node sends or takes if every thread always
	// asks. They are nil where there is no such number.
	Wait, Throughput, Lone, Share func(c Config) (least, most float64)

	// Dearest are uncontended requests, one after the other. The last one costs the most
	// of Lone. It is nil where a trial of all requests is enough.
	Dearest func(c Config) []ID

	// SyncDelay is the synchronization delay in message delays under load, in
	// words: from one thread's release to the next one's grant. Sync bounds its
	// mean. Bypass bounds the entries of all others together while one waits, where
	// all ask again and a critical section is longer than any delay. Nil as above.
	SyncDelay    string
	Sync, Bypass func(c Config) (least, most float64)
}

// A Config describes a system to build.
type Config struct {
	Nodes   int // n, at least 2
	Threads int // m threads a node, at least 1

	// Present[i] is how many of its m threads node i begins with, at least 1: the
	// others are room for threads that come from other nodes. Nil: all.
	Present []int

	// Parent is the initial tree of the algorithms that route along one:
	// Parent[i] is the next node on i's way to the first holder of the token,
	// the root, which is its own parent. Nil is CompleteTree(Nodes).
	Parent []ID

	// Server says that nothing is asked for at node 0, of an algorithm that has a
	// server there.
	Server bool

	// Lease is how many ticks a permission lasts, of an algorithm whose
	// permissions do not last forever; 0 is DefaultLease.
	Lease int

	// Quorums[i] is the set of nodes whose votes node i needs (Maekawa). Nil
	// lets the algorithm build them.
	Quorums [][]ID
}

// MaxNodes and MaxThreads are the largest system that Config.Check accepts.
const (
	MaxNodes   = 1 << 20
	MaxThreads = 1 << 16
)

// DefaultLease is how many ticks a permission lasts where a Config sets none,
// MaxLease the most that it may set.
const (
	DefaultLease = 20
	MaxLease     = 200
)

// LeaseTicks returns how many ticks a permission lasts.
func (c Config) LeaseTicks() int32 {
	if c.Lease == 0 {
		return DefaultLease
	}
	return int32(c.Lease)
}

// Check reports in one plain line what is wrong with c's counts and tree.
func (c Config) Check() error {
	switch {
	case c.Nodes < 2:
		return fmt.Errorf("%d nodes: mutual exclusion by messages wants at least 2", c.Nodes)
	case c.Nodes > MaxNodes:
		return fmt.Errorf("%d nodes: at most %d", c.Nodes, MaxNodes)
	case c.Threads < 1:
		return fmt.Errorf("%d threads a node: at least 1", c.Threads)
	case c.Threads > MaxThreads:
		return fmt.Errorf("%d threads a node: at most %d", c.Threads, MaxThreads)
	case c.Lease < 0 || c.Lease > MaxLease:
		return fmt.Errorf("a lease of %d ticks: 1 to %d, or 0 for %d", c.Lease, MaxLease, DefaultLease)
	case c.Present != nil && len(c.Present) != c.Nodes:
		return fmt.Errorf("numbers of threads of %d nodes, for %d nodes", len(c.Present), c.Nodes)
	case slices.ContainsFunc(c.Present, func(k int) bool { return k < 1 || k > c.Threads }):
		return fmt.Errorf("threads %v: each node begins with 1 to %d", c.Present, c.Threads)
	case c.Parent != nil && len(c.Parent) != c.Nodes:
		return fmt.Errorf("a tree of %d parents for %d nodes", len(c.Parent), c.Nodes)
	}
	return CheckTree(c.Parent)
}

// Begins returns how many threads node i begins with.
func (c Config) Begins(i ID) int {
	if c.Present == nil {
		return c.Threads
	}
	return c.Present[i]
}

// Build checks c and makes a node for each id 0..n-1.
func (c Config) Build(node func(i ID) Node) ([]Node, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	nodes := make([]Node, c.Nodes)
	for i := range nodes {
		nodes[i] = node(ID(i))
	}
	return nodes, nil
}

// BuildTree is Build for nodes that know their parent in c's initial tree. The root is
// its own parent.
func (c Config) BuildTree(node func(i, parent ID) Node) ([]Node, error) {
	var parent []ID
	return c.Build(func(i ID) Node { // c has been checked
		if parent == nil {
			parent = c.Tree()
		}
		return node(i, parent[i])
	})
}

// Tree returns c's initial tree.
func (c Config) Tree() []ID {
	if c.Parent != nil {
		return c.Parent
	}
	return CompleteTree(c.Nodes)
}

// CompleteTree returns the complete binary tree of n nodes, rooted at node 0.
func CompleteTree(n int) []ID { return KaryTree(n, 2) }

// Path returns the path of n nodes, rooted at node 0: the parent of i is i-1.
func Path(n int) []ID { return KaryTree(n, 1) }

// KaryTree returns the complete tree of n nodes in which a node has up to k
// children, rooted at node 0: the parent of i is (i-1)/k, and the root is its own
// parent.
func KaryTree(n, k int) []ID {
	parent := make([]ID, n)
	for i := 1; i < n; i++ {
		parent[i] = ID((i - 1) / k)
	}
	return parent
}

// Diameter returns the length of the longest path in a tree, in edges.
func Diameter(parent []ID) int {
	near := make([][]ID, len(parent))
	for i, p := range parent {
		if p != ID(i) {
			near[i], near[p] = append(near[i], p), append(near[p], ID(i))
		}
	}
	farthest := func(from ID) (ID, int) { // breadth first
		queue, before := []ID{from}, map[ID]ID{from: None}
		for k := 0; k < len(queue); k++ {
			for _, j := range near[queue[k]] {
				if _, met := before[j]; !met {
					before[j] = queue[k]
					queue = append(queue, j)
				}
			}
		}
		end, length := queue[len(queue)-1], 0
		for at := before[end]; at != None; at = before[at] {
			length++
		}
		return end, length
	}
	end, _ := farthest(0)
	_, length := farthest(end)
	return length
}

// CheckTree reports what keeps parent from being a tree with one root that is
// its own parent. A nil tree is none and has nothing wrong.
func CheckTree(parent []ID) error {
	root := None
	for i, p := range parent {
		switch {
		case p < 0 || int(p) >= len(parent):
			return fmt.Errorf("the parent of node %d is %d, which is none of 0..%d", i, p, len(parent)-1)
		case p != ID(i):
		case root != None:
			return fmt.Errorf("nodes %d and %d are both roots: one node, the token's first holder, is its own parent", root, i)
		default:
			root = ID(i)
		}
	}
	if len(parent) > 0 && root == None {
		return errors.New("the tree has no root: one node, the token's first holder, must be its own parent")
	}
	reaches := make([]bool, len(parent)) // the root
	var path []ID
	for i := range parent {
		path = path[:0]
		at := ID(i)
		for ; at != root && !reaches[at]; at = parent[at] {
			if len(path) == len(parent) {
				return fmt.Errorf("the tree has a cycle: node %d never reaches the root %d", i, root)
			}
			path = append(path, at)
		}
		for _, p := range path {
			reaches[p] = true
		}
	}
	return nil
}
