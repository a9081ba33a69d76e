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

	"shmbench/check/internal/automaton"
	"shmbench/check/internal/explore"
	"shmbench/check/internal/interp"
)

// Limits bound the learning.
const (
	firstLocal   = 1 << 13 // local states of a process, while it is found out what is bounded
	maxLocal     = 1 << 15 // local states of a process
	closeValues  = 64      // values of a register, in whatever order processes move
	maxValues    = 128     // values of a register, above which it counts as unbounded
	rawValues    = 1 << 15 // values of a register, above which it is not learned
	probeStates  = 1 << 19 // states visited to see whether registers are bounded
	defaultLimit = 2       // passages where they are not
)

// Lock is a lock that has been learned.
type Lock struct {
	Learner *automaton.Learner
	// Model is minimal for the values that occur; under a limit it ends after
	// Passages passages of each process.
	Model    *automaton.Model
	Seen     automaton.Seen
	Passages int // 0 if there is no limit
	// Unbounded are the registers that made a limit necessary: their names,
	// for the least n at which they do, and their types.
	Unbounded map[string]types.BasicKind
	// Piling says, if that made it necessary, that ever more memory which
	// processes have allocated can be reached.
	Piling *interp.Piling
}

// Options say what to learn.
type Options struct {
	Passages int // 0: no limit if registers are bounded, otherwise 2
	Explore  explore.Options
	// Marks gives what tells local states apart beside what they do.
	Marks func(l *automaton.Learner) automaton.Marks
}

// Builder builds a fresh machine with the lock for n processes.
type Builder func(ctx context.Context, n int) (*interp.Machine, error)

// Learn learns a lock for n processes.
func Learn(ctx context.Context, build Builder, n int, o Options) (*Lock, error) {
	m, err := build(ctx, n)
	if err != nil {
		return nil, err
	}
	for {
		lock, err := learn(ctx, build, m, o)
		if !errors.Is(err, interp.ErrReclassified) {
			return lock, err
		}
	}
}

func learn(ctx context.Context, build Builder, m *interp.Machine, o Options) (*Lock, error) {
	l, err := automaton.New(m, firstLocal, o.memory())
	if err != nil {
		return nil, err
	}
	closed, err := l.Close(closeValues)
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
	} else if err := lock.probe(ctx, build, o); err != nil {
		return nil, err
	}
	return lock, lock.minimise(ctx, o)
}

// probe explores with the automata as they are learned, to see which values
// occur, and sets the limit of passages if there must be one.
func (lock *Lock) probe(ctx context.Context, build Builder, o Options) error {
	n := lock.Learner.M.N
	lock.Learner.MaxStates = maxLocal
	if o.Passages == 0 {
		bounded, kinds, err := bounded(ctx, build, min(n, 2), o)
		if lock.Piling = piling(err); err != nil && lock.Piling == nil {
			return err
		}
		if !bounded {
			lock.Passages, lock.Unbounded = defaultLimit, kinds
		}
	}
	// A first look finds what grows and makes no difference.
	raw, g, err := explored(ctx, lock.Learner, lock.Passages, maxValues, o.probe())
	var large *automaton.ErrTooLarge
	switch {
	case lock.pilesUp(err, o):
	case errors.Is(err, interp.ErrReclassified):
		return err
	case err != nil && !errors.As(err, &large):
		return lock.stopped(g, err)
	case err == nil && g.Exhausted:
		lock.Seen = raw.Seen
		return nil
	case lock.Learner.Forget():
		return interp.ErrReclassified
	}
	for {
		raw, g, err := explored(ctx, lock.Learner, lock.Passages, rawValues, o.Explore)
		switch {
		case lock.pilesUp(err, o):
		case errors.Is(err, interp.ErrReclassified):
			return err
		case err != nil:
			return lock.stopped(g, err)
		case raw.Unbounded && o.Passages == 0 && lock.Passages == 0:
			lock.Passages = defaultLimit
		case raw.Unbounded:
			return lock.stopped(g, fmt.Errorf("%s takes more than %d values", lock.widest(), rawValues))
		case !g.Exhausted:
			return lock.stopped(g, nil)
		default:
			lock.Seen = raw.Seen
			return nil
		}
	}
}

// pilesUp reports whether an exploration has ended because too much of what
// processes have allocated can be reached, and limits passages then, if nobody
// has yet.
func (lock *Lock) pilesUp(err error, o Options) bool {
	if o.Passages > 0 || lock.Passages > 0 || piling(err) == nil {
		return false
	}
	lock.Passages, lock.Piling = defaultLimit, piling(err)
	return true
}

