// Package model turns a constructor of a lock into the smallest model of it
// that can be explored.
package model

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/types"
	"slices"
	"time"

	"shmbench/check/internal/automaton"
	"shmbench/check/internal/explore"
	"shmbench/check/internal/interp"
)

// Limits bound the learning.
const (
	firstLocal   = 1 << 13 // local states of a process, while it is found out what is bounded
	maxLocal     = 1 << 15 // local states of a process
	closeValues  = 64      // values of a register, in whatever order processes move
	closeSteps   = 1 << 13 // transitions of all processes, in whatever order they move
	maxValues    = 128     // values of a register, above which it counts as unbounded
	crashValues  = 24      // the same, where processes crash any number of times
	rawValues    = 1 << 15 // values of a register, above which it is not learned
	probeStates  = 1 << 19 // states visited to see whether registers are bounded
	walkSteps    = 1 << 20 // at random, to see which values occur, before it is explored which do
	defaultLimit = 2       // passages where they are not

	// probeStates and walkSteps are at most perState times the bound on the states that are explored, or
	// fewLooks: a state of minimal automata stands for several others.
	perState = 16
	fewLooks = 1 << 13
)

// Lock is a lock that has been learned.
type Lock struct {
	// Learner learns more where a later stage, on weaker memory, meets values that did not occur
	// here. What it knows does not change.
	Learner *automaton.Learner
	// Model is minimal for the values that occur; under a limit it ends after
	// Passages passages of each process.
	Model *automaton.Model
	Seen  automaton.Seen
	// Graph has the states of Sys, which is Model, if they had to be explored with
	// Options.Explore to learn it.
	Sys      *explore.SC
	Graph    *explore.Graph
	Passages int // 0 if there is no limit
	// Unbounded are the registers that made a limit necessary: their names,
	// for the least n at which they do, and their types.
	Unbounded map[string]types.BasicKind
	// Met has a shortest schedule to each kind of bad state that was met without a limit, while it
	// was found out which registers grow.
	Met map[explore.Bad][]int
	// Piling says, if that made it necessary, that ever more memory which
	// processes have allocated can be reached.
	Piling *interp.Piling
}

// Exploring is the time that visiting the states took, which is a part of the time of learning.
func (lock *Lock) Exploring() time.Duration {
	if lock.Graph == nil {
		return 0
	}
	return lock.Graph.Elapsed
}

// Options say what to learn.
type Options struct {
	Passages int // 0: no limit if registers are bounded, otherwise 2
	Explore  explore.Options
	Memory   int64 // that what is learned may take, 0 for the usual
	// Crashes, if not nil, are those of processes.
	Crashes *explore.Crashes
	// Marks gives the marks that keep local states apart which do the same.
	Marks func(l *automaton.Learner) automaton.Marks
	// Bounds, if not nil, remembers for a builder whether registers are bounded,
	// which is found out with two processes, however many there are.
	Bounds *Bounds
}

// Builder builds a fresh machine with the lock for n processes.
type Builder func(ctx context.Context, n int) (*interp.Machine, error)

// Learn learns a lock for n processes.
func Learn(ctx context.Context, build Builder, n int, o Options) (*Lock, error) {
	if o.Passages > explore.MostPassages {
		return nil, fmt.Errorf("%d passages are more than the %d that can be counted", o.Passages, explore.MostPassages)
	}
	m, err := build(ctx, n)
	if err != nil {
		return nil, err
	}
	return Of(ctx, build, m, o)
}

// Of learns the lock that has been built on a machine. It may be called again if the lock
// turns out to use memory in another way than was learned.
func Of(ctx context.Context, build Builder, m *interp.Machine, o Options) (*Lock, error) {
	return interp.Restart(func() (*Lock, error) { return learn(ctx, build, m, o) })
}

func learn(ctx context.Context, build Builder, m *interp.Machine, o Options) (*Lock, error) {
	l, err := automaton.New(m, firstLocal, o.Memory)
	if err != nil {
		return nil, err
	}
	closed, err := l.Close(closeValues, o.closeSteps())
	var large *automaton.ErrTooLarge
	if err != nil && !errors.As(err, &large) {
		return nil, err
	}
	if !closed && l.Forget() {
		return nil, interp.ErrReclassified
	}
	lock := &Lock{Learner: l, Passages: o.Passages}
	if closed {
		lock.Seen = l.AllSeen()
		if o.Crashes != nil {
			return lock, lock.minimize(o)
		}
		return lock, lock.narrow(ctx, o)
	}
	exact, err := lock.probe(ctx, build, o)
	switch {
	case err != nil:
		return nil, err
	case exact:
		return lock, lock.minimize(o)
	case o.Crashes != nil:
		if err := lock.visit(ctx, o); err != nil {
			return nil, err
		}
		return lock, lock.minimize(o)
	}
	return lock, lock.search(ctx, o.atMost(walkSteps), o)
}

// probe explores with the automata as they are learned, to see which values
// occur, and sets the limit of passages if there must be one. It reports whether
// it has seen them all.
func (lock *Lock) probe(ctx context.Context, build Builder, o Options) (all bool, err error) {
	n := lock.Learner.M.N
	lock.Learner.MaxStates = maxLocal
	if o.Passages == 0 {
		bounds, err := o.bounded(ctx, build, min(n, 2))
		if lock.Piling = piling(err); err != nil && lock.Piling == nil {
			return false, err
		}
		if lock.Piling != nil {
			lock.Passages = defaultLimit
		} else if !bounds.bounded {
			lock.Passages, lock.Unbounded = defaultLimit, bounds.kinds
			if n <= 2 {
				lock.Met = bounds.met
			}
		}
	}
	// A first look finds what grows and makes no difference.
	raw, g, err := explored(ctx, lock.Learner, o.raw(lock.Passages, maxValues), o.probe())
	var large *automaton.ErrTooLarge
	switch {
	case lock.pilesUp(err, o):
	case errors.Is(err, interp.ErrReclassified):
		return false, err
	case err != nil && !errors.As(err, &large):
		return false, lock.stopped(g, err)
	case err == nil && g.Exhausted:
		lock.Seen = raw.Seen
		return true, nil
	case lock.Learner.Forget():
		return false, interp.ErrReclassified
	}
	lock.Seen = raw.Seen
	return false, nil
}

