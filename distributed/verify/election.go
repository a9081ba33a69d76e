package verify

import (
	"context"
	"fmt"

	"shmbench/distributed"
	"shmbench/distributed/election"
	"shmbench/distributed/explore"
)

// ElectionTrials are the systems in which each election is explored, with
// delays below what it supposes. An election that survives crashes claims to hold
// in each without a partition that heals, any other in those without a fault.
var ElectionTrials = []Trial{
	{Name: "first", Nodes: 3, First: true},
	{Name: "crash", Nodes: 4, Faults: explore.Faults{Crash: 1}},
	{Name: "crashes", Nodes: 3, Faults: explore.Faults{Crash: 2}},
	{Name: "false alarm", Nodes: 4, Faults: explore.Faults{Suspicions: 1}},
	{Name: "alarms", Nodes: 3, InOrder: true, Faults: explore.Faults{Suspicions: 2}},
	{Name: "crash and alarm", Nodes: 3, Faults: explore.Faults{Crash: 1, Suspicions: 1}},
	{Name: "ticks", Nodes: 3, Ticks: true, Faults: explore.Faults{Crash: 1, Suspicions: 1}},
	{Name: "cut", Nodes: 3, Faults: explore.Faults{Partition: 1, CutsLast: true}},
	{Name: "restart", Nodes: 3, Faults: explore.Faults{Crash: 1, Recover: 1}},
	{Name: "restarts", Nodes: 2, Faults: explore.Faults{Crash: 2, Recover: 2}},
	{Name: "partition", Nodes: 3, Faults: explore.Faults{Crash: 1, Partition: 1}},
}

// Election runs all trials on a, giving each up beyond maxStates; it leaves out
// the restart of nodes that have no rule for it.
func Election(ctx context.Context, a *election.Algorithm, maxStates int) ([]Verdict, error) {
	var verdicts []Verdict
	for _, t := range ElectionTrials {
		c := election.Config{Nodes: t.Nodes, First: t.First}
		nodes, err := a.New(c)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", a.Name, err)
		}
		if _, restarts := distributed.Unwrapped(nodes[0]).(distributed.Recoverer); t.Faults.Recover > 0 && !restarts {
			continue
		}
		v, err := try(ctx, t, explore.Model{
			Nodes: explore.Nodes(nodes), Threads: 1, FIFO: a.FIFO || t.InOrder, Timing: t.timing(true), Faults: t.Faults,
			HighestLeads: true, MaxElections: MaxElections(t.Faults, c), MaxStates: maxStates,
		})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", a.Name, err)
		}
		v.Claimed = t.Faults.Partition == 0 || t.Faults.CutsLast
		if !a.Crash {
			v.Claimed = t.Faults.Crash+t.Faults.Partition == 0
		}
		verdicts = append(verdicts, v)
	}
	return verdicts, nil
}

// MaxElections is how many elections may begin before all agree: two for each
// fault, and two, and one a node where no node leads yet. It makes an election that
// goes on forever end.
func MaxElections(f explore.Faults, c election.Config) int64 {
	most := 2*(f.Crash+f.Recover+f.Partition+f.Suspicions) + 2
	if c.First {
		most += c.Nodes
	}
	return int64(most)
}
