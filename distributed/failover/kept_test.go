package failover

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/distributed"
	"shmbench/distributed/internal/fields"
)

// A node of each algorithm with stable memory restarts as in the explorer and the
// simulator: from its stable memory it recovers to the same state as from its whole
// state.
func TestKept(t *testing.T) {
	for _, a := range []distributed.Algorithm{CentralBully, CentralRing, CentralChangRoberts, RingBully, RingRing, RingChangRoberts} {
		nodes, err := a.New(distributed.Config{Nodes: 3, Threads: 1})
		require.NoError(t, err)
		var out distributed.Out
		crashed := nodes[2]
		crashed.Start(&out)
		crashed.Request(0, &out)
		for epoch := range int64(3) { // it takes part in elections and epochs
			crashed.Receive(distributed.Message{Kind: distributed.Election, From: 1, To: 2, Who: 1, Stamp: 4, Body: []int64{0, 1}}, &out)
			crashed.Receive(distributed.Message{Kind: distributed.Query, From: 1, To: 2, Stamp: (4 + epoch) * epochs}, &out)
		}
		kept := crashed.(distributed.Keeper).Kept()
		require.GreaterOrEqual(t, kept[0], int64(6*epochs), a.Name)

		fresh, err := a.New(distributed.Config{Nodes: 3, Threads: 1})
		require.NoError(t, err)
		require.NoError(t, fresh[2].(distributed.Keeper).Restore(kept))
		var one, other distributed.Out
		crashed.(distributed.Recoverer).Recover(&one)
		fresh[2].(distributed.Recoverer).Recover(&other)
		require.Equal(t, one, other, a.Name)
		require.Equal(t, fields.Append(nil, crashed), fields.Append(nil, fresh[2]), a.Name)

		for _, wrong := range [][]int64{nil, {1}, {-1, 0}, {0, -1}, {1, 2, 3}} {
			require.Error(t, fresh[2].(distributed.Keeper).Restore(wrong))
		}
	}
}
