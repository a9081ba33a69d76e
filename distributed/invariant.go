package distributed

import (
	"fmt"
	"slices"
)

// Invariant is a predicate that holds in every state that a system can reach,
// such as a lemma of the algorithm's proof. distributed/explore decides it.
type Invariant struct {
	Name   string // unique among an algorithm's invariants, such as "one token"
	Source string // where it is stated or proved

	// Holds returns nil if the invariant holds in a state, and else an error
	// that says in a line what is wrong. It changes nothing in v.
	Holds func(v *View) error
}

// View is a state of a whole system, as its invariants see it: the nodes and
// what is under way between them.
type View struct {
	Nodes    []Machine
	Down     []bool    // by node: it has crashed
	Inside   []bool    // by node: one of its threads is inside
	Side     []bool    // by node: on which side of the cut it is; all alike: there is none
	Lossy    bool      // messages may have been lost, one by one or to a partition
	UnderWay []Message // those of a pair in the order sent, where the network keeps it
}

// A Wrapper is a machine that acts as another one does, except for some events; its state
// is the other's.
type Wrapper interface{ Unwrap() Machine }

// NodeOf returns node i of v, which is of type N or wraps one that is.
func NodeOf[N Machine](v *View, i ID) N { return Unwrapped(v.Nodes[i]).(N) }

// Unwrapped returns m, or what it wraps.
func Unwrapped(m Machine) Machine {
	for {
		w, wraps := m.(Wrapper)
		if !wraps {
			return m
		}
		m = w.Unwrap()
	}
}

// Intact says of the nodes that are a Resource that what was written is in order.
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

// OneToken says that there is one token: at a node, as has reports, or under
// way. At no time are there two, and none is lost.
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

// WayToToken says that the path along next leads from every node to the token: to the
// node that is next to itself or, while the token is under way, to the one that it goes
// to. So the nodes are a tree rooted there.
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

// OwnerTree says that the pointers to probable owners, as owner returns them, are a tree. The
// pointer of a root is None. A request that is on its way to node j counts as the edge
// between j and node k = end(request). That node has removed the edge from its pointer.
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
