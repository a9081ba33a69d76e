package check

import (
	"context"

	"shmbench/check/internal/analyse"
	"shmbench/check/internal/explore"
	"shmbench/check/internal/interp"
	"shmbench/check/internal/model"
)

// explored is what was explored of a lock for one n. It is never changed: what
// is decided of it is decided by functions of it.
type explored struct {
	*subject
	n      int
	memory string // "sc" or "tso"
	lock   *model.Lock
	names  *interp.Names
	sys    *explore.SC
	system explore.System // sys, or sys with store buffers
	opts   explore.Options
	graph  *explore.Graph
	// space is nil unless every state was visited, or those that cannot be
	// modelled are left out.
	space *analyse.Space
	// stopped says, if a bound of the interpreter's was reached or what cannot be
	// modelled was met, what and where.
	stopped error
	// buffers tells, under tso, which stores of the learner's go into a store
	// buffer, and bufferedStores how many it holds, if some process had to wait
	// for room in it.
	buffers        func(pid int, state int32) bool
	bufferedStores int
}

// exploreAll visits every state of a lock under sequential consistency.
func exploreAll(ctx context.Context, s *subject, lock *model.Lock, opts explore.Options) *explored {
	opts.Keep = true
	sys := explore.NewSC(lock.Model)
	return &explored{subject: s, n: lock.Model.N, memory: "sc", lock: lock, names: lock.Learner.M.Names(),
		sys: sys, system: sys, opts: opts, graph: explore.Run(ctx, sys, opts)}
}

// complete returns x with its space. What comes after what cannot be modelled is
// not known; then not every state was visited.
func (x explored) complete() *explored {
	if x.graph.Exhausted {
		x.space = analyse.New(x.graph, x.n, x.opts.Workers, x.section)
	}
	if id, ok := x.graph.Bad[explore.Beyond]; ok {
		x.stopped = x.refusal(id)
		if x.space != nil {
			x.space.Beyond(func(state []uint64, pid int) bool { return x.beyond(state, pid) != nil })
		}
		g := *x.graph
		g.Exhausted = false
		x.graph = &g
	}
	return &x
}

// refusal is why a process cannot be modelled in a state in which one cannot.
func (x *explored) refusal(id uint32) error {
	for pid := range x.n {
		if f := x.beyond(x.graph.State(id), pid); f != nil {
			return f
		}
	}
	panic("check: internal error: everybody can be modelled in a state in which somebody cannot")
}

// beyond is why a process cannot be modelled in a state, or nil.
func (x *explored) beyond(state []uint64, pid int) *interp.Fault {
	if f := x.sys.Local(state, pid).Fault; f != nil && f.Refused {
		return f
	}
	return nil
}

// section tells the analyses what a process is doing in a state.
func (x *explored) section(state []uint64, pid int) interp.Section {
	return x.sys.Local(state, pid).Section
}

// unless is the verdict on a property of which a violation was, or was not,
// found in what has been visited.
func (x *explored) unless(violated bool) Verdict {
	switch {
	case violated:
		return Violated
	case x.graph.Exhausted:
		return within(x.lock.Passages, x.bufferedStores)
	}
	return Unknown
}

// path returns a shortest schedule to a state.
func (x *explored) path(id uint32) []int {
	return x.graph.Path(id)
}
