package several

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/distributed"
	"shmbench/distributed/lease"
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

// kinds prints the messages of a node, each with its lock.
func kinds(out *distributed.Out) (all []string) {
	for _, m := range out.Messages {
		all = append(all, fmt.Sprintf("%v %d", m.Kind, m.Lock))
	}
	out.Messages = nil
	return all
}

// A thread takes the locks of a request one after the other, enters with the last, and
// releases them in the reverse order. Then it goes on to the next request of its plan.
func TestLocksOfARequest(t *testing.T) {
	plan := func(distributed.ID, distributed.Thread) [][]uint16 { return [][]uint16{{1, 0}, {2}} }
	nodes, err := New(&permission.Central, distributed.Config{Nodes: 2, Threads: 1}, 3, plan)
	require.NoError(t, err)
	p := nodes[1]
	var out distributed.Out
	grant := func(lock uint16) {
		p.Receive(distributed.Message{Kind: distributed.Grant, To: 1, Lock: lock}, &out)
	}
	for range 2 {
		require.Equal(t, []uint16{1, 0}, p.(distributed.Holder).Holds(0))
		p.Request(0, &out)
		require.Equal(t, []string{"request 1"}, kinds(&out))
		grant(1)
		require.Equal(t, []string{"request 0"}, kinds(&out))
		require.Empty(t, out.Grants)
		grant(0)
		require.Equal(t, []distributed.Thread{0}, out.Grants)
		p.Release(0, &out)
		require.Equal(t, []string{"release 0", "release 1"}, kinds(&out))

		require.Equal(t, []uint16{2}, p.(distributed.Holder).Holds(0))
		p.Request(0, &out)
		require.Equal(t, []string{"request 2"}, kinds(&out))
		grant(2)
		require.Equal(t, []distributed.Thread{0, 0}, out.Grants)
		p.Release(0, &out)
		require.Equal(t, []string{"release 2"}, kinds(&out))
		out.Reset()
	}
}

// A thread that loses its permission goes on to the next request of its plan. The timers of
// the locks differ.
func TestRevokedLock(t *testing.T) {
	nodes, err := New(&lease.Register, distributed.Config{Nodes: 2, Threads: 1, Lease: 1}, 3, InTurn(3))
	require.NoError(t, err)
	p := nodes[1]
	for _, lock := range []uint16{1, 2, 0, 1} {
		var out distributed.Out
		p.Request(0, &out)
		p.Receive(distributed.Message{Kind: distributed.Grant, To: 1, Lock: lock, Stamp: 1}, &out)
		require.Equal(t, []string{fmt.Sprintf("request %d", lock), fmt.Sprintf("write %d", lock)}, kinds(&out))
		require.Equal(t, []distributed.Thread{0}, out.Grants)
		require.Equal(t, []distributed.Timer{{ID: distributed.TimerID(8 * lock), After: 1}}, out.Timers)
		p.Expire(out.Timers[0].ID, &out)
		require.Equal(t, []distributed.Thread{0}, out.Revoked)
		require.Equal(t, []string{fmt.Sprintf("release %d", lock)}, kinds(&out))
	}
}
