package tournament

import (
	"fmt"

	"shmbench/shm"
)

// Tournament is a tournament tree over a lock. It has the parts of its specification that do
// not follow from the specification of the node. The nodes can have any lock for as many
// processes as a node has places:
//
//	dekkers := tournament.Tournament{Name: "my/dekkers", Node: dekker.Dekker, Flag: "flag", Shape: tournament.Minimal(2)}
//	lock, err := dekkers.New(n, shm.Packed, shm.Sequential)
type Tournament struct {
	Name   string
	Title  string
	Source shm.Source
	Shape  Shape
	// Node is the specification of the node's lock.
	Node func(shm.Layout, shm.Stores) shm.Algorithm
	// Flag names the register of the node's lock that is set while its process is in its critical
	// section. There is one for each process. Flag is empty if there is none.
	Flag string
}

// Spec returns the specification of the tree. From its nodes a tree keeps the class of
// registers; deadlock freedom and starvation freedom, also on registers that are not atomic if
// the nodes keep exclusion there; and bounded remote references with coherent caches. With a
// single node, the bypass has the node's bound. A register that one process writes or reads at
// a node belongs to a whole subtree here.
func (t Tournament) Spec(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	node, places := t.Node(layout, stores), t.Shape.places
	a := shm.Algorithm{
		Name:          t.Name,
		Title:         t.Title,
		Source:        t.Source,
		Reconstructed: node.Reconstructed,
		Class:         node.Class,
		MinProcs:      1,
		MaxProcs:      shm.MaxProcs,
		Claims:        node.Claims,
		Layout:        layout,
		Stores:        stores,
		New:           func(n int) (shm.Mutex, error) { return t.New(n, layout, stores) },
	}
	a.Claims.FCFS = false
	a.Claims.LocalSpin.DSM = false
	a.Claims.References, a.Claims.Recovery = shm.References{}, nil
	a.Claims.Mixed = shm.Mixed{} // a tree has Lock and Unlock only
	a.Claims.Weakest = inherited(node.Claims.Weakest)
	if bypass := node.Claims.Bypass; bypass.Of(places) != shm.Unbounded {
		a.Claims.Bypass = shm.Formula{Text: fmt.Sprintf("%v for n<=%d, else unbounded", bypass, places), At: func(n int) int {
			if n <= places {
				return bypass.Of(n)
			}
			return shm.Unbounded
		}}
	}
	for _, r := range node.Space {
		values := shm.Formula{} // unbounded
		if r.Values.Of(places) != shm.Unbounded {
			values = shm.Const(r.Values.Of(places))
		}
		a.Space = append(a.Space, shm.Registers{Name: r.Name, Count: t.Shape.perNode(r.Count.Of(places)), Values: values})
	}
	if t.Flag != "" {
		a.Invariants = []shm.Invariant{t.path()}
	}
	return a
}

// inherited has the claims that a tree keeps on registers that are not atomic. If its nodes
// lose exclusion, two processes take one place at the next node, and may stay there.
func inherited(node shm.Weakest) shm.Weakest {
	if node.DeadlockFree.Covers(node.Exclusion) {
		node.DeadlockFree = node.Exclusion
	}
	if node.StarvationFree.Covers(node.Exclusion) {
		node.StarvationFree = node.Exclusion
	}
	return node
}

// New returns the tree for n processes, or a *shm.ProcsError.
func (t Tournament) New(n int, layout shm.Layout, stores shm.Stores) (*Tree, error) {
	node := t.Node(layout, stores)
	return NewTree(t.Name, n, t.Shape, func() (shm.Mutex, error) { return node.New(t.Shape.places) })
}

// path is the lemma that the flag of a process in its critical section is set at every node of
// its path.
func (t Tournament) path() shm.Invariant {
	return shm.Invariant{Name: "path", Source: t.Source, Holds: func(v shm.View) error {
		for i := range v.N() {
			if v.Section(i) != shm.Critical {
				continue
			}
			for _, up := range t.Shape.path(v.N(), i) {
				if !v.Bool("node."+t.Flag, up.node, up.place) {
					return fmt.Errorf("process %d is in its critical section and node[%d].%s[%d] is down", i, up.node, t.Flag, up.place)
				}
			}
		}
		return nil
	}}
}
