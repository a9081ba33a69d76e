package election_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/distributed/election"
	"shmbench/distributed/explore"
)

// A node that restarts follows the leader, or is elected. The number of states shows a change
// of the rules for a restart.
func TestRestartInSmallSystems(t *testing.T) {
	for _, c := range []struct {
		a      *election.Algorithm
		nodes  int
		faults explore.Faults
		states int
	}{
		{&election.Bully, 2, explore.Faults{Crash: 1, Recover: 1}, 17},
		{&election.Ring, 2, explore.Faults{Crash: 1, Recover: 1}, 141},
		{&election.Ring, 2, explore.Faults{Crash: 2, Recover: 1}, 787},
		{&election.ChangRoberts, 2, explore.Faults{Crash: 1, Recover: 1}, 141},
		{&election.ChangRoberts, 2, explore.Faults{Crash: 2, Recover: 1}, 840},
		{&election.ChangRoberts, 3, explore.Faults{Crash: 1, Recover: 1}, 30796},
	} {
		nodes, err := c.a.New(election.Config{Nodes: c.nodes})
		require.NoError(t, err)
		r, err := explore.Explore(t.Context(), explore.Model{
			Nodes: explore.Nodes(nodes), Threads: 1, FIFO: true, Timing: explore.Timely, Faults: c.faults, HighestLeads: true, MaxStates: 40_000,
		})
		require.NoError(t, err)
		require.True(t, r.Holds(), "%s, %d nodes: %+v", c.a.Name, c.nodes, r.Violations)
		require.Equal(t, c.states, r.States, "%s, %d nodes, %+v", c.a.Name, c.nodes, c.faults)
	}
}
