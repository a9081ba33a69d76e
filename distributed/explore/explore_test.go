package explore_test

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/distributed"
	"shmbench/distributed/catalog"
	"shmbench/distributed/explore"
	"shmbench/distributed/several"
	"shmbench/internal/testkit/sample"
)

// system is a size to explore.
type system struct {
	nodes, threads, requests int
	tree                     func(n int) []distributed.ID
}

// sizes are the systems that every algorithm is explored in, small enough for
// a busy machine.
var sizes = []system{
	{2, 1, 2, nil}, {2, 2, 1, nil}, {3, 1, 1, nil}, {3, 1, 1, distributed.Path},
}

// endless are the systems where all threads ask forever: only there starvation by others
// shows itself. They are for the algorithms with finitely many states. Up to a shift,
// timestamps have finitely many values as long as all nodes hear of them.
func endless(a *distributed.Algorithm) []system {
	switch {
	case a.Claims.Timely, a.Claims.Timers, strings.HasPrefix(a.Name, "suzuki-kasami"): // epochs, repeated requests, request numbers
		return nil
	case a.Name == "lamport", a.Name == "maekawa":
		return []system{{2, 2, explore.Forever, nil}}
	case a.Name == "ricart-agrawala":
		return []system{{2, 2, explore.Forever, nil}, {3, 1, explore.Forever, nil}}
	}
	return []system{
		{2, 2, explore.Forever, nil}, {3, 1, explore.Forever, distributed.Path}, {4, 1, explore.Forever, nil}, {4, 1, explore.Forever, distributed.Path},
	}
}

// TestCatalogHoldsWhatItClaims looks at one algorithm in three, and at all with -all.
func TestCatalogHoldsWhatItClaims(t *testing.T) {
	for _, a := range sample.Of(t, catalog.All, func(a *distributed.Algorithm) string { return a.Name }, 3) {
		for _, s := range append(slices.Clone(sizes), endless(a)...) {
			t.Run(fmt.Sprintf("%s/%d-%d-%d", a.Name, s.nodes, s.threads, s.requests), func(t *testing.T) {
				t.Parallel()
				r := try(t, a, s, a.Claims.FIFO)
				for i := range r.Violations {
					require.NoError(t, r.Violations[i].WriteText(t.Output()))
				}
				require.True(t, r.Holds())
				t.Logf("%d states, %d steps, depth %d", r.States, r.Steps, r.Depth)
			})
		}
	}
}

// An algorithm claims to rest on FIFO just if something breaks without it.
func TestClaimOfFIFOIsNeeded(t *testing.T) {
	for _, c := range []struct {
		name string
		system
		breaks explore.Property
	}{
		{"lamport", system{2, 1, 2, nil}, explore.MutualExclusion},
		{"maekawa", system{3, 1, 2, nil}, explore.MutualExclusion},
		{"alien-v2", system{3, 1, explore.Forever, nil}, explore.Starvation},
		{"alien-v2-pb", system{3, 1, explore.Forever, nil}, explore.Starvation},
	} {
		a := find(t, c.name)
		require.True(t, a.Claims.FIFO)
		require.NotNil(t, try(t, a, c.system, false).Broken(c.breaks), c.name)
	}
}

// The claims suppose a network without faults: each fault breaks something.
func TestFaultsAreFelt(t *testing.T) {
	for _, c := range []struct {
		name   string
		faults explore.Faults
		breaks explore.Property
	}{
		{"central", explore.Faults{Lose: 1}, explore.Deadlock},
		{"central", explore.Faults{Duplicate: 1}, explore.Protocol},
		{"token-ring", explore.Faults{Lose: 1}, explore.Deadlock},
		{"token-ring", explore.Faults{Duplicate: 1}, explore.Protocol},
		{"raymond", explore.Faults{Partition: 1}, explore.Deadlock},
		{"ricart-agrawala", explore.Faults{Duplicate: 1}, explore.MutualExclusion},
		{"naimi-trehel", explore.Faults{Lose: 1}, explore.Deadlock},
	} {
		a := find(t, c.name)
		m := explore.Model{Threads: 1, Requests: 1, FIFO: true, Faults: c.faults}
		require.NotNil(t, mustExplore(t, a, 3, m).Broken(c.breaks), "%s %+v", c.name, c.faults)
		m.Faults = explore.Faults{}
		require.True(t, mustExplore(t, a, 3, m).Holds())
	}
}

