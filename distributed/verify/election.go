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
		v, err := try(ctx, t, explore.Model{Nodes: explore.Nodes(nodes), Threads: 1, FIFO: a.FIFO, Timely: true, Faults: t.Faults, MaxStates: maxStates})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", a.Name, err)
		}
		v.Claimed = t.Faults.Partition == 0
		verdicts = append(verdicts, v)
	}
	return verdicts, nil
}
