package lease_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/distributed"
	"shmbench/distributed/internal/verifytest"
	"shmbench/distributed/lease"
)

// correct lists the algorithms of the package.
var correct = []distributed.Algorithm{
	lease.Register,
}

// The explorer reaches the verdicts and numbers of states in testdata/verdicts.tsv.
func TestVerdictsInSmallSystems(t *testing.T) {
	verifytest.Algorithms(t, 2900, correct, lease.Mutants)
}

// The stated costs have the values in testdata/costs.tsv.
func TestStatedCosts(t *testing.T) { verifytest.Costs(t, correct) }

// The nodes go through the states in testdata/runs.txt.
func TestRuns(t *testing.T) { verifytest.Runs(t, correct) }

// Only the register has a clock: the latest token. The tokens that a node keeps are its
// other timestamps.
func TestTokensAreTimestamps(t *testing.T) {
	nodes, err := lease.Register.New(distributed.Config{Nodes: 2, Threads: 1, Lease: 1})
	require.NoError(t, err)
	var out distributed.Out
	stamps := func(i int) (clock *int64, others []int64) {
		clock, places := nodes[i].(distributed.Stamper).Stamps()
		for _, p := range places {
			others = append(others, *p)
		}
		return clock, others
	}
	clock, _ := stamps(1)
	require.Nil(t, clock)

	nodes[0].Receive(distributed.Message{Kind: distributed.Request, From: 1, Who: 1}, &out)
	clock, others := stamps(0)
	require.EqualValues(t, 1, *clock)
	require.Equal(t, []int64{0, 0, 0}, others)
	nodes[0].Receive(distributed.Message{Kind: distributed.Write, From: 1, Who: 1, Stamp: 1}, &out)
	_, others = stamps(0)
	require.Equal(t, []int64{0, 1, 1}, others, "the resource keeps the token of the latest write")

	nodes[1].Request(0, &out)
	nodes[1].Receive(distributed.Message{Kind: distributed.Grant, To: 1, Stamp: 1}, &out)
	_, others = stamps(1)
	require.Equal(t, []int64{1, 0, 0}, others)
	nodes[1].Expire(0, &out)
	_, others = stamps(1)
	require.Equal(t, []int64{0, 0, 0, 1}, others, "a write comes late")
}
