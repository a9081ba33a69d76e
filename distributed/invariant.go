package distributed

import (
	"fmt"
	"slices"
)

// An Invariant is a predicate that holds in every reachable state of a system,
// such as a lemma of the algorithm's proof. distributed/explore decides whether
// it holds.
type Invariant struct {
	Name   string // unique among an algorithm's invariants, such as "one token"
	Source string // where the literature states or proves it

	// Holds returns nil if the invariant holds in state v, and otherwise an error
	// of one line that says what is wrong. It does not change v.
	Holds func(v *View) error
}

// A View is a state of a whole system as its invariants see it: the nodes and the
// messages under way between them.
type View struct {
	Nodes    []Machine
	Down     []bool    // by node: it has crashed
	Inside   []bool    // by node: one of its threads is in the critical section
	Side     []bool    // by node: its side of the cut; equal for all nodes if there is no cut
	Lossy    bool      // messages may have been lost, singly or to a partition
	UnderWay []Message // the messages of a pair are in the order of sending if the network keeps that order
}

// A Wrapper is a machine that acts like another machine except for some events. Its state
// is the state of the other machine, which Unwrap returns.
type Wrapper interface{ Unwrap() Machine }

// NodeOf returns node i of v as a value of type N. It unwraps a Wrapper.
func NodeOf[N Machine](v *View, i ID) N { return Unwrapped(v.Nodes[i]).(N) }

// Unwrapped returns m, or the innermost machine that m wraps.
func Unwrapped(m Machine) Machine {
	for {
		w, wraps := m.(Wrapper)
		if !wraps {
			return m
		}
		m = w.Unwrap()
	}
}

// Intact returns the invariant that every node that is a Resource reports itself
// as intact.
func Intact(name, source string) Invariant {
	return Invariant{Name: name, Source: source, Holds: func(v *View) error {
		for _, m := range v.Nodes {
			if r, is := Unwrapped(m).(Resource); is {
				if err := r.Intact(); err != nil {
					return err
				}
			}
		}
		return nil
	}}
}

// OneToken returns the invariant that there is exactly one token. The token is at
// a node, as has reports, or under way.
func OneToken(source string, has func(v *View, i ID) bool) Invariant {
	return Invariant{Name: "one token", Source: source, Holds: func(v *View) error {
		var where []string
		for i := range ID(len(v.Nodes)) {
			if !v.Down[i] && has(v, i) {
				where = append(where, fmt.Sprintf("at node %d", i))
			}
		}
		for _, m := range v.UnderWay {
			if m.Kind == Token {
				where = append(where, fmt.Sprintf("under way from node %d to node %d", m.From, m.To))
			}
		}
		switch len(where) {
		case 0:
			return fmt.Errorf("there is no token")
		case 1:
			return nil
		}
		return fmt.Errorf("there are %d tokens: %s, %s", len(where), where[0], where[1])
	}}
}

// WayToToken returns the invariant that the path along next leads from every node to
// the token. The token is at the node that is next to itself. While the token is under
// way, the path leads to its destination. So the nodes are a tree with this node as the
// root.
func WayToToken(source string, next func(v *View, i ID) ID) Invariant {
	return Invariant{Name: "a way to the token", Source: source, Holds: func(v *View) error {
		root := None
		for i := range ID(len(v.Nodes)) {
			if next(v, i) == i {
				root = i
			}
		}
		for _, m := range v.UnderWay {
			if m.Kind == Token {
				root = m.To
			}
		}
		for i := range ID(len(v.Nodes)) {
			at := i
			for range v.Nodes {
				if at == root {
					break
				}
				at = next(v, at)
			}
			if at != root {
				return fmt.Errorf("from node %d no way leads to the token", i)
			}
		}
		return nil
	}}
}

// OwnerTree returns the invariant that the pointers to probable owners, as owner returns
// them, are a tree. The pointer of a root is None. A request that is on its way to node j
// counts as the edge between j and node k = end(request). Node k has removed this edge from
// its pointer.
func OwnerTree(source string, owner func(v *View, i ID) ID, end func(Message) ID) Invariant {
	return Invariant{Name: "a tree of owners", Source: source, Holds: func(v *View) error {
		part := make([]int, len(v.Nodes)) // of the nodes so far connected
		for i := range part {
			part[i] = i
		}
		parts := len(part)
		join := func(i, j ID) error {
			a, b := part[i], part[j]
			if a == b {
				return fmt.Errorf("a second way joins nodes %d and %d", i, j)
			}
			for k := range part {
				if part[k] == b {
					part[k] = a
				}
			}
			parts--
			return nil
		}
		for i := range ID(len(v.Nodes)) {
			if o := owner(v, i); o != None {
				if err := join(i, o); err != nil {
					return err
				}
			}
		}
		for _, m := range v.UnderWay {
			if m.Kind == Request {
				if err := join(end(m), m.To); err != nil {
					return err
				}
			}
		}
		if parts > 1 {
			apart := slices.IndexFunc(part, func(p int) bool { return p != part[0] })
			return fmt.Errorf("no way joins nodes 0 and %d", apart)
		}
		return nil
	}}
}
