package distributed

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
)

// The nodes and the requests under way are one tree: each node but one has an owner, or a
// request under way makes it the child of the receiver.
func TestOwnerTree(t *testing.T) {
	for _, c := range []struct {
		name     string
		owners   []ID
		underWay []Message
		says     string // empty if it holds
	}{
		{"a star", []ID{None, 0, 0}, nil, ""},
		{"a path", []ID{1, 2, None}, nil, ""},
		{"two roots", []ID{None, 0, None}, nil, "no way joins nodes 0 and 2"},
		{"a cycle", []ID{1, 0, None}, nil, "a second way joins nodes 1 and 0"},
		{"a request joins", []ID{None, 0, None}, []Message{{Kind: Request, From: 2, To: 0, Who: 2}}, ""},
		{"a request joins a connected node", []ID{None, 0, 0}, []Message{{Kind: Request, From: 2, To: 0, Who: 2}}, "a second way joins nodes 2 and 0"},
		{"a token joins nothing", []ID{None, 0, None}, []Message{{Kind: Token, From: 2, To: 0, Who: 2}}, "no way joins nodes 0 and 2"},
		{"a token closes no cycle", []ID{None, 0, 0}, []Message{{Kind: Token, From: 2, To: 0, Who: 2}}, ""},
		{"the first node is apart", []ID{None, None, 1}, nil, "no way joins nodes 0 and 1"},
	} {
		inv := OwnerTree("", func(_ *View, i ID) ID { return c.owners[i] }, func(m Message) ID { return m.Who })
		err := inv.Holds(&View{Nodes: make([]Machine, len(c.owners)), UnderWay: c.underWay})
		if c.says == "" {
			require.NoError(t, err, c.name)
		} else {
			require.EqualError(t, err, c.says, c.name)
		}
	}
}

// The token is the end of the path from each node. It is at the node that points to itself,
// or it is under way to a node.
func TestWayToToken(t *testing.T) {
	for _, c := range []struct {
		name     string
		next     []ID
		underWay []Message
		says     string // empty if it holds
	}{
		{"at node 0", []ID{0, 0, 1}, nil, ""},
		{"at node 2", []ID{1, 2, 2}, nil, ""},
		{"a cycle", []ID{0, 2, 1}, nil, "from node 1 no way leads to the token"},
		{"no token", []ID{1, 0, 0}, nil, "from node 0 no way leads to the token"},
		{"under way", []ID{1, 0, 0}, []Message{{Kind: Token, From: 0, To: 1}}, ""},
		{"under way to a node that nodes do not point to", []ID{1, 0, 0}, []Message{{Kind: Token, From: 0, To: 2}}, "from node 0 no way leads to the token"},
		{"a request is no token", []ID{0, 0, 0}, []Message{{Kind: Request, From: 0, To: 2}}, ""},
	} {
		inv := WayToToken("", func(_ *View, i ID) ID { return c.next[i] })
		err := inv.Holds(&View{Nodes: make([]Machine, len(c.next)), UnderWay: c.underWay})
		if c.says == "" {
			require.NoError(t, err, c.name)
		} else {
			require.EqualError(t, err, c.says, c.name)
		}
	}
}

// One token is at a node that is up, or under way.
func TestOneToken(t *testing.T) {
	token := Message{Kind: Token, From: 1, To: 2}
	for _, c := range []struct {
		name      string
		has, down []bool
		underWay  []Message
		says      string // empty if it holds
	}{
		{"none", []bool{false, false}, []bool{false, false}, nil, "there is no token"},
		{"at a node", []bool{false, true}, []bool{false, false}, nil, ""},
		{"under way", []bool{false, false}, []bool{false, false}, []Message{token}, ""},
		{"a request is no token", []bool{false, true}, []bool{false, false}, []Message{{Kind: Request}}, ""},
		{"lost in a crash", []bool{false, true}, []bool{false, true}, nil, "there is no token"},
		{"at two nodes", []bool{true, true}, []bool{false, false}, nil, "there are 2 tokens: at node 0, at node 1"},
		{"at a node and under way", []bool{true, false}, []bool{false, false}, []Message{token}, "there are 2 tokens: at node 0, under way from node 1 to node 2"},
	} {
		inv := OneToken("", func(_ *View, i ID) bool { return c.has[i] })
		err := inv.Holds(&View{Nodes: make([]Machine, len(c.has)), Down: c.down, UnderWay: c.underWay})
		if c.says == "" {
			require.NoError(t, err, c.name)
		} else {
			require.EqualError(t, err, c.says, c.name)
		}
	}
}

// A resource is a node whose state is what Intact returns.
type resource struct {
	Machine
	state error
}

func (r resource) Intact() error { return r.state }

// Intact asks every resource, and no other node.
func TestIntact(t *testing.T) {
	bad := errors.New("bad")
	inv := Intact("name", "source")
	require.Equal(t, "name", inv.Name)
	require.NoError(t, inv.Holds(&View{Nodes: []Machine{nil, resource{}, resource{}}}))
	require.Equal(t, bad, inv.Holds(&View{Nodes: []Machine{nil, resource{}, resource{state: bad}}}))
}
