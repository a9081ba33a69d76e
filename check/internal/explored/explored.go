// Package explored has the third stage of a check: the graph of the states of a lock that
// was learned for n processes, on one memory. It explores the lock as it is written
// (AsWritten), which is under total store order if some stores have release order. It also
// explores the lock with store buffers for other stores (StoreOrder), and on registers that
// are not atomic (NotAtomic). Values that occur only on such memory are learned on the way.
package explored

import (
	"context"
	"strings"
	"sync"
	"time"

	"shmbench/check/internal/analyse"
	"shmbench/check/internal/automaton"
	"shmbench/check/internal/compiled"
	"shmbench/check/internal/execution"
	"shmbench/check/internal/explore"
	"shmbench/check/internal/interp"
	"shmbench/check/internal/model"
	"shmbench/check/internal/source"
	"shmbench/shm"
)

// Lock is the third stage of a check: the graph of the states of a lock that was
// learned for n processes, on one memory. Nothing changes it.
type Lock struct {
	Source  *source.Lock
	Learned *model.Lock
	N       int
	Memory  execution.Memory
	Names   *interp.Names
	Sys     *explore.SC // the automata, without the memory
	Opts    explore.Options
	Graph   *explore.Graph
	// Space is nil unless every state was visited, or those that cannot be
	// modeled are left out.
	Space *analyse.Space
	// Stopped says, if a bound of the interpreter's was reached or what cannot be
	// modeled was met, what and where.
	Stopped error
	// Transitions are schedules that together take every transition, and how many these are. Waits
	// tells, by process and local state, where a process can be kept waiting, if there is a space.
	// Both are found when they are needed.
	Transitions func() ([][]byte, int)
	Waits       func() [][]bool
}

// New returns the graph of a lock that was explored on a memory. The system sc is of
// the automata without the memory.
func New(l *source.Lock, learned *model.Lock, memory execution.Memory, sc *explore.SC, graph *explore.Graph, opts explore.Options) *Lock {
	return &Lock{Source: l, N: learned.Learner.M.N, Memory: memory, Learned: learned, Names: learned.Learner.M.Names(),
		Sys: sc, Opts: opts, Graph: graph}
}

// Consistent visits every state of a lock under sequential consistency, unless
// that was done to learn it. If a bound ended it there, a search with more reductions may go further.
func Consistent(ctx context.Context, l *source.Lock, learned *model.Lock, opts explore.Options) *Lock {
	opts.Keep = !opts.StatesOnly
	sys, graph := learned.Sys, learned.Graph
	if graph == nil {
		sys = explore.NewSC(learned.Model)
	}
	if graph == nil || explore.Bounded(ctx, graph, opts) {
		without := *learned
		without.Graph, learned = nil, &without // its memory is free for the next one
		graph = explore.Search(ctx, sys, opts, required(l), graph)
	}
	return New(l, learned, execution.Consistent{Sys: sys}, sys, graph, opts)
}

// Crashing visits every state of a lock whose processes crash, under sequential consistency.
func Crashing(ctx context.Context, l *source.Lock, learned *model.Lock, opts explore.Options) *Lock {
	opts.Keep = true
	sc := explore.NewSC(learned.Model)
	sys := explore.NewCrashing(sc, *l.Crashes)
	return New(l, learned, execution.NewCrashing(sys), sc, explore.Run(ctx, sys, opts), opts)
}

// Complete returns x with its space. States behind a step that cannot be modeled are not
// known; then not every state was visited.
func (x Lock) Complete() *Lock {
	if x.Graph.Exhausted && x.Source.Crashes == nil && !x.Opts.StatesOnly {
		x.Space = x.WholeSpace()
	}
	if id, ok := x.Graph.Bad[explore.Beyond]; ok {
		x.Stopped = x.refusal(id)
	}
	x.Waits = sync.OnceValue(x.waits)
	x.Transitions = sync.OnceValues(func() ([][]byte, int) {
		if x.Opts.StatesOnly {
			return nil, 0
		}
		return compiled.EveryTransition(x.Visited())
	})
	return &x
}

func (x *Lock) waits() (all [][]bool) {
	for pid := range x.N {
		all = append(all, x.Space.Waits(pid))
	}
	return all
}

// Visited is what schedules through every transition are found in.
func (x *Lock) Visited() compiled.Visited {
	return compiled.Visited{Graph: x.Graph, SC: x.Sys, Learned: x.Learned, Memory: x.Memory}
}

// Begin begins an execution of the lock on the memory that it was explored on.
func (x *Lock) Begin() execution.Run { return x.Memory.Begin(x.Learned, x.Names) }

// Modes are those that the lock has.
func (x *Lock) Modes() []shm.Mode { return x.Learned.Learner.M.Modes() }

// Exploring is the time that this stage took to visit the states: none, if learning visited them.
func (x *Lock) Exploring() time.Duration {
	if x.Graph == x.Learned.Graph {
		return 0
	}
	return x.Graph.Elapsed
}

// Exhausted reports whether the lock was fully explored: every state was visited and modeled.
func (x *Lock) Exhausted() bool {
	_, beyond := x.Graph.Bad[explore.Beyond]
	return x.Graph.Exhausted && !beyond
}

// ends reports whether there are executions that are not known to their end.
func (x *Lock) ends() bool {
	_, beyond := x.Graph.Bad[explore.Beyond]
	return beyond || x.Memory.Terms().Overflows // cut off where a register left its range
}

// refusal is why a process cannot be modeled in a state in which one cannot.
func (x *Lock) refusal(id uint32) error {
	for pid := range x.N {
		if f := x.beyond(x.Graph.State(id), pid); f != nil {
			return f
		}
	}
	panic("check: internal error: every process can be modeled in a state in which one cannot")
}

// beyond is why a process cannot be modeled in a state, or nil.
func (x *Lock) beyond(state []uint64, pid int) *interp.Fault {
	if f := x.Sys.Local(state, pid).Fault; f != nil && f.Refused {
		return f
	}
	return nil
}

// WholeSpace is the space of all states that were visited. What comes after what
// cannot be modeled, or was cut off, is not judged.
func (x *Lock) WholeSpace() *analyse.Space {
	s := x.SpaceOf(x.Graph)
	if x.Opts.StatesOnly && x.ofAutomata() {
		s.Lasting(lasting(x.Learned.Model))
	}
	if x.ends() {
		s.Beyond(func(state []uint64, pid int) bool {
			return x.beyond(state, pid) != nil || x.Memory.CutOff(state, pid)
		})
	}
	return s
}

// SpaceOf is what is to be known of a graph to decide liveness and order: one whose
// states begin as those of the lock's system do.
func (x *Lock) SpaceOf(g *explore.Graph) *analyse.Space {
	var sections [][]interp.Section
	for _, p := range x.Learned.Model.Procs {
		var of []interp.Section
		for _, l := range p.Local {
			of = append(of, l.Section)
		}
		sections = append(sections, of)
	}
	space := analyse.New(g, x.Opts.Workers, x.Sys.Procs, sections)
	if x.Source.Mixed {
		space.Modes(made(x.Learned.Model))
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

// lasting is which local states of each process are lasting.
func lasting(m *automaton.Model) (all [][]bool) {
	for _, p := range m.Procs {
		all = append(all, p.Lasting())
	}
	return all
}

// KindName is the last part of a register's name without its index or number:
// "node[2].q[1]" is a "q".
func KindName(name string) string {
	name = name[strings.LastIndexByte(name, '.')+1:]
	if i := strings.IndexAny(name, "[#"); i > 0 {
		name = name[:i]
	}
	return name
}
