package explore_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/distributed/election"
	"shmbench/distributed/explore"
)

func elect(t *testing.T, a *election.Algorithm, n int, m explore.Model) *explore.Result {
	t.Helper()
	nodes, err := a.New(n)
	require.NoError(t, err)
	m.Nodes, m.Threads, m.FIFO = explore.Nodes(nodes), 1, a.FIFO
	r, err := explore.Explore(context.Background(), m)
	require.NoError(t, err)
	return r
}

func TestElectionsAgree(t *testing.T) {
	for _, a := range election.All {
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
				r := elect(t, a, c.nodes, explore.Model{Timely: true, Faults: c.faults})
				for i := range r.Violations {
					require.NoError(t, r.Violations[i].WriteText(t.Output()))
				}
				require.True(t, r.Holds())
			})
		}
	}
}

func TestBullyAgreesAfterRestarts(t *testing.T) {
	require.True(t, elect(t, &election.Bully, 3, explore.Model{Timely: true, Faults: explore.Faults{Crash: 2, Recover: 1}}).Holds())
}

// A partition leaves some nodes following a leader that they cannot reach, or
// each side a leader of its own.
func TestPartitionLeavesTwoLeaders(t *testing.T) {
	v := elect(t, &election.Bully, 3, explore.Model{Timely: true, Faults: explore.Faults{Crash: 1, Partition: 1}}).Broken(explore.Agreement)
	require.NotNil(t, v)
}
