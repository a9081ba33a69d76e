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
	Permission Family = "permission" // all other nodes, or a quorum of nodes, agree
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

	// Invariants hold in every reachable state where the claims hold. They come
	// from the proof.
	Invariants []Invariant

	// Tree says that the nodes route along Config.Parent. Quorums says that they
	// vote by Config.Quorums. All other algorithms ignore these fields of a
	// Config.
	Tree, Quorums bool

	// Server says that node 0 is a server, which need not make requests itself.
	Server bool

	// Apart says that node 0 is a register. No partition separates it from any
	// node, it does not crash, and it makes no requests.
	Apart bool

	// Lease says that a permission lasts Config.Lease ticks and then expires.
	Lease bool

	// Forms lists the forms of the nodes' messages.
	Forms Forms

	// New builds the n nodes of a system, with node i at index i. It returns an
	// error of one line if the algorithm cannot run the system c.
	New func(c Config) ([]Node, error)
}

// Claims are the promises of an algorithm; distributed/explore confirms or refutes
// each of them. All algorithms claim mutual exclusion.
type Claims struct {
	FIFO           bool // relies on each pair's messages arriving in order
	Timely         bool // relies on a message taking at most one tick
	DeadlockFree   bool // while a process waits, some process eventually enters
	StarvationFree bool // every process that waits eventually enters its critical section

	// Timers says that the nodes set timers. Progress relies on timers; safety
	// does not.
	Timers bool

	// Survives says in words which faults the claims survive. If it is empty, the
	// claims need a network that neither loses nor duplicates messages, and nodes
	// that do not crash. Crash, Restart, Loss and Duplication say it for single
	// faults, Crash for systems of at least CrashFrom nodes.
	Survives                          string
	Crash, Restart, Loss, Duplication bool
	CrashFrom                         int

	// Wins says that mutual exclusion survives a partition. Progress survives it
	// at each node i that makes Wins return true while the network is cut. If Wins
	// is nil, no claim survives a partition.
	Wins func(v *View, i ID) bool

	// Hang says that the other threads continue when a thread stays in its
	// critical section forever: the hung thread no longer counts. Two threads can
	// then be in the critical section, as they can when delays are longer than
	// supposed. In both cases the Invariants still hold for the resource that the
	// threads write to.
	Hang bool
}

// Cost is the textbook cost of one entry, in messages and message delays.
type Cost struct {
	Messages string // such as "2(N−1)"

	// Idle and Busy bound the mean number of messages per entry, for the nodes of c with one
	// thread each. Idle is for one request at a time, with equally many requests from each
	// node. Busy is for threads that always request. A field is nil where no such bound is
	// known.
	Idle, Busy func(c Config) (least, most float64)

	// Wait bounds the mean time from a request to the permission, in message delays, with
	// one request at a time. Throughput bounds the entries per message delay if every thread
	// always requests and the critical section is empty. Lone bounds the messages of one
	// uncontended request: the least and the greatest number possible. Share bounds the
	// share of all messages that the busiest node sends or receives if every thread always
	// requests. A field is nil where no such bound is known.
	Wait, Throughput, Lone, Share func(c Config) (least, most float64)

	// Dearest returns uncontended requests, one after the other. The last of them costs
	// the greatest number of Lone. It is nil where trying all requests is enough.
	Dearest func(c Config) []ID

	// SyncDelay is the synchronization delay in message delays under load, in
	// words: the time from one thread's release to the next thread's grant. Sync
	// bounds the mean of this delay. Bypass bounds the entries of all other threads
	// together while one thread waits. It supposes that all threads request again
	// and that a critical section is longer than any delay. A field is nil where no
	// such bound is known.
	SyncDelay    string
	Sync, Bypass func(c Config) (least, most float64)
}

// A Config describes a system to build.
type Config struct {
	Nodes   int // n, at least 2
	Threads int // m threads per node, at least 1

	// Present[i] is how many of its m threads node i begins with, at least 1. The
	// others are room for threads that come from other nodes. Nil means all m.
	Present []int

	// Parent is the initial tree of the algorithms that route along a tree.
	// Parent[i] is the next node on the way from node i to the root, which holds
	// the token first. The root is its own parent. Nil means CompleteTree(Nodes).
	Parent []ID

	// Server says that node 0 makes no requests, in an algorithm that has a server
	// there.
	Server bool

	// Lease is how many ticks a permission lasts, in an algorithm whose
	// permissions expire. 0 means DefaultLease.
	Lease int

	// Quorums[i] is the set of nodes whose votes node i needs (Maekawa). If
	// Quorums is nil, the algorithm builds the quorums.
	Quorums [][]ID
}

// MaxNodes and MaxThreads limit the systems that Config.Check accepts.
const (
	MaxNodes   = 1 << 20
	MaxThreads = 1 << 16
)

// DefaultLease is how many ticks a permission lasts where a Config sets no lease.
// MaxLease is the longest lease that a Config may set.
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

// Check returns an error of one line if the counts or the tree of c are invalid.
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

// Begins returns the number of threads that node i begins with.
func (c Config) Begins(i ID) int {
	if c.Present == nil {
		return c.Threads
	}
	return c.Present[i]
}

// Build checks c and makes a node for each id in 0..n-1.
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

// BuildTree is like Build, for nodes that know their parent in c's initial tree. The
// root is its own parent.
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
// children. Node 0 is the root. The parent of node i is (i-1)/k, and the root is
// its own parent.
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

// CheckTree returns an error if parent is not a tree whose root is its own
// parent. It accepts nil, which stands for no tree.
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
