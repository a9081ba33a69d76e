package verify

import (
	"context"
	"fmt"

	"shmbench/distributed"
	"shmbench/distributed/election"
	"shmbench/distributed/explore"
)

// ElectionTrials are the systems in which each election is explored, with
// delays below what it supposes. All elections claim to hold in each without a
// partition.
var ElectionTrials = []Trial{
	{Name: "crash", Nodes: 4, Faults: explore.Faults{Crash: 1}},
	{Name: "crashes", Nodes: 3, Faults: explore.Faults{Crash: 2}},
	{Name: "false alarm", Nodes: 4, Faults: explore.Faults{Suspicions: 1}},
	{Name: "crash and alarm", Nodes: 3, Faults: explore.Faults{Crash: 1, Suspicions: 1}},
	{Name: "ticks", Nodes: 3, Ticks: true, Faults: explore.Faults{Crash: 1, Suspicions: 1}},
	{Name: "cut", Nodes: 3, Faults: explore.Faults{Partition: 1, CutsLast: true}},
	{Name: "restart", Nodes: 3, Faults: explore.Faults{Crash: 2, Recover: 1}},
	{Name: "partition", Nodes: 3, Faults: explore.Faults{Crash: 1, Partition: 1}},
}

// Election runs all trials on a, giving each up beyond maxStates; it leaves out
// the restart of nodes that cannot.
func Election(ctx context.Context, a *election.Algorithm, maxStates int) ([]Verdict, error) {
	var verdicts []Verdict
	for _, t := range ElectionTrials {
		nodes, err := a.New(t.Nodes)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", a.Name, err)
		}
		if _, restarts := nodes[0].(distributed.Recoverer); t.Faults.Recover > 0 && !restarts {
			continue
		}
		v, err := try(ctx, t, explore.Model{
			Nodes: explore.Nodes(nodes), Threads: 1, FIFO: a.FIFO, Timing: t.timing(true), Faults: t.Faults,
			HighestLeads: true, MaxElections: MaxElections(t.Faults), MaxStates: maxStates,
		})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", a.Name, err)
		}
		v.Claimed = t.Faults.Partition == 0 || t.Faults.CutsLast
		verdicts = append(verdicts, v)
	}
	return verdicts, nil
}

// MaxElections is how many elections may begin before all agree: two for each
// fault, and two. It makes an election that goes on for ever end.
func MaxElections(f explore.Faults) int64 {
	return int64(2*(f.Crash+f.Recover+f.Partition+f.Suspicions)) + 2
}