// visit explores with the automata as they are learned, until all values are
// seen.
func (lock *Lock) visit(ctx context.Context, o Options) error {
	o.Explore.Keep = true
	for {
		raw, g, err := explored(ctx, lock.Learner, o.raw(lock.Passages, rawValues), o.Explore)
		switch {
		case lock.pilesUp(err, o):
		case errors.Is(err, interp.ErrReclassified):
			return err
		case err != nil:
			return lock.stopped(g, err)
		case raw.Unbounded && lock.limit(o):
		case raw.Unbounded && o.endless():
			return lock.stopped(g, fmt.Errorf("%s takes ever more values as processes crash again and again: limit the crashes", lock.widest()))
		case raw.Unbounded:
			return lock.stopped(g, lock.tooWide(rawValues))
		case !g.Exhausted:
			return lock.stopped(g, nil)
		default:
			lock.Seen = raw.Seen
			return nil
		}
	}
}

// limit limits passages, because registers are unbounded, if passages are not limited yet.
func (lock *Lock) limit(o Options) bool {
	if o.Passages > 0 || lock.Passages > 0 {
		return false
	}
	lock.Passages = defaultLimit
	return true
}

// pilesUp reports whether an exploration has ended because too much of what
// processes have allocated can be reached. It limits passages then, if they are not
// limited yet.
func (lock *Lock) pilesUp(err error, o Options) bool {
	if o.Passages > 0 || lock.Passages > 0 || piling(err) == nil {
		return false
	}
	lock.Passages, lock.Piling = defaultLimit, piling(err)
	return true
}

// piling returns err if an exploration has ended because memory piles up, or nil.
func piling(err error) (p *interp.Piling) {
	errors.As(err, &p)
	return p
}

// Stopped says that a bound was reached before a lock was learned, and what had
// been found by then.
type Stopped struct {
	Lock          *Lock // without a model
	Why           error // nil if it was a bound on what is explored
	States, Depth int
	// Found has a shortest schedule to each kind of bad state that was visited.
	Found map[explore.Bad][]int
}

func (e *Stopped) Error() string {
	switch {
	case errors.Is(e.Why, context.Canceled):
		return "interrupted"
	case e.Why != nil:
		return e.Why.Error()
	}
	return fmt.Sprintf("stopped at %d states, %d steps deep, while learning the values of the registers", e.States, e.Depth)
}

func (e *Stopped) Unwrap() error { return e.Why }

func (lock *Lock) stopped(g *explore.Graph, why error) error {
	return &Stopped{Lock: lock, Why: why, States: g.States, Depth: g.Depth, Found: met(g)}
}

// met returns a shortest schedule to each kind of bad state that was visited.
func met(g *explore.Graph) map[explore.Bad][]int {
	found := map[explore.Bad][]int{}
	for _, bad := range []explore.Bad{explore.Exclusion, explore.Race, explore.Panic, explore.Outcome} {
		if id, ok := g.Bad[bad]; ok {
			found[bad] = g.Path(id)
		}
	}
	return found
}

// tooWide names the register that has taken the most values.
func (lock *Lock) tooWide(values int) error {
	return fmt.Errorf("%s takes more than %d values", lock.widest(), values)
}

// widest is the name of the register that has taken the most values.
func (lock *Lock) widest() string {
	l := lock.Learner
	most := slices.MaxFunc(l.Regs, func(a, b *automaton.Register) int { return len(a.Values) - len(b.Values) })
	return l.M.Names().Cell(most.At)
}

// explored explores a lock as it is being learned, again whenever a register
// turns up that was not known.
func explored(ctx context.Context, l *automaton.Learner, of explore.RawOptions, o explore.Options) (*explore.Raw, *explore.Graph, error) {
	o.Workers = 1
	if progress := o.Progress; progress != nil {
		o.Progress = func(p explore.Progress) {
			p.Learning = true
			progress(p)
		}
	}
	for {
		raw := explore.NewRaw(l, of)
		g := explore.Run(ctx, raw, o)
		if err := cmp.Or(raw.Err, ctx.Err()); err != nil || !raw.Grown {
			return raw, g, err
		}
	}
}

// Buffered finds the values that occur where stores go into store buffers of a
// capacity, those that intoBuffer holds for in the learner's local states. It reports whether
// all states were visited for that. It is for a lock whose processes share memory that
// they have allocated: of any other the automata tell what may occur.
func (lock *Lock) Buffered(ctx context.Context, capacity int, intoBuffer func(pid int, local int32) bool, o explore.Options) (all bool, err error) {
	o.Progress, o.Keep = nil, false
	raw, g, err := explored(ctx, lock.Learner, explore.RawOptions{Passages: lock.Passages, MaxValues: rawValues, Capacity: capacity, IntoBuffer: intoBuffer}, o)
	switch {
	case err != nil:
		return false, err
	case raw.Unbounded:
		return false, lock.tooWide(rawValues)
	}
	lock.Seen = raw.Seen
	return g.Exhausted, nil
}
