package check

import (
	"context"

	"shmbench/check/internal/analyse"
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
		dsm.add(costOf(space.Cost(pid, func(id uint32) bool {
			l := x.Sys.Local(x.Graph.State(id), pid)
			return l.Reg >= 0 && l.Kind != 0 && use.used[l.Reg].home() != pid
		})), true)
		cached, sys := crashCaches(ctx, x, sys, pid)
		if cached == nil {
			through.add(0, false)
			back.add(0, false)
			continue
		}
		for _, w := range []struct {
			*worst
			writeBack bool
		}{{&through, false}, {&back, true}} {
			w.add(costOf(cached.Cost(pid, func(id uint32) bool { return sys.Remote(cached.G.State(id), w.writeBack) })), true)
		}
	}
	return &RMR{WriteThrough: Cost{Among: through.most()}, WriteBack: Cost{Among: back.most()}, DSM: Cost{Among: dsm.most()}}
}

// crashCaches explores a system with the cache of one process. The space is nil if there are
// too many states.
func crashCaches(ctx context.Context, x *explored.Lock, sys *explore.Crashing, pid int) (*crashes.Space, *explore.CrashingCached) {
	cached := explore.NewCrashingCached(sys, pid)
	if cached == nil || x.Graph.States > cacheStates {
		return nil, nil
	}
	o := x.Opts
	o.Progress, o.MaxStates = nil, cacheStates
	g := explore.Run(ctx, cached, o)
	if !g.Exhausted {
		return nil, nil
	}
	return crashes.New(g, sys), cached
}

// costOf returns a cost, or analyse.Unbounded.
func costOf(b crashes.Bound) int {
	if b.Lasso != nil {
		return analyse.Unbounded
	}
	return b.Steps
}
