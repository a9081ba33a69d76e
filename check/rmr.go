package check

import (
	"context"
	"fmt"

	"shmbench/check/internal/analyse"
	"shmbench/check/internal/crew"
	"shmbench/check/internal/explore"
	"shmbench/check/internal/explored"
	"shmbench/check/internal/spec"
	"shmbench/shm"
)

// RMR is the worst-case number of remote memory references in one passage of
// one process: -1 if there is no bound, nil if it was not found out because
// the states of the caches are too many.
type RMR struct {
	// WriteThrough and WriteBack are for coherent caches. A read is remote if
	// the process has no valid copy. With write-through every write is remote;
	// with write-back only that to a register which the process does not hold
	// exclusively. An access that can write counts as a write.
	WriteThrough Cost `json:"cc_write_through"`
	WriteBack    Cost `json:"cc_write_back"`
	// DSM is for distributed shared memory without caches. A register is in the memory of the
	// process that the specification names. Otherwise it is in the memory of the only process
	// that reads it, or else of the only one that writes it. If there is none, the register
	// is remote to all.
	DSM Cost `json:"dsm"`
	// Omitted says what was not found out because the states are too many.
	Omitted string `json:"omitted,omitempty"`
	// within: what a passage among others costs with coherent caches is bounded, by
	// how much though it was not found out.
	within bool
}

// Cost has the costs of an uncontended passage, from an empty cache, and of a passage among
// all n processes.
type Cost struct {
	Alone *int `json:"alone"`
	Among *int `json:"among_n"`
}

// In returns the costs in a model.
func (r *RMR) In(m shm.RMRModel) Cost {
	return inModel(m, r.WriteThrough, r.WriteBack, r.DSM)
}

// among returns what a passage among others costs, by model.
func (r *RMR) among() map[shm.RMRModel]*int {
	all := map[shm.RMRModel]*int{}
	if r != nil {
		for _, m := range shm.RMRModels {
			all[m] = r.In(m).Among
		}
	}
	return all
}

// cacheStates is how many states of a lock and a cache are explored at most.
const cacheStates = 1 << 19

// remote finds the remote memory references.
func remote(ctx context.Context, x *explored.Lock, use *registerUse) *RMR {
	r := &RMR{}
	var dsm worst
	var everyone []int
	for pid := range x.N {
		everyone = append(everyone, pid)
		dsm.join(distributed(exploreFew(ctx, x, explore.Only(x.Sys, pid)), x, use, pid))
	}
	through, back := coherent(ctx, x, true)
	r.WriteThrough.Alone, r.WriteBack.Alone, r.DSM.Alone = through.most(), back.most(), dsm.most()

	through, back = coherent(ctx, x, false)
	dsm = distributed(x.Space, x, use, everyone...)
	r.WriteThrough.Among, r.WriteBack.Among, r.DSM.Among = through.most(), back.most(), dsm.most()
	r.within = !through.loose && !back.loose
	if through.unknown || back.unknown {
		r.Omitted = fmt.Sprintf("with caches, among n: looked for in up to %d states", cacheStates)
	}
	return r
}

// coherent finds what passages of all processes cost at most with both kinds of
// coherent caches. The states of one process's caches are few for two workers to
// share: each worker explores those of another process.
func coherent(ctx context.Context, x *explored.Lock, uncontended bool) (through, back worst) {
	single := *x
	single.Opts.Workers = 1
	costs := make([]passageCosts, x.N)
	crew.Share(x.Opts.Workers, x.N, 1, func(_, pid, _ int) { costs[pid] = cached(ctx, &single, pid, uncontended) })
	for _, c := range costs {
		through.join(c.through)
		back.join(c.back)
	}
	return through, back
}

// bounded says whether the remote memory references of a passage among others are
// bounded in a model, which has the given costs.
func bounded(costs ...Cost) Verdict {
	all := Holds
	for _, c := range costs {
		switch {
		case c.Among == nil:
			return Unknown
		case *c.Among == shm.Unbounded:
			all = Violated
		}
	}
	return all
}

// on returns the verdict on a bound that a specification may claim, or "" if nothing was
// found out.
func (r *RMR) on(name string) Verdict {
	switch {
	case r == nil:
		return ""
	case name == spec.DistributedReferences:
		return bounded(r.DSM)
	case r.within:
		return Holds
	}
	return bounded(r.WriteThrough, r.WriteBack)
}

