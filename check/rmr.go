package check

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"shmbench/check/internal/analyse"
	"shmbench/check/internal/explore"
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
	// DSM is for distributed shared memory without caches. A register is in
	// the memory of the process that the card says, or else of the one that reads
	// it, or else of the one that writes it; if there is none, it is remote to all.
	DSM Cost `json:"dsm"`
	// Omitted says what was not found out because the states are too many.
	Omitted string `json:"omitted,omitempty"`
	// within: what a passage among others costs with coherent caches is bounded, by
	// how much though it was not found out.
	within bool
}

// Cost is for a process that runs alone, from an empty cache, and for one
// among all n.
type Cost struct {
	Alone *int `json:"alone"`
	Among *int `json:"among_n"`
}

// cacheStates is how many states of a lock and a cache are explored at most.
const cacheStates = 1 << 19

// remote finds the remote memory references.
func remote(ctx context.Context, x *explored, use *registerUse) *RMR {
	r := &RMR{}
	// The states of one process's caches are few for two workers to share: each
	// looks at another process.
	single := *x
	single.opts.Workers = 1
	pids := make([]int, x.n)
	for pid := range pids {
		pids[pid] = pid
	}
	for _, alone := range []bool{true, false} {
		costs := make([]struct{ through, back worst }, x.n)
		var taken atomic.Int32
		var workers sync.WaitGroup
		for range x.opts.Workers {
			workers.Go(func() {
				for pid := int(taken.Add(1)) - 1; pid < x.n; pid = int(taken.Add(1)) - 1 {
					cached(ctx, &single, pid, alone, &costs[pid].through, &costs[pid].back)
				}
			})
		}
		workers.Wait()
		var through, back, dsm worst
		for pid := range x.n {
			through.join(costs[pid].through)
			back.join(costs[pid].back)
			if alone {
				dsm.join(distributed(alike(ctx, x, explore.Alone(x.sys, pid)), x, use, pid))
			}
		}
		if alone {
			r.WriteThrough.Alone, r.WriteBack.Alone, r.DSM.Alone = through.most(), back.most(), dsm.most()
		} else {
			dsm = distributed(x.space, x, use, pids...)
			r.WriteThrough.Among, r.WriteBack.Among, r.DSM.Among = through.most(), back.most(), dsm.most()
			r.within = !through.loose && !back.loose
			if through.unknown || back.unknown {
				r.Omitted = fmt.Sprintf("with caches, among n: looked for in up to %d states", cacheStates)
			}
		}
	}
	return r
}

// bounded says whether the remote memory references of a passage among others are
// bounded in a model, which has the given costs.
func bounded(costs ...Cost) Verdict {
	verdict := Holds
	for _, c := range costs {
		switch {
		case c.Among == nil:
			return Unknown
		case *c.Among == analyse.Unbounded:
			verdict = Violated
		}
	}
	return verdict
}

// localSpins are what a card can claim of the remote memory references.
var localSpins = []struct {
	name    string
	claimed func(shm.LocalSpin) bool
	of      func(*RMR) Verdict
}{
	{"a bound on remote memory references with coherent caches", func(l shm.LocalSpin) bool { return l.CC },
		func(r *RMR) Verdict {
			if r.within {
				return Holds
			}
			return bounded(r.WriteThrough, r.WriteBack)
		}},
	{"a bound on remote memory references with distributed memory", func(l shm.LocalSpin) bool { return l.DSM },
		func(r *RMR) Verdict { return bounded(r.DSM) }},
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
	w.join(worst{cost, ok && cost == analyse.Unbounded, !ok, !ok || cost == analyse.Unbounded})
}

// below adds a cost of which an upper bound is known.
func (w *worst) below(bound int) {
	w.join(worst{unknown: true, loose: bound == analyse.Unbounded})
}

func (w *worst) join(o worst) {
	*w = worst{max(w.cost, o.cost), w.endless || o.endless, w.unknown || o.unknown, w.loose || o.loose}
}

func (w *worst) most() *int {
	switch {
	case w.endless:
		return new(analyse.Unbounded)
	case w.unknown:
		return nil
	}
	return &w.cost
}

// cached adds what a passage costs with both kinds of caches. Among others it
// costs at most what it does when every passage begins with an empty cache; if
// that much can be the cost of the first, which does begin so, it is exact.
func cached(ctx context.Context, x *explored, pid int, alone bool, through, back *worst) {
	// What is not found out is at most this.
	most := analyse.Remote{Through: analyse.Unbounded, Back: analyse.Unbounded}
	if !alone {
		if r, ok := x.space.Cold(x.sys, pid); ok {
			if r.Through == r.FirstThrough && r.Back == r.FirstBack {
				through.add(r.Through, true)
				back.add(r.Back, true)
				return
			}
			most = r
		}
	}
	if alone || x.graph.States <= cacheStates {
		if sys := explore.NewCached(x.sys, pid, alone); sys != nil {
			if t, b := inCaches(alike(ctx, x, sys), sys, pid); t != nil {
				through.add(t.Most(pid), true)
				back.add(b.Most(pid), true)
				return
			}
		}
	}
	through.below(most.Through)
	back.below(most.Back)
}

// inCaches returns what passages of a process cost with both kinds of caches, if
// there is a space.
func inCaches(space *analyse.Space, sys *explore.Cached, pid int) (through, back *analyse.Costs) {
	if space == nil {
		return nil, nil
	}
	cost := func(writeBack bool) *analyse.Costs {
		return space.Costs([]int{pid}, func(id uint32, _ int) bool { return sys.Remote(space.G.State(id), writeBack) })
	}
	return cost(false), cost(true)
}

// distributed counts accesses to memory that is not the process's own, if there is
// a space.
func distributed(space *analyse.Space, x *explored, use *registerUse, pids ...int) (dsm worst) {
	if space == nil {
		dsm.add(0, false)
		return dsm
	}
	c := space.Costs(pids, func(id uint32, pid int) bool {
		l := x.sys.Local(space.G.State(id), pid)
		return l.Reg >= 0 && l.Kind != 0 && use.used[l.Reg].home() != pid
	})
	for _, pid := range pids {
		dsm.add(c.Most(pid), true)
	}
	return dsm
}

// alike explores a system, or returns nil if its states are too many.
func alike(ctx context.Context, x *explored, sys explore.System) *analyse.Space {
	o := x.opts
	o.Progress, o.MaxStates = nil, cacheStates
	g := explore.Run(ctx, sys, o)
	if !g.Exhausted {
		return nil
	}
	return x.spaceOf(g)
}