// Two threads that take two locks in opposite orders can each hold what the
// other wants; in one order they cannot.
func TestSeveralLocks(t *testing.T) {
	opposite := func(i distributed.ID, _ distributed.Thread) [][]uint16 {
		if i == 0 {
			return [][]uint16{{0, 1}}
		}
		return [][]uint16{{1, 0}}
	}
	for _, name := range []string{"central", "ricart-agrawala", "raymond", "naimi-trehel"} {
		a := find(t, name)
		run := func(plan several.Plan) *explore.Result {
			nodes, err := several.New(a, distributed.Config{Nodes: 2, Threads: 1}, 2, plan)
			require.NoError(t, err)
			r, err := explore.Explore(context.Background(), explore.Model{Nodes: explore.Nodes(nodes), Threads: 1, Requests: 2, FIFO: true})
			require.NoError(t, err)
			return r
		}
		require.NotNil(t, run(opposite).Broken(explore.Deadlock), name)
		require.True(t, run(several.Ordered(opposite)).Holds(), name)
	}
}

// Threads that hold no lock in common may be inside together, those that do may
// not, request by request.
func TestResources(t *testing.T) {
	run := func(a *distributed.Algorithm, nodes int, hide bool) *explore.Result {
		built, err := several.New(a, distributed.Config{Nodes: nodes, Threads: 1}, 2, several.InTurn(2))
		require.NoError(t, err)
		for i := range built {
			if hide {
				built[i] = oneLock{built[i]}
			}
		}
		r, err := explore.Explore(context.Background(), explore.Model{Nodes: explore.Nodes(built), Threads: 1, Requests: 2, FIFO: true})
		require.NoError(t, err)
		return r
	}
	for _, name := range []string{"raymond", "central", "ricart-agrawala"} {
		require.True(t, run(find(t, name), 2, false).Holds(), name)
		require.NotNil(t, run(find(t, name), 2, true).Broken(explore.MutualExclusion), "%s: two are inside, with different resources", name)
	}
	require.NotNil(t, run(lecture(t, "central-grants-at-once"), 3, false).Broken(explore.MutualExclusion))
}

// oneLock hides that a node has several locks.
type oneLock struct{ distributed.Node }

func TestTraces(t *testing.T) {
	v := mustExplore(t, find(t, "central"), 2, explore.Model{Threads: 1, Requests: 1, Faults: explore.Faults{Lose: 1}}).Broken(explore.Deadlock)
	require.NotNil(t, v)
	var text, diagram bytes.Buffer
	require.NoError(t, v.WriteText(&text))
	require.Equal(t, `
deadlock freedom is violated: thread 0 of node 1 waits forever and no thread enters
  1  thread 0 of node 1 asks  sends request to 0  threads=[0]
  2  1→0 request is lost                          queue=[] threads=[]
     and nothing more has to happen
`[1:], text.String())
	require.NoError(t, v.WriteMermaid(&diagram, 2))
	require.Equal(t, `
sequenceDiagram
    participant n0 as node 0
    participant n1 as node 1
    Note over n1: thread 0 of node 1 asks
    Note right of n1: sends request to node 0
    n1-xn0: request is lost
    Note over n0,n1: deadlock freedom is violated: thread 0 of node 1 waits forever and no thread enters
`[1:], diagram.String())
}