// piling returns err if an exploration has ended for that reason, or nil.
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
	s := &Stopped{Lock: lock, Why: why, States: g.States, Depth: g.Depth, Found: map[explore.Bad][]int{}}
	for _, bad := range []explore.Bad{explore.Exclusion, explore.Race, explore.Crash} {
		if id, ok := g.Bad[bad]; ok {
			s.Found[bad] = g.Path(id)
		}
	}
	return s
}

// widest names the register that has taken the most values.
func (lock *Lock) widest() string {
	l := lock.Learner
	most := slices.MaxFunc(l.Regs, func(a, b *automaton.Register) int { return len(a.Values) - len(b.Values) })
	return l.M.Names().Cell(most.At)
}

// memory is how much of the memory of an exploration may be taken by what is
// learned.
func (o Options) memory() int64 { return o.Explore.MaxBytes / 4 }

// probe bounds a first look.
func (o Options) probe() explore.Options {
	return explore.Options{MaxStates: probeStates, MaxBytes: o.Explore.MaxBytes}
}

// bounded reports whether the registers of a lock take finitely many values,
// judged by those that it takes for n processes, and if not, which do not.
func bounded(ctx context.Context, build Builder, n int, o Options) (bool, map[string]types.BasicKind, error) {
	m, err := build(ctx, n)
	if err != nil {
		return false, nil, err
	}
	for {
		l, err := automaton.New(m, firstLocal, o.memory())
		if err != nil {
			return false, nil, err
		}
		raw, g, err := explored(ctx, l, 0, maxValues, o.probe())
		if errors.Is(err, interp.ErrReclassified) {
			continue
		}
		var large *automaton.ErrTooLarge
		if err != nil && !errors.As(err, &large) {
			return false, nil, err
		}
		if err == nil && g.Exhausted {
			return true, nil, nil
		}
		if l.Forget() {
			continue
		}
		if large != nil {
			return false, nil, nil
		}
		return false, growing(l, raw), nil
	}
}

// growing returns the registers that have taken many values by the time that
// one of them has taken too many.
func growing(l *automaton.Learner, raw *explore.Raw) map[string]types.BasicKind {
	names := l.M.Names()
	kinds := map[string]types.BasicKind{}
	for r, values := range raw.Seen {
		if at := l.Regs[r].At; len(values) > maxValues/2 && names.Kind(at) != types.Invalid {
			kinds[names.Cell(at)] = names.Kind(at)
		}
	}
	return kinds
}

// explored explores a lock as it is being learned, again whenever a register
// turns up that was not known.
func explored(ctx context.Context, l *automaton.Learner, passages, values int, o explore.Options) (*explore.Raw, *explore.Graph, error) {
	o.Workers, o.Keep = 1, true
	for {
		raw := explore.NewRaw(l, passages, values)
		g := explore.Run(ctx, raw, o)
		if err := cmp.Or(raw.Err, ctx.Err()); err != nil || !raw.Grown {
			return raw, g, err
		}
	}
}

// minimise makes the model minimal for the values that occur in it.
func (lock *Lock) minimise(ctx context.Context, o Options) error {
	marks := o.Marks(lock.Learner)
	for {
		m, err := lock.Learner.Minimise(lock.Seen, marks)
		if err != nil {
			return err
		}
		if lock.Passages > 0 {
			m = m.Limit(lock.Passages)
		}
		lock.Model = m
		fewer, err := lock.occurring(ctx, o)
		if err != nil || !fewer {
			return err
		}
	}
}

// occurring narrows Seen to the values that occur in the model, and reports
// whether they are fewer. Where the model is too large to tell, they are not.
func (lock *Lock) occurring(ctx context.Context, o Options) (bool, error) {
	sys := explore.NewSC(lock.Model)
	opts := o.Explore
	opts.Keep = false
	opts.MaxStates = probeStates
	opts.Progress = nil
	g := explore.Run(ctx, sys, opts)
	if err := ctx.Err(); err != nil {
		return false, err
	}
	if !g.Exhausted {
		return false, nil
	}
	occurs := sys.Values(g)
	fewer := false
	for r, values := range lock.Seen {
		k := 0
		for v := range values {
			if values[v] {
				if !occurs[r][k] {
					values[v], fewer = false, true
				}
				k++
			}
		}
	}
	return fewer, nil
}
