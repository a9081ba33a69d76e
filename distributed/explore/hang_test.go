package explore_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/distributed"
	"shmbench/distributed/explore"
)

// leased is a model of two nodes beside a register, or of three without one.
func leased(t *testing.T, name string) explore.Model {
	a := find(t, name)
	nodes, err := a.New(distributed.Config{Nodes: 3, Threads: 1, Lease: 2})
	require.NoError(t, err)
	return explore.Model{
		Nodes: explore.Nodes(nodes), Threads: 1, Requests: 1, FIFO: a.Claims.FIFO, Timing: explore.Timely,
		Invariants: a.Invariants, Apart: a.Apart, Wins: a.Claims.Wins,
	}
}

func explored(t *testing.T, m explore.Model) *explore.Result {
	r, err := explore.Explore(context.Background(), m)
	require.NoError(t, err)
	require.True(t, r.Complete || len(r.Violations) > 0)
	return r
}

// A thread that never leaves keeps the others out of a lock that waits for it; of
// one with a lease it costs the exclusion, and nothing else.
func TestHang(t *testing.T) {
	hang := explore.Faults{Hang: 1}
	r := mustExplore(t, find(t, "central"), 2, explore.Model{Threads: 1, Requests: 1, Faults: hang})
	require.Equal(t, explore.Deadlock, r.Violations[0].Property)

	m := leased(t, "lease-register")
	require.True(t, explored(t, m).Holds())
	m.Faults = hang
	r = explored(t, m)
	require.Equal(t, explore.MutualExclusion, r.Violations[0].Property)
	require.False(t, r.Complete)

	m.GoOn = true
	r = explored(t, m)
	require.True(t, r.Complete)
	require.Len(t, r.Violations, 1, "the writes are in order and everybody enters")
	v := r.Broken(explore.MutualExclusion)
	require.Equal(t, "thread 0 of node 2 enters while thread 0 of node 1 is in its critical section", v.Text)
	require.Equal(t, 11, v.Steps())
	require.Equal(t, []distributed.Thread{0}, v.Trace[8].Revoked)
}

// What the register is for: no cut parts it from anybody, and the side that has the
// reign goes on, which is all that is claimed of a cut.
func TestRegisterApart(t *testing.T) {
	m := leased(t, "central-register")
	m.Faults = explore.Faults{Partition: 1, CutsLast: true}
	require.True(t, explored(t, m).Holds())

	m.Requests = explore.Forever
	require.True(t, explored(t, m).Holds())
	wins := m.Wins
	m.Wins = nil
	require.Equal(t, explore.Starvation, explored(t, m).Violations[0].Property, "who is cut off from the reign waits while it lasts")

	m.Requests, m.Wins, m.Apart = 1, wins, false
	require.Equal(t, explore.Deadlock, explored(t, m).Violations[0].Property, "who is cut off from the register waits forever")
}

func TestMajorityUnderACut(t *testing.T) {
	m := leased(t, "central-majority")
	m.Faults = explore.Faults{Partition: 1, CutsLast: true}
	require.True(t, explored(t, m).Holds())
	m.Wins = nil
	require.Equal(t, explore.Deadlock, explored(t, m).Violations[0].Property)

	m = explore.Model{Threads: 1, Requests: 1, FIFO: true, Timing: explore.Timely, Faults: m.Faults}
	r := mustExplore(t, find(t, "central-bully"), 3, m)
	require.Equal(t, explore.MutualExclusion, r.Violations[0].Property, "an election on each side")
}

// The result names a fault that no state makes possible.
func TestNotCarriedOut(t *testing.T) {
	r := mustExplore(t, find(t, "central-bully"), 2, explore.Model{Threads: 1, Requests: 1, FIFO: true, Timing: explore.Timely,
		Faults: explore.Faults{Recover: 1, Lose: 1, Early: 1}})
	require.Empty(t, r.NotCarriedOut, "it ends at what the lost message does")

	r = mustExplore(t, find(t, "central"), 2, explore.Model{Threads: 1, Requests: 1, Faults: explore.Faults{Early: 1, Lose: 1, Crash: 1, Hang: 1}})
	require.Equal(t, []string{"early"}, r.NotCarriedOut)

	m := leased(t, "lease-register")
	m.Nodes = m.Nodes[:2]
	m.Faults.Partition = 1
	require.Equal(t, []string{"partition"}, explored(t, m).NotCarriedOut)
}

// takesBack takes back a permission that no node has.
type takesBack struct{ distributed.Node }

func (n takesBack) Request(t distributed.Thread, out *distributed.Out) { out.Revoke(t) }

func TestRevokeOfNothing(t *testing.T) {
	m := leased(t, "lease-register")
	m.Nodes[1] = takesBack{m.Nodes[1].(distributed.Node)}
	r := explored(t, m)
	require.Equal(t, explore.Protocol, r.Violations[0].Property)
	require.Equal(t, "the permission of thread 0 of node 1 is taken back, which has none", r.Violations[0].Text)
}