// worst is the most over all processes: no bound if one has none, unknown if
// one is unknown.
type worst struct {
	cost    int
	endless bool
	unknown bool
	loose   bool // no bound is known of one
}

func (w *worst) add(cost int, ok bool) {
	w.join(worst{cost, ok && cost == shm.Unbounded, !ok, !ok || cost == shm.Unbounded})
}

// below adds a cost with a known upper bound.
func (w *worst) below(bound int) {
	w.join(worst{unknown: true, loose: bound == shm.Unbounded})
}

func (w *worst) join(o worst) {
	*w = worst{max(w.cost, o.cost), w.endless || o.endless, w.unknown || o.unknown, w.loose || o.loose}
}

func (w worst) most() *int {
	switch {
	case w.endless:
		return new(shm.Unbounded)
	case w.unknown:
		return nil
	}
	return new(w.cost)
}

// passageCosts is what a passage of one process costs with both kinds of caches.
type passageCosts struct{ through, back worst }

// cached finds what a passage costs with both kinds of caches. Among others it
// costs at most what it does when every passage begins with an empty cache; if
// that much can be the cost of the first, which does begin so, it is exact.
func cached(ctx context.Context, x *explored.Lock, pid int, uncontended bool) (p passageCosts) {
	// What is not found out is at most this.
	most := analyse.Remote{Through: shm.Unbounded, Back: shm.Unbounded}
	if !uncontended {
		if r, ok := x.Space.Cold(x.Sys, pid); ok {
			if r.Through == r.FirstThrough && r.Back == r.FirstBack {
				p.through.add(r.Through, true)
				p.back.add(r.Back, true)
				return p
			}
			most = r
		}
	}
	if uncontended || x.Graph.States <= cacheStates {
		steps := explore.Stepping(x.Sys)
		if uncontended {
			steps = explore.Only(x.Sys, pid)
		}
		if sys := explore.NewCached(steps, pid); sys != nil {
			if space := exploreFew(ctx, x, sys); space != nil {
				p.through.add(inCache(space, sys, pid, false), true)
				p.back.add(inCache(space, sys, pid, true), true)
				return p
			}
		}
	}
	p.through.below(most.Through)
	p.back.below(most.Back)
	return p
}

// inCache returns what a passage of a process costs at most with one kind of caches.
func inCache(space *analyse.Space, sys *explore.Cached, pid int, writeBack bool) int {
	return space.Most(space.Remote(pid, space.N, func(id uint32, pid int) bool { return sys.Remote(space.G.State(id), pid, writeBack) }))
}

// distributed counts accesses to memory that is not the process's own, if there is
// a space.
func distributed(space *analyse.Space, x *explored.Lock, use *registerUse, pids ...int) (dsm worst) {
	if space == nil {
		dsm.add(0, false)
		return dsm
	}
	for _, pid := range pids {
		dsm.add(space.Most(space.Remote(pid, x.N, func(id uint32, pid int) bool { return use.remote(x, space.G, id, pid) })), true)
	}
	return dsm
}

// remote reports whether the next access of a process in a state is to the memory of another.
func (u *registerUse) remote(x *explored.Lock, g *explore.Graph, id uint32, pid int) bool {
	l := x.Sys.Local(g.State(id), pid)
	return l.Reg >= 0 && l.Kind != 0 && u.used[l.Reg].home() != pid
}

// exploreFew explores a system, or returns nil if its states are too many.
func exploreFew(ctx context.Context, x *explored.Lock, sys explore.System) *analyse.Space {
	return exploreUpTo(ctx, x, sys, cacheStates)
}

// exploreUpTo explores a system of so many states at most, or returns nil if there are more.
func exploreUpTo(ctx context.Context, x *explored.Lock, sys explore.System, most int) *analyse.Space {
	if g := graphUpTo(ctx, x, sys, most); g != nil {
		return x.SpaceOf(g)
	}
	return nil
}

// graphUpTo is the graph of such a system, or nil.
func graphUpTo(ctx context.Context, x *explored.Lock, sys explore.System, most int) *explore.Graph {
	o := x.Opts
	o.Progress, o.MaxStates = nil, most
	if g := explore.Run(ctx, sys, o); g.Exhausted {
		return g
	}
	return nil
}
