package explore_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/distributed"
	"shmbench/distributed/explore"
	"shmbench/distributed/internal/tamper"
	"shmbench/distributed/token"
)

// Threads that rest may move: nothing that an algorithm claims depends on where
// they are.
func TestThreadsMayMove(t *testing.T) {
	for _, name := range []string{"raymond", "naimi-trehel", "naimi-trehel-batch", "mueller", "alien-v1", "alien-v2-pb"} {
		for _, m := range []explore.Model{
			{Threads: 2, Present: []int{1, 1}, Requests: explore.Forever, Moves: 2},
			{Threads: 3, Present: []int{2, 1}, Requests: 1, Moves: 1},
		} {
			a := find(t, name)
			m.FIFO, m.Invariants = a.Claims.FIFO, a.Invariants
			r := mustExplore(t, a, 2, m)
			require.True(t, r.Holds(), "%s: %v", name, r.Violations)
			m.Moves = 0
			require.Less(t, mustExplore(t, a, 2, m).States, r.States, name)
		}
	}
}

// Of a node that serves its thread 0 alone, a second thread waits forever: it
// must have come from the other node.
func TestAMoveIsFound(t *testing.T) {
	a := tamper.Mutant(token.NaimiTrehel, "first-alone", "a node that forgets all threads but the first", tamper.Hooks[distributed.Node]{
		Request: func(p distributed.Node, th distributed.Thread, out *distributed.Out) {
			if th == 0 {
				p.Request(th, out)
			}
		},
	})
	m := explore.Model{Threads: 2, Present: []int{1, 1}, Requests: 1}
	require.True(t, mustExplore(t, &a, 2, m).Holds())
	m.Moves = 1
	r := mustExplore(t, &a, 2, m)
	require.Equal(t, explore.Deadlock, r.Violations[0].Property)
	require.Equal(t, "thread 0 of node 0 moves to node 1, as thread 1", r.Violations[0].Trace[0].Text)
	require.Equal(t, "thread 1 of node 1 asks", r.Violations[0].Trace[1].Text)
	require.Len(t, r.Violations[0].Trace, 2)
}

// Systems of 2 and 1 threads have more states than of 1 each, and fewer than of
// 2 each.
func TestUnequalNumbersOfThreads(t *testing.T) {
	a := token.Raymond
	m := explore.Model{Threads: 2, Present: []int{2, 1}, Requests: 1}
	unequal := mustExplore(t, &a, 2, m)
	require.True(t, unequal.Holds())
	m.Present = nil
	require.Less(t, unequal.States, mustExplore(t, &a, 2, m).States)
	m.Threads = 1
	require.Greater(t, unequal.States, mustExplore(t, &a, 2, m).States)

	nodes, err := a.New(distributed.Config{Nodes: 2, Threads: 2})
	require.NoError(t, err)
	for says, m := range map[string]explore.Model{
		"numbers of threads of 1 nodes, for 2 nodes": {Present: []int{1}},
		"300 moves: 0 to 255":                        {Moves: 300},
	} {
		m.Nodes, m.Threads = explore.Nodes(nodes), 2
		_, err = explore.Explore(t.Context(), m)
		require.EqualError(t, err, says)
	}
}
