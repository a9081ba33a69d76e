package explored

import (
	"context"
	"errors"

	"shmbench/check/internal/automaton"
	"shmbench/check/internal/execution"
	"shmbench/check/internal/explore"
	"shmbench/check/internal/model"
	"shmbench/check/internal/source"
)

const (
	// tsoStates is how many states are explored at most where Options sets no
	// bound: store buffers multiply them, under -memory tso once for each set of
	// fences.
	tsoStates = 1 << 22
	// A buffer holds FirstBuffered stores at first, and is doubled up to
	// mostBuffered where that may make a difference.
	FirstBuffered = 4
	mostBuffered  = 32
)

// StoreOrder explores a lock under total store order, with some of its stores
// going through store buffers.
type StoreOrder struct {
	Lock     *source.Lock
	Ctx      context.Context
	opts     explore.Options
	unfenced bool
}

// Stores says which stores go into a store buffer: in a local state of a model
// made with these marks, and in one of a learner.
type Stores struct {
	Marks   func(l *automaton.Learner) automaton.Marks
	Local   func(l *automaton.Local) bool
	Learned func(l *automaton.Learner, pid int, s int32) bool
}

// of tells which stores of a lock that was learned go into a buffer.
func (s *Stores) of(learned *model.Lock) func(pid int, state int32) bool {
	return func(pid int, state int32) bool { return s.Learned(learned.Learner, pid, state) }
}

// released are the stores that have no fence as they are written: those with
// release order, and plain ones.
func released(l *source.Lock) *Stores {
	return &Stores{
		Marks:   l.Marks,
		Local:   func(l *automaton.Local) bool { return l.Kind.Unfenced() },
		Learned: func(l *automaton.Learner, pid int, s int32) bool { return l.Procs[pid].Kind(s).Unfenced() },
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

// NewStoreOrder returns an exploration of a lock under total store order. Unfenced says that
// stores go without the fence that they have in the source.
func NewStoreOrder(ctx context.Context, l *source.Lock, opts explore.Options, unfenced bool) *StoreOrder {
	opts.Keep = !opts.StatesOnly
	if opts.MaxStates == 0 {
		opts.MaxStates = tsoStates
	}
	return &StoreOrder{Lock: l, Ctx: ctx, opts: opts, unfenced: unfenced}
}

// AsWritten explores a lock as it is written: under total store order if it has
// stores with release order, and otherwise under sequential consistency.
func AsWritten(ctx context.Context, l *source.Lock, learned *model.Lock, opts explore.Options) (*Lock, error) {
	if !releases(learned.Model) {
		return Consistent(ctx, l, learned, opts), nil
	}
	if opts.Checkpoint != nil {
		return nil, errors.New("a search of a lock with release stores has no checkpoint")
	}
	return NewStoreOrder(ctx, l, opts, false).Explore(learned, released(l), ExclusionViolated)
}

// ExclusionViolated reports whether two processes were in their critical sections at once.
func ExclusionViolated(x *Lock) bool {
	_, bad := x.Graph.Bad[explore.Exclusion]
	return bad
}

// Explore explores with the given stores buffered. The buffers grow until none
// is ever full, or enough is known.
func (o *StoreOrder) Explore(learned *model.Lock, stored *Stores, enough func(*Lock) bool) (*Lock, error) {
	var before *Lock
	for capacity := FirstBuffered; ; capacity *= 2 {
		x, err := o.ExploreWith(learned, stored, capacity)
		switch {
		case err != nil:
			return nil, err
		case !x.Graph.Exhausted && before != nil && !enough(x): // less room must do
			return before, nil
		case x.Memory.Terms().BufferedStores == 0 || !x.Graph.Exhausted || capacity >= mostBuffered || enough(x):
			return x, nil
		}
		before, learned = x, x.Learned
	}
}

// ExploreWith explores with buffers of the given capacity. It takes a smaller capacity if the
// automata show that no process can ever have so many stores in its buffer. Values that occur
// only under store buffers are learned on the way. If it is interrupted, ExploreWith returns
// the part that was explored by then.
func (o *StoreOrder) ExploreWith(known *model.Lock, stored *Stores, capacity int) (*Lock, error) {
	learned := *known
	for {
		m, err := learned.Minimized(learned.Seen, stored.Marks(learned.Learner))
		if err != nil {
			return nil, err
		}
		learned.Model = m
		intoBuffer := func(pid int, s int32) bool { return stored.Local(&m.Procs[pid].Local[s]) }
		most := 1
		for pid, p := range m.Procs {
			k := p.MostStores(func(s int32) bool { return intoBuffer(pid, s) })
			if k == automaton.Endless || k > capacity {
				k = capacity
			}
			most = max(most, k)
		}
		sc := explore.NewSC(m)
		sys := explore.NewTSO(sc, most, intoBuffer)
		graph := explore.Run(o.Ctx, sys, o.opts)
		mem := execution.Buffered{Sys: sys, Stores: stored.of, Unfenced: o.unfenced}
		if sys.Full.Load() {
			mem.Capacity = capacity
		}
		x := New(o.Lock, &learned, mem, sc, graph, o.opts)
		if _, missing := x.Graph.Bad[explore.Missing]; !missing || o.Ctx.Err() != nil {
			return x, nil
		}
		if !learned.Learner.Shares() {
			learned.Seen = learned.Learner.AllSeen()
			continue
		}
		all, err := learned.Buffered(o.Ctx, most, stored.of(&learned), o.opts)
		if err != nil || !all {
			return x, err
		}
	}
}
