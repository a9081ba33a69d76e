package explore

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/distributed"
	"shmbench/distributed/election"
	"shmbench/distributed/permission"
)

// What is under way when the network parts, or a node crashes, is lost if it
// would have to cross or to arrive there, and nothing else is.
func TestWhatIsUnderWay(t *testing.T) {
	nodes, err := permission.Central.New(distributed.Config{Nodes: 3, Threads: 1})
	require.NoError(t, err)
	g := newGraph(&Model{Nodes: Nodes(nodes), Threads: 1, Requests: 1, Faults: Faults{Crash: 1, Partition: 1}})
	full := func() *state {
		s, _, _ := g.begin()
		for k := range s.chans {
			if k%4 != 0 { // not to itself
				s.chans[k] = []entry{entryOf(g.table.of(distributed.Message{From: distributed.ID(k / 3), To: distributed.ID(k % 3)}))}
			}
		}
		return s
	}
	pairs := func(s *state) (left [][2]int) {
		for k, c := range s.chans {
			if len(c) > 0 {
				left = append(left, [2]int{k / 3, k % 3})
			}
		}
		return left
	}
	s := full()
	g.partition(s, 1<<2)
	require.Equal(t, [][2]int{{0, 1}, {1, 0}}, pairs(s))
	require.Zero(t, s.budget[mayPartition])
	s = full()
	g.crash(s, 2)
	require.Equal(t, [][2]int{{0, 1}, {1, 0}, {2, 0}, {2, 1}}, pairs(s))
	require.Zero(t, s.budget[mayCrash])
}

// A tick says in words for how long it is.
func TestATickInWords(t *testing.T) {
	for timing, says := range map[Timing]string{Timely: "time passes until a timer is due", Ticks: "time passes"} {
		electors, err := election.Bully.New(election.Config{Nodes: 2})
		require.NoError(t, err)
		g := newGraph(&Model{Nodes: Nodes(electors), Threads: 1, Timing: timing, Faults: Faults{Suspicions: 1}})
		s, _, _ := g.begin()
		e, _, _ := g.describe(s, action{what: evTick})
		require.Equal(t, says, e.Text)
	}
}

// A step that cuts the network names the nodes of one side.
func TestAPartitionInWords(t *testing.T) {
	electors, err := election.Bully.New(election.Config{Nodes: 3})
	require.NoError(t, err)
	g := newGraph(&Model{Nodes: Nodes(electors), Threads: 1, Faults: Faults{Partition: 1}})
	s, _, _ := g.begin()
	e, _, _ := g.describe(s, action{what: evPartition, a: 0b110})
	require.Equal(t, []distributed.ID{1, 2}, e.Step.Side)
}
