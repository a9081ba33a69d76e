package explore_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/distributed"
	"shmbench/distributed/election"
	"shmbench/distributed/explore"
)

func elect(t *testing.T, a *election.Algorithm, n int, m explore.Model) *explore.Result {
	t.Helper()
	nodes, err := a.New(election.Config{Nodes: n})
	require.NoError(t, err)
	m.Nodes, m.Threads, m.FIFO, m.HighestLeads = explore.Nodes(nodes), 1, m.FIFO || a.FIFO, true
	r, err := explore.Explore(context.Background(), m)
	require.NoError(t, err)
	return r
}

func TestElectionsAgree(t *testing.T) {
	for _, a := range election.All {
		if !a.Crash {
			continue
		}
		for _, c := range []struct {
			nodes  int
			faults explore.Faults
		}{
			{2, explore.Faults{Crash: 2, Suspicions: 1}},
			{3, explore.Faults{Crash: 1, Suspicions: 1}},
			{3, explore.Faults{Crash: 2}},
			{4, explore.Faults{Crash: 1}},
			{4, explore.Faults{Suspicions: 2}},
		} {
			t.Run(fmt.Sprintf("%s/%d%+v", a.Name, c.nodes, c.faults), func(t *testing.T) {
				t.Parallel()
				r := elect(t, a, c.nodes, explore.Model{Timing: explore.Timely, Faults: c.faults})
				for i := range r.Violations {
					require.NoError(t, r.Violations[i].WriteText(t.Output()))
				}
				require.True(t, r.Holds())
			})
		}
	}
}

// Where no node crashes, the elections that survive no crash agree too, for every one of
// three nodes that believes that the leader is dead.
func TestElectionsOfReliableRingsAgree(t *testing.T) {
	for _, a := range []*election.Algorithm{&election.HirschbergSinclair, &election.Peterson} {
		require.True(t, elect(t, a, 3, explore.Model{FIFO: true, Faults: explore.Faults{Suspicions: 2}}).Holds(), a.Name)
		require.NotNil(t, elect(t, a, 3, explore.Model{FIFO: true, Faults: explore.Faults{Crash: 1}}).Broken(explore.Agreement), a.Name)
	}
}

func TestElectionsAgreeAfterRestarts(t *testing.T) {
	require.True(t, elect(t, &election.Bully, 3, explore.Model{Timing: explore.Timely, Faults: explore.Faults{Crash: 2, Recover: 1}}).Holds())
	require.True(t, elect(t, &election.ChangRoberts, 3, explore.Model{Timing: explore.Timely, Faults: explore.Faults{Crash: 1, Recover: 1}}).Holds())
	require.True(t, elect(t, &election.Ring, 2, explore.Model{Timing: explore.Timely, Faults: explore.Faults{Crash: 2, Recover: 2}}).Holds())
}

// A restart of nodes that have no rule for one is refused.
func TestRestartIsRefused(t *testing.T) {
	nodes, err := find(t, "raymond").New(distributed.Config{Nodes: 3, Threads: 1})
	require.NoError(t, err)
	_, err = explore.Explore(t.Context(), explore.Model{Nodes: explore.Nodes(nodes), Threads: 1, Requests: 1, Faults: explore.Faults{Crash: 1, Recover: 1}})
	require.EqualError(t, err, "no node can restart: the algorithm has no rule for it")
}

// Behind a cut that lasts each part follows its highest; one that heals leaves
// some nodes following another leader than others, in a whole network.
func TestPartition(t *testing.T) {
	for _, a := range election.All {
		if !a.Crash {
			continue
		}
		cut := explore.Faults{Partition: 1, CutsLast: true}
		require.True(t, elect(t, a, 3, explore.Model{Timing: explore.Timely, Faults: cut}).Holds(), a.Name)
	}
	v := elect(t, &election.Bully, 3, explore.Model{Timing: explore.Timely, Faults: explore.Faults{Crash: 1, Partition: 1}}).Broken(explore.Agreement)
	require.NotNil(t, v)
	require.True(t, slices.ContainsFunc(v.Trace, func(e explore.Event) bool { return e.What == "heal" }), "not while it is cut")
}

// A leader that crashes between two of its announcements leaves some nodes
// told and some not. Only that shows what an election without its term misses.
func TestCrashBetweenTwoSends(t *testing.T) {
	m := explore.Model{Timing: explore.Timely, HighestLeads: true, Faults: explore.Faults{Crash: 1, Suspicions: 1}}
	for _, a := range election.Mutants {
		if a.Name == "bully-no-term" {
			v := elect(t, a, 3, m).Broken(explore.HighestLeads)
			require.NotNil(t, v)
			require.Contains(t, v.Trace[0].Text, "node 2 crashes after 1 of 2 sends")
			require.Len(t, v.Trace[0].Sent, 1)
		}
	}
	require.True(t, elect(t, &election.Bully, 3, m).Holds())
}
