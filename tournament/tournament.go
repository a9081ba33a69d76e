package tournament

import (
	"fmt"

	"shmbench/shm"
)

// Tournament is a tournament tree of a two-process lock: what its card does not
// have from the card of the node. Any two-process lock can be the node:
//
//	dekkers := tournament.Tournament{Name: "my/dekkers", Node: dekker.Dekker, Flag: "flag", Shape: tournament.Minimal}
//	lock, err := dekkers.New(n, shm.Packed, shm.Sequential)
type Tournament struct {
	Name   string
	Title  string
	Source shm.Source
	Shape  Shape
	// Node is the card of the two-process lock.
	Node func(shm.Layout, shm.Stores) shm.Algorithm
	// Flag names the register of the node's lock, one a process, that is up while
	// that process is in its critical section; empty if it has none.
	Flag string
}

// Card returns the card of the tree, with what a tree keeps of its nodes: their
// class of registers, and freedom from deadlock and lockout, also on registers
// that are not atomic. The bypass is the node's for two processes, and there is
// none for more. What a single process writes at a node, a subtree writes here.
func (t Tournament) Card(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	node := t.Node(layout, stores)
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
	if bypass := node.Claims.Bypass; bypass.Of(2) != shm.Unbounded {
		a.Claims.Bypass = shm.Formula{Text: bypass.Text + " for n<=2, else unbounded", At: func(n int) int {
			if n <= 2 {
				return bypass.Of(n)
			}
			return shm.Unbounded
		}}
	}
	for _, r := range node.Space {
		a.Space = append(a.Space, shm.Registers{Name: r.Name, Count: t.Shape.perNode(r.Count.Of(2)), Values: shm.Const(r.Values.Of(2))})
	}
	if t.Flag != "" {
		a.Invariants = []shm.Invariant{t.Shape.path(t.Flag, t.Source)}
	}
	return a
}

// New returns the tree for n processes, or a *shm.ProcsError.
func (t Tournament) New(n int, layout shm.Layout, stores shm.Stores) (*Tree, error) {
	node := t.Node(layout, stores)
	return NewTree(t.Name, n, t.Shape, func() (shm.Mutex, error) { return node.New(2) })
}

// perNode is the formula of registers of which each node has count.
func (s Shape) perNode(count int) shm.Formula {
	text := "n-1"
	if count > 1 {
		text = fmt.Sprintf("%d(n-1)", count)
	}
	if s == Complete {
		text += " for n=2^k"
	}
	return shm.Formula{Text: text, At: func(n int) int { return count * s.nodes(n) }}
}

// path is the invariant that a process in its critical section has its flag up
// at every node of its path, under the name that the node's lock gives to the
// flag.
func (s Shape) path(flag string, source shm.Source) shm.Invariant {
	return shm.Invariant{Name: "path", Source: source, Holds: func(v shm.View) error {
		for i := range v.N() {
			for place := s.leaf(v.N(), i); place > 1 && v.Section(i) == shm.Critical; place /= 2 {
				if node, side := place/2, place%2; !v.Bool("node."+flag, node, side) {
					return fmt.Errorf("process %d is in its critical section and node[%d].%s[%d] is down", i, node, flag, side)
				}
			}
		}
		return nil
	}}
}
