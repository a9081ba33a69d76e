package check

import (
	"context"

	"shmbench/check/internal/automaton"
	"shmbench/check/internal/execution"
	"shmbench/check/internal/explore"
	"shmbench/check/internal/interp"
	"shmbench/check/internal/model"
	"shmbench/check/internal/source"
)

const (
	// tsoStates is how many states are explored at most where Options sets no
	// bound: store buffers multiply them, under -memory tso once for each set of
	// fences.
	tsoStates = 1 << 22
	// A buffer holds firstBuffered stores at first, and is doubled up to
	// mostBuffered where that may make a difference.
	firstBuffered = 4
	mostBuffered  = 32
)

var errModelOfSlots = &interp.Fault{Refused: true, Open: true,

	Msg: "registers that are not atomic are not explored where Lock or Unlock shares memory that it has allocated"}

// storeOrder explores a lock under total store order, with some of its stores
// going through store buffers.
type storeOrder struct {
	lock     *source.Lock
	ctx      context.Context
	opts     explore.Options
	unfenced bool // stores that have a fence go without
}

// stores says which stores go into a store buffer: in a local state of a model
// made with these marks, and in one of a learner.
type stores struct {
	marks   func(l *automaton.Learner) automaton.Marks
	local   func(l *automaton.Local) bool
	learned func(l *automaton.Learner, pid int, s int32) bool
}

// of tells which stores of a lock that was learned go into a buffer.
func (s *stores) of(learned *model.Lock) func(pid int, state int32) bool {
	return func(pid int, state int32) bool { return s.learned(learned.Learner, pid, state) }
}

// released are the stores that have no fence as they are written: those with
// release order, and plain ones.
func released(l *source.Lock) *stores {
	return &stores{
		marks:   l.Marks,
		local:   func(l *automaton.Local) bool { return l.Kind.Unfenced() },
		learned: func(l *automaton.Learner, pid int, s int32) bool { return l.Procs[pid].Kind(s).Unfenced() },
	}
}

// releases reports whether a lock has stores with release order.
func releases(m *automaton.Model) bool {
	for _, p := range m.Procs {
		for _, l := range p.Local {
			if l.Kind&automaton.Released != 0 {
				return true
			}
		}
	}
	return false
}

func newStoreOrder(ctx context.Context, l *source.Lock, opts explore.Options) *storeOrder {
	opts.Keep = true
	if opts.MaxStates == 0 {
		opts.MaxStates = tsoStates
	}
	return &storeOrder{lock: l, ctx: ctx, opts: opts}
}

// exploreAs explores a lock as it is written: under total store order if it has
// stores with release order, and otherwise under sequential consistency.
func exploreAs(ctx context.Context, l *source.Lock, learned *model.Lock, opts explore.Options) (*explored, error) {
	if !releases(learned.Model) {
		return exploreAll(ctx, l, learned, opts), nil
	}
	return newStoreOrder(ctx, l, opts).explore(learned, released(l), exclusionViolated)
}

// exclusionViolated reports whether two processes were in their critical sections at once.
func exclusionViolated(x *explored) bool {
	_, bad := x.graph.Bad[explore.Exclusion]
	return bad
}

// explore explores with the given stores buffered. The buffers grow until none
// is ever full, or enough is known.
func (o *storeOrder) explore(learned *model.Lock, stored *stores, enough func(*explored) bool) (*explored, error) {
	var before *explored
	for capacity := firstBuffered; ; capacity *= 2 {
		x, err := o.exploreWith(learned, stored, capacity)
		switch {
		case err != nil:
			return nil, err
		case !x.graph.Exhausted && before != nil && !enough(x): // less room must do
			return before, nil
		case x.memory.Terms().BufferedStores == 0 || !x.graph.Exhausted || capacity >= mostBuffered || enough(x):
			return x, nil
		}
		before, learned = x, x.model
	}
}

// exploreWith explores with buffers of the given capacity, or less if the
// automata tell that no process can ever have so many stores in its buffer.
// Values that only occur under store buffers are learned on the way. Interrupted,
// it returns what was explored by then.
func (o *storeOrder) exploreWith(known *model.Lock, stored *stores, capacity int) (*explored, error) {
	learned := *known
	for {
		m, err := minimised(&learned, learned.Seen, stored.marks(learned.Learner))
		if err != nil {
			return nil, err
		}
		learned.Model = m
		goes := func(pid int, s int32) bool { return stored.local(&m.Procs[pid].Local[s]) }
		most := 1
		for pid, p := range m.Procs {
			k := p.MostStores(func(s int32) bool { return goes(pid, s) })
			if k == automaton.Endless || k > capacity {
				k = capacity
			}
			most = max(most, k)
		}
		sc := explore.NewSC(m)
		sys := explore.NewTSO(sc, most, goes)
		graph := explore.Run(o.ctx, sys, o.opts)
		mem := execution.Buffered{Sys: sys, Stores: stored.of, Unfenced: o.unfenced}
		if sys.Full.Load() {
			mem.Capacity = capacity
		}
		x := newExplored(o.lock, &learned, mem, sc, graph, o.opts)
		if _, missing := x.graph.Bad[explore.Missing]; !missing || o.ctx.Err() != nil {
			return x, nil
		}
		if !learned.Learner.Shares() {
			learned.Seen = learned.Learner.AllSeen()
			continue
		}
		all, err := learned.Buffered(o.ctx, most, stored.of(&learned), o.opts)
		if err != nil || !all {
			return x, err
		}
	}
}
