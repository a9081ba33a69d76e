package distributed

import (
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
		holds    bool
	}{
		{"a star", []ID{None, 0, 0}, nil, true},
		{"a path", []ID{1, 2, None}, nil, true},
		{"two roots", []ID{None, 0, None}, nil, false},
		{"a cycle", []ID{1, 0, None}, nil, false},
		{"a request joins", []ID{None, 0, None}, []Message{{Kind: Request, From: 2, To: 0, Who: 2}}, true},
		{"a request joins a connected node", []ID{None, 0, 0}, []Message{{Kind: Request, From: 2, To: 0, Who: 2}}, false},
		{"a token joins nothing", []ID{None, 0, None}, []Message{{Kind: Token, From: 2, To: 0, Who: 2}}, false},
		{"a token closes no cycle", []ID{None, 0, 0}, []Message{{Kind: Token, From: 2, To: 0, Who: 2}}, true},
	} {
		inv := OwnerTree("", func(_ *View, i ID) ID { return c.owners[i] }, func(m Message) ID { return m.Who })
		err := inv.Holds(&View{Nodes: make([]Machine, len(c.owners)), UnderWay: c.underWay})
		require.Equal(t, c.holds, err == nil, "%s: %v", c.name, err)
	}
}