// A loop shows where it begins, and of starvation that others enter in it.
func TestTheLoopOfStarvationHasAnEntry(t *testing.T) {
	v := mustExplore(t, lecture(t, "central-newest-first"), 3, explore.Model{Threads: 1, Requests: explore.Forever}).Broken(explore.Starvation)
	require.NotNil(t, v)
	require.Positive(t, v.Loop)
	entries := 0
	for _, e := range v.Trace[v.Loop:] {
		entries += len(e.Granted)
	}
	require.Positive(t, entries)
	var text bytes.Buffer
	require.NoError(t, v.WriteText(&text))
	lines := strings.Split(text.String(), "\n")
	require.Equal(t, "from here on, again and again:", strings.TrimSpace(lines[1+v.Loop]))
}

// Who sends in another's name breaks the contract, at the start already, where
// there is no step to show and no loop.
func TestANodeSendsInItsOwnName(t *testing.T) {
	nodes, err := find(t, "central").New(distributed.Config{Nodes: 2, Threads: 1})
	require.NoError(t, err)
	nodes[1] = forger{nodes[1]}
	r, err := explore.Explore(t.Context(), explore.Model{Nodes: explore.Nodes(nodes), Threads: 1, Requests: 1})
	require.NoError(t, err)
	require.Equal(t, []explore.Violation{{
		Property: explore.Protocol, Text: "node 1 panics: node 1 sends in the name of node 0", Loop: -1,
	}}, r.Violations)
}

// forger sends a message in the name of node 0.
type forger struct{ distributed.Node }

func (p forger) Start(out *distributed.Out) { out.Send(distributed.Message{From: 0, To: 1}) }

func TestLimits(t *testing.T) {
	a := find(t, "raymond")
	r := mustExplore(t, a, 3, explore.Model{Threads: 1, Requests: 1, MaxStates: 10})
	require.False(t, r.Complete)
	require.False(t, r.Holds())

	ctx, stop := context.WithCancel(context.Background())
	stop()
	nodes, err := a.New(distributed.Config{Nodes: 2, Threads: 1})
	require.NoError(t, err)
	r, err = explore.Explore(ctx, explore.Model{Nodes: explore.Nodes(nodes), Threads: 1, Requests: 1})
	require.NoError(t, err)
	require.False(t, r.Complete)

	for says, m := range map[string]explore.Model{
		"0 nodes: the explorer takes 2 to 6":                                      {Threads: 1},
		"7 threads on each of 2 nodes: the explorer takes 1 to 12 threads in all": {Nodes: explore.Nodes(nodes), Threads: 7},
		"300 requests a thread: at least 1, at most 255, or 0 forever":            {Nodes: explore.Nodes(nodes), Threads: 1, Requests: 300},
		"-1 faults of one sort: 0 to 255":                                         {Nodes: explore.Nodes(nodes), Threads: 1, Faults: explore.Faults{Crash: -1}},
	} {
		_, err := explore.Explore(context.Background(), m)
		require.EqualError(t, err, says)
	}
}

// try explores system s of a.
func try(t *testing.T, a *distributed.Algorithm, s system, fifo bool) *explore.Result {
	t.Helper()
	c := distributed.Config{Nodes: s.nodes, Threads: s.threads}
	if a.Apart {
		c.Nodes++ // the register
	}
	if s.tree != nil {
		c.Parent = s.tree(c.Nodes)
	}
	nodes, err := a.New(c)
	require.NoError(t, err)
	m := explore.Model{Nodes: explore.Nodes(nodes), Threads: s.threads, Requests: s.requests, FIFO: fifo, Apart: a.Apart}
	if a.Claims.Timely || a.Claims.Timers {
		m.Timing = explore.Timely
	}
	r, err := explore.Explore(context.Background(), m)
	require.NoError(t, err)
	return r
}

// mustExplore explores m with n nodes of a.
func mustExplore(t *testing.T, a *distributed.Algorithm, n int, m explore.Model) *explore.Result {
	t.Helper()
	nodes, err := a.New(distributed.Config{Nodes: n, Threads: m.Threads})
	require.NoError(t, err)
	m.Nodes = explore.Nodes(nodes)
	r, err := explore.Explore(context.Background(), m)
	require.NoError(t, err)
	return r
}

func find(t *testing.T, name string) *distributed.Algorithm {
	t.Helper()
	a, err := catalog.Find(name)
	require.NoError(t, err)
	return a
}
