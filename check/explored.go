package check

import (
	"context"
	"sync"

	"shmbench/check/internal/analyse"
	"shmbench/check/internal/automaton"
	"shmbench/check/internal/compiled"
	"shmbench/check/internal/execution"
	"shmbench/check/internal/explore"
	"shmbench/check/internal/interp"
	"shmbench/check/internal/model"
	"shmbench/check/internal/source"
	"shmbench/check/internal/trace"
	"shmbench/shm"
)

// explored is the third stage of a check: the graph of the states of a lock that was
// learned for n processes, on one memory. Nothing changes it.
type explored struct {
	lock   *source.Lock
	model  *model.Lock
	n      int
	memory execution.Memory
	names  *interp.Names
	sys    *explore.SC // the automata, without the memory
	opts   explore.Options
	graph  *explore.Graph
	// space is nil unless every state was visited, or those that cannot be
	// modelled are left out.
	space *analyse.Space
	// stopped says, if a bound of the interpreter's was reached or what cannot be
	// modelled was met, what and where.
	stopped error
	// transitions are schedules that together take every transition, found when
	// they are needed.
	transitions func() ([][]byte, int)
}

// newExplored returns the graph of a lock that was explored on a memory. The system sc is of
// the automata without the memory.
func newExplored(l *source.Lock, learned *model.Lock, memory execution.Memory, sc *explore.SC, graph *explore.Graph, opts explore.Options) *explored {
	return &explored{lock: l, n: learned.Learner.M.N, memory: memory, model: learned, names: learned.Learner.M.Names(),
		sys: sc, opts: opts, graph: graph}
}

// minimised returns the model of a lock for the values that its registers can take, with as
// many passages as it was learned for.
func minimised(learned *model.Lock, seen automaton.Seen, marks automaton.Marks) (*automaton.Model, error) {
	m, err := learned.Learner.Minimise(seen, marks)
	if err == nil && learned.Passages > 0 {
		m = m.Limit(learned.Passages)
	}
	return m, err
}

// exploreAll visits every state of a lock under sequential consistency, unless
// that was done to learn it.
func exploreAll(ctx context.Context, l *source.Lock, learned *model.Lock, opts explore.Options) *explored {
	opts.Keep = true
	sys, graph := learned.Sys, learned.Graph
	if graph == nil {
		sys = explore.NewSC(learned.Model)
		graph = explore.Run(ctx, sys, opts)
	}
	return newExplored(l, learned, execution.Consistent{Sys: sys}, sys, graph, opts)
}

// complete returns x with its space. What comes after what cannot be modelled is
// not known; then not every state was visited.
func (x explored) complete() *explored {
	if x.graph.Exhausted {
		x.space = x.wholeSpace()
	}
	if id, ok := x.graph.Bad[explore.Beyond]; ok {
		x.stopped = x.refusal(id)
	}
	x.transitions = sync.OnceValues(func() ([][]byte, int) { return compiled.EveryTransition(x.visited()) })
	return &x
}

// visited is what schedules through every transition are found in.
func (x *explored) visited() compiled.Visited {
	return compiled.Visited{Graph: x.graph, SC: x.sys, Model: x.model, Memory: x.memory}
}

// plan is what is run on the compiled code: traces, every transition that can be taken,
// and random schedules with so many accesses.
func (x *explored) plan(traces []*trace.Trace, accesses int) compiled.Plan {
	p := compiled.Plan{Stopped: x.stopped != nil, Actors: x.memory.Actors().Count, Tries: 1, Accesses: accesses}
	for _, t := range traces {
		p.Traces = append(p.Traces, t.Schedule())
	}
	if x.exhausted() {
		p.Transitions = x.transitions
	}
	if x.lock.Mixed || x.memory.Terms().Memory == "tso" { // most actors have nothing to decide, or to flush
		p.Tries = compiled.BufferedTries
	}
	return p
}

// begin begins an execution of the lock on the memory that it was explored on.
func (x *explored) begin() execution.Run { return x.memory.Begin(x.model, x.names) }

// modes are those that the lock has.
func (x *explored) modes() []shm.Mode { return x.model.Learner.M.Modes() }

// exhausted reports whether every state was visited and could be modelled.
func (x *explored) exhausted() bool {
	_, beyond := x.graph.Bad[explore.Beyond]
	return x.graph.Exhausted && !beyond
}

// ends reports whether there are executions that are not known to their end.
func (x *explored) ends() bool {
	_, beyond := x.graph.Bad[explore.Beyond]
	return beyond || x.cut()
}

// cut reports whether executions were cut off in which a register left its range.
func (x *explored) cut() bool { return x.memory.Terms().Overflows }

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

// wholeSpace is the space of all states that were visited. What comes after what
// cannot be modelled, or was cut off, is not judged.
func (x *explored) wholeSpace() *analyse.Space {
	s := x.spaceOf(x.graph)
	if x.ends() {
		s.Beyond(func(state []uint64, pid int) bool {
			return x.beyond(state, pid) != nil || x.memory.CutOff(state, pid)
		})
	}
	return s
}

// spaceOf is what is to be known of a graph to decide liveness and order: one whose
// states begin as those of the lock's system do.
func (x *explored) spaceOf(g *explore.Graph) *analyse.Space {
	var sections [][]interp.Section
	for _, p := range x.model.Model.Procs {
		var of []interp.Section
		for _, l := range p.Local {
			of = append(of, l.Section)
		}
		sections = append(sections, of)
	}
	space := analyse.New(g, x.opts.Workers, x.sys.Procs, sections)
	if x.lock.Mixed {
		space.Modes(made(x.model.Model))
	}
	return space
}

// made is which passage each process makes in each of its local states.
func made(m *automaton.Model) (all [][]analyse.Passage) {
	for _, p := range m.Procs {
		var of []analyse.Passage
		for _, l := range p.Local {
			of = append(of, analyse.Passage{Mode: l.Mode, GaveUp: l.GaveUp})
		}
		all = append(all, of)
	}
	return all
}

// unless is the verdict on a property of which a violation was, or was not,
// found in what has been visited.
func (x *explored) unless(violated bool) Verdict {
	switch {
	case violated:
		return Violated
	case x.exhausted():
		return within(x.model.Passages, x.memory.Terms())
	}
	return Unknown
}

// path returns a shortest schedule to a state.
func (x *explored) path(id uint32) []int {
	return x.graph.Path(id)
}
