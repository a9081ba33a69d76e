package check

import (
	"context"

	"shmbench/check/internal/crashes"
	"shmbench/check/internal/explore"
	"shmbench/check/internal/explored"
)

// crashReferences finds the worst-case number of remote memory references of a passage if
// processes crash.
func crashReferences(ctx context.Context, x *explored.Lock, sys *explore.Crashing) *RMR {
	var through, back, dsm worst
	space, use := crashes.New(x.Graph, sys), registers(x)
	for pid := range x.N {
		dsm.add(space.Cost(pid, func(id uint32) bool { return use.remote(x, x.Graph, id, pid) }).Steps, true)
		var g *explore.Graph
		cached := explore.NewCached(sys, pid)
		if cached != nil && x.Graph.States <= cacheStates {
			g = graphUpTo(ctx, x, cached, cacheStates)
		}
		if g == nil {
			through.add(0, false)
			back.add(0, false)
			continue
		}
		cost := func(writeBack bool) int {
			return crashes.New(g, sys).Cost(pid, func(id uint32) bool { return cached.Remote(g.State(id), pid, writeBack) }).Steps
		}
		through.add(cost(false), true)
		back.add(cost(true), true)
	}
	return &RMR{WriteThrough: Cost{Among: through.most()}, WriteBack: Cost{Among: back.most()}, DSM: Cost{Among: dsm.most()}}
}
