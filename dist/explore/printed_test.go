package explore_test

import (
	"bytes"
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/dist"
	"shmbench/dist/alien"
	"shmbench/dist/explore"
)

// The alien threads as the paper prints them, on the smallest systems that
// show what goes wrong; and the same systems repaired.
func TestAlienThreadsAsPrinted(t *testing.T) {
	for _, c := range []struct {
		printed, repaired        *dist.Algorithm
		nodes, threads, requests int
		breaks                   explore.Property
		steps                    int // of the shortest trace
	}{
		{&alien.V1AsPrinted, &alien.V1, 2, 2, 2, explore.MutualExclusion, 14},
		{&alien.V1AsPrinted, &alien.V1, 3, 1, 2, explore.MutualExclusion, 12},
		{&alien.V1PiggybackAsPrinted, &alien.V1Piggyback, 2, 2, 2, explore.MutualExclusion, 12},
		{&alien.V1PiggybackAsPrinted, &alien.V1Piggyback, 3, 1, 2, explore.MutualExclusion, 11},
		{&alien.V2AsPrinted, &alien.V2, 2, 2, 1, explore.Deadlock, 13},
		{&alien.V2AsPrinted, &alien.V2, 2, 2, 2, explore.MutualExclusion, 14},
		{&alien.V2AsPrinted, &alien.V2, 3, 1, 2, explore.MutualExclusion, 12},
		{&alien.V2PiggybackAsPrinted, &alien.V2Piggyback, 2, 2, 1, explore.Deadlock, 12},
		{&alien.V2PiggybackAsPrinted, &alien.V2Piggyback, 2, 2, 2, explore.MutualExclusion, 12},
		{&alien.V2PiggybackAsPrinted, &alien.V2Piggyback, 3, 1, 2, explore.MutualExclusion, 11},
	} {
		m := explore.Model{Threads: c.threads, Requests: c.requests, FIFO: true}
		v := mustExplore(t, c.printed, c.nodes, m).Broken(c.breaks)
		require.NotNil(t, v, "%s must break %s", c.printed.Name, c.breaks)
		require.Len(t, v.Trace, c.steps)
		var text bytes.Buffer
		require.NoError(t, v.WriteText(&text))
		t.Logf("%s:\n%s", c.printed.Name, &text)
		require.True(t, mustExplore(t, c.repaired, c.nodes, m).Holds())
	}
}

// One request a thread and one thread a node is what a first trial would
// exercise: there the printed algorithms hold.
func TestAlienThreadsAsPrintedHoldWhereNothingIsAskedTwice(t *testing.T) {
	for _, a := range []*dist.Algorithm{&alien.V1AsPrinted, &alien.V1PiggybackAsPrinted, &alien.V2AsPrinted, &alien.V2PiggybackAsPrinted} {
		require.True(t, mustExplore(t, a, 3, explore.Model{Threads: 1, Requests: 1, FIFO: true}).Holds())
	}
}

// mustExplore explores m with n nodes of a.
func mustExplore(t *testing.T, a *dist.Algorithm, n int, m explore.Model) *explore.Result {
	t.Helper()
	nodes, err := a.New(dist.Config{Nodes: n, Threads: m.Threads})
	require.NoError(t, err)
	m.Nodes = explore.Nodes(nodes)
	r, err := explore.Explore(context.Background(), m)
	require.NoError(t, err)
	return r
}
