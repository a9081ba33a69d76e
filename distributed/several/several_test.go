package several

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/distributed"
	"shmbench/distributed/permission"
)

// A thread needs one resource after the other, and not all begin with the same.
func TestInTurn(t *testing.T) {
	nodes, err := New(&permission.Central, distributed.Config{Nodes: 2, Threads: 2}, 3, InTurn(3))
	require.NoError(t, err)
	coordinator := nodes[0]
	for thread, first := range []uint16{0, 1} {
		for k := range uint16(5) {
			var out distributed.Out
			coordinator.Request(distributed.Thread(thread), &out)
			require.Equal(t, []distributed.Thread{distributed.Thread(thread)}, out.Grants)
			require.Equal(t, []uint16{(first + k) % 3}, coordinator.(distributed.Holder).Holds(distributed.Thread(thread)))
			coordinator.Release(distributed.Thread(thread), &out)
		}
	}
	var out distributed.Out
	nodes[1].Request(0, &out)
	require.Len(t, out.Messages, 1)
	require.Equal(t, uint16(1), out.Messages[0].Lock, "the request names its resource")
}

// The algorithm of several locks keeps the specification of one lock, but not the invariants,
// which speak of the nodes of one lock.
func TestAlgorithmOfSeveralLocks(t *testing.T) {
	require.NotEmpty(t, permission.Lamport.Invariants)
	a := Algorithm(&permission.Lamport, 3, InTurn(3))
	require.Empty(t, a.Invariants)
	require.NotEmpty(t, permission.Lamport.Invariants, "the algorithm of one lock does not change")
	require.Equal(t, permission.Lamport.Name, a.Name)
	require.Equal(t, permission.Lamport.Claims, a.Claims)
	nodes, err := a.New(distributed.Config{Nodes: 2, Threads: 1})
	require.NoError(t, err)
	require.Len(t, nodes, 2)
}

func TestNewRefuses(t *testing.T) {
	c := distributed.Config{Nodes: 2, Threads: 1}
	for says, needs := range map[string][][]uint16{
		"thread 0 of node 0 has no plan":                         nil,
		"thread 0 of node 0 needs no lock: at least one":         {{}},
		"thread 0 of node 0 needs lock 2, which is none of 0..1": {{0}, {2}},
		"thread 0 of node 0 needs lock 1 twice":                  {{1, 0, 1}},
	} {
		_, err := New(&permission.Central, c, 2, func(distributed.ID, distributed.Thread) [][]uint16 { return needs })
		require.EqualError(t, err, says)
	}
	_, err := New(&permission.Central, c, 0, InTurn(1))
	require.EqualError(t, err, "0 locks: 1 to 65536")
	_, err = New(&permission.Central, distributed.Config{Nodes: 1, Threads: 1}, 1, InTurn(1))
	require.EqualError(t, err, "1 nodes: mutual exclusion by messages wants at least 2")
}
