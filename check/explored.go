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
	space  *analyse.Space // nil unless every state was visited
	// stopped says, if a bound of the interpreter's was reached, which and where.
	stopped string
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

// complete returns x with its space, if every state was visited, or why the
// code cannot be modelled. What comes after an access that cannot be modelled is
// not known; then not every state was visited.
func (x explored) complete() (*explored, *interp.Fault) {
	if id, ok := x.graph.Bad[explore.Crash]; ok {
		if _, f := x.crashed(id); f.Refused {
			return &x, f
		}
		if open := x.refusedToo(); open != nil {
			g := *x.graph
			g.Exhausted = false
			x.graph, x.stopped = &g, open.Error()
		}
	}
	if x.graph.Exhausted {
		x.space = analyse.New(x.graph, x.n, x.section)
	}
	return &x, nil
}

// crashed returns the first process that cannot go on in a state, and why.
func (x *explored) crashed(id uint32) (pid int, fault *interp.Fault) {
	for pid := range x.n {
		if f := x.sys.Local(x.graph.State(id), pid).Fault; f != nil {
			return pid, f
		}
	}
	panic("check: internal error: nobody has crashed in a state in which somebody has")
}

// refusedToo returns the first fault of what cannot be modelled, if there is
// one beside faults of the lock's own.
func (x *explored) refusedToo() *interp.Fault {
	for id := range x.graph.States {
		for pid := range x.n {
			if f := x.sys.Local(x.graph.State(uint32(id)), pid).Fault; f != nil && f.Refused {
				return f
			}
		}
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
