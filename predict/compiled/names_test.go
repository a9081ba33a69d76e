package compiled

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/internal/build/twin"
)

// node is a part of a lock that refers to itself or to another one.
type node struct {
	flag  twin.Bool
	*node // a name that it has no part in stays short
}

// ring is a lock with a circle of nodes.
type ring struct {
	hooks
	nodes []node
	first *node
	none  *node
}

// TestNamesOfACircle: registers have names also where the fields of a lock lead back to a part
// that has them.
func TestNamesOfACircle(t *testing.T) {
	l := &ring{nodes: make([]node, 2), first: new(node), none: nil}
	l.nodes[0].node, l.nodes[1].node, l.first.node = &l.nodes[1], &l.nodes[0], l.first
	at := func(n *node) uintptr { return reflect.ValueOf(&n.flag).Pointer() }
	all := namesOf(l)
	require.Len(t, all, 3)
	require.Equal(t, "first.flag", all[at(l.first)])
	require.Contains(t, all, at(&l.nodes[0]))
	require.Contains(t, all, at(&l.nodes[1]))
}
