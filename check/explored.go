package check

import (
	"context"
	"sync"

	"shmbench/check/internal/analyse"
	"shmbench/check/internal/automaton"
	"shmbench/check/internal/explore"
	"shmbench/check/internal/interp"
	"shmbench/check/internal/model"
	"shmbench/shm"
)

// explored is what was explored of a lock for one n. It is never changed: what
// is decided of it is decided by functions of it.
type explored struct {
	lock   *lock
	n      int
	memory string // "sc" or "tso"
	// registers is what they are, and weak is sys on them, if they are not atomic.
	registers shm.RegisterModel
	weak      *explore.Weak
	model     *model.Lock
	names     *interp.Names
	sys       *explore.SC
	tso       *explore.TSO // sys with store buffers, nil if there are none
	stores    *stores      // that go into the buffers
	opts      explore.Options
	graph     *explore.Graph
	// space is nil unless every state was visited, or those that cannot be
	// modelled are left out.
	space *analyse.Space
	// alike tells by process whether it is decided of another one what is decided
	// of it: see automaton.Model.Alike.
	alike []automaton.Alike
	// stopped says, if a bound of the interpreter's was reached or what cannot be
	// modelled was met, what and where.
	stopped  error
	unfenced bool // stores that have a fence go without
	// bufferedStores is how many stores a buffer holds, if some process had to
	// wait for room in it.
	bufferedStores int
	// transitions are schedules that together take every transition, found when
	// they are needed.
	transitions func() ([][]byte, int)
}

// exploreAll visits every state of a lock under sequential consistency, unless
// that was done to learn it.
func exploreAll(ctx context.Context, l *lock, learned *model.Lock, opts explore.Options) *explored {
	opts.Keep = true
	sys, graph := learned.Sys, learned.Graph
	if graph == nil {
		sys = explore.NewSC(learned.Model)
		graph = explore.Run(ctx, sys, opts)
	}
	return &explored{lock: l, n: learned.Model.N, memory: "sc", model: learned, names: learned.Learner.M.Names(),
		sys: sys, opts: opts, graph: graph}
}

// complete returns x with its space. What comes after what cannot be modelled is
// not known; then not every state was visited.
func (x explored) complete() *explored {
	if x.graph.Exhausted {
		x.space = x.wholeSpace()
		if !x.cut() {
			x.alike = alikeIn(&x)
			x.space.Symmetric(x.firsts())
		}
	}
	if id, ok := x.graph.Bad[explore.Beyond]; ok {
		x.stopped = x.refusal(id)
	}
	x.transitions = sync.OnceValues(func() ([][]byte, int) { return everyTransition(&x) })
	return &x
}

// buffers tells which stores of the learner's go into a store buffer; it is nil
// if there are none.
func (x *explored) buffers() func(pid int, state int32) bool {
	if x.stores == nil {
		return nil
	}
	return func(pid int, state int32) bool { return x.stores.learned(x.model.Learner, pid, state) }
}

// sees returns the number of the value that an actor's next access finds.
func (x *explored) sees(state []uint64, actor int) int32 {
	switch {
	case x.weak != nil:
		return x.weak.Sees(state, actor)
	case x.sys.Local(state, actor%x.n).Decides:
		return int32(actor / x.parties())
	case x.tso != nil:
		return x.tso.Sees(state, actor)
	}
	return x.sys.Regs[x.sys.Local(state, actor).Reg].Of(state)
}

// parties is how many processes there are, and store buffers.
func (x *explored) parties() int {
	if x.tso != nil {
		return x.tso.Parties()
	}
	return x.n
}

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
func (x *explored) cut() bool { return x.weak != nil && x.weak.Cut.Load() }

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
			return x.beyond(state, pid) != nil || x.cut() && x.weak.CutOff(state, pid)
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
	if x.lock.mixed {
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
		return within(x.model.Passages, x.bufferedStores, x.cut())
	}
	return Unknown
}

// path returns a shortest schedule to a state.
func (x *explored) path(id uint32) []int {
	return x.graph.Path(id)
}
