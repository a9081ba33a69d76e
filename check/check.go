package check

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"shmbench/check/internal/analyse"
	"shmbench/check/internal/automaton"
	"shmbench/check/internal/explore"
	"shmbench/check/internal/interp"
	"shmbench/check/internal/load"
	"shmbench/check/internal/model"
	"shmbench/check/internal/replay"
	"shmbench/shm"
)

// Source is a Go package that has been read.
type Source struct {
	pkg  string
	prog *load.Program
}

// Open reads the Go package pkg as seen from the directory dir, "" for the
// current one, and the packages that it is made of. It needs the go command.
func Open(ctx context.Context, dir, pkg string) (*Source, error) {
	prog, err := load.Load(ctx, dir, pkg)
	return &Source{pkg, prog}, err
}

// Lock checks the lock that the function called constructor builds, with one
// report for each n. The function is a func(n int) T or func(n int) (T, error),
// where T has the methods Lock(int) and Unlock(int).
func (src *Source) Lock(ctx context.Context, constructor string, o Options) ([]*Report, error) {
	run := &runner{o: o}
	defer run.close()
	return run.check(ctx, src.lock(constructor))
}

func (src *Source) lock(constructor string) *subject {
	return &subject{name: src.prog.Main.Pkg.Name() + "." + constructor, prog: src.prog,
		origin: Origin{Package: src.pkg, Constructor: constructor},
		find:   func(m *interp.Machine) (*interp.Closure, error) { return m.Constructor(constructor) }}
}

// Algorithms checks algorithms against their cards. The function called list
// returns a slice in which the cards are, by themselves or inside other
// structs.
func (src *Source) Algorithms(ctx context.Context, list string, algorithms []shm.Algorithm, o Options) ([]*Report, error) {
	var all []*Report
	run := &runner{o: o}
	defer run.close()
	for _, a := range algorithms {
		reports, err := run.check(ctx, src.algorithm(list, a))
		all = append(all, reports...)
		if err != nil {
			return all, err
		}
	}
	return all, nil
}

func (src *Source) algorithm(list string, a shm.Algorithm) *subject {
	return &subject{name: a.Name, prog: src.prog, card: &a,
		origin: Origin{Package: src.pkg, List: list, Algorithm: a.Name},
		find:   func(m *interp.Machine) (*interp.Closure, error) { return m.Card(list, a.Name) }}
}

// Package opens a package and checks a lock of it.
func Package(ctx context.Context, pkg, constructor string, o Options) ([]*Report, error) {
	src, err := Open(ctx, "", pkg)
	if err != nil {
		return nil, err
	}
	return src.Lock(ctx, constructor, o)
}

// Catalogue checks algorithms of this module's catalogue against their cards.
func Catalogue(ctx context.Context, algorithms []shm.Algorithm, o Options) ([]*Report, error) {
	src, err := Open(ctx, "", "shmbench/catalog")
	if err != nil {
		return nil, err
	}
	return src.Algorithms(ctx, "All", algorithms, o)
}

// subject is a lock to be checked.
type subject struct {
	name   string
	prog   *load.Program
	card   *shm.Algorithm // nil if there is none
	origin Origin
	find   func(*interp.Machine) (*interp.Closure, error)
}

// build returns a fresh machine with the lock for n processes.
func (s *subject) build(n int) (*interp.Machine, error) { return s.buildWords(n, nil) }

// runner checks locks of one source under the same options.
type runner struct {
	o    Options
	code *replay.Program // nil before it is needed
}

func (run *runner) close() {
	if run.code != nil {
		run.code.Close()
	}
}

// check checks a lock for each n that its card allows.
func (run *runner) check(ctx context.Context, s *subject) ([]*Report, error) {
	ns := run.o.N
	if len(ns) == 0 {
		ns = []int{2, 3}
	}
	if s.card != nil {
		ns = slices.DeleteFunc(slices.Clone(ns), func(n int) bool { return n < s.card.MinProcs || n > s.card.MaxProcs })
	}
	var all []*Report
	for i, n := range ns {
		r, err := run.checkFor(ctx, s, n)
		if err != nil {
			return all, err
		}
		all = append(all, r)
		if i == len(ns)-1 {
			s.tooWeak(all)
		}
		if run.o.Each != nil {
			run.o.Each(r)
		}
	}
	return all, nil
}

// checkFor checks the lock for n processes. A lock that is out of reach gets a
// report that says so.
func (run *runner) checkFor(ctx context.Context, s *subject, n int) (*Report, error) {
	o := run.o
	start := time.Now()
	r := &Report{Algorithm: s.name, N: n, Passages: o.Passages, Memory: "sc", Starved: []int{}}
	r.setAll(Unknown)
	eo := o.explore(s.name, n)
	lock, err := model.Learn(ctx, s.build, n, model.Options{Passages: o.Passages, Explore: eo, Marks: s.marks})
	var fault *interp.Fault
	var stopped *model.NotExhausted
	var large *automaton.ErrTooLarge
	switch {
	case errors.As(err, &fault):
		r.Refused = fault.Error()
		return r, nil
	case errors.As(err, &large):
		r.Refused = large.Error()
		return r, nil
	case errors.As(err, &stopped):
		r.States, r.Depth = stopped.States, stopped.Depth
		r.took(time.Since(start))
		return r, nil
	case err != nil:
		return nil, fmt.Errorf("%s, n=%d: %w", s.name, n, err)
	}
	c := &checking{subject: s, ctx: ctx, o: o, lock: lock, r: r, names: lock.Learner.M.Names()}
	if err := c.run(eo); err != nil {
		return nil, err
	}
	r.took(time.Since(start))
	if o.Replays > 0 && r.Refused == "" {
		if run.code == nil {
			if run.code, err = s.compiled(ctx); err != nil {
				return nil, err
			}
		}
		if err := c.hold(run.code); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// marks says where doorways end.
func (s *subject) marks(l *automaton.Learner) automaton.Marks {
	label := ""
	if s.card != nil {
		label = s.card.Claims.Doorway
	}
	return l.Doorways(label)
}

func (r *Report) setAll(v Verdict) {
	r.MutualExclusion, r.DeadlockFreedom, r.StarvationFreedom, r.FIFO = v, v, v, v
	r.DoorwayWaitFree, r.ExitProgress, r.ExitWaitFree, r.DataRaceFreedom, r.PanicFreedom = v, v, v, v, v
}

// checking is the check of one lock for one n.
type checking struct {
	*subject
	ctx   context.Context
	o     Options
	lock  *model.Lock
	r     *Report
	names *interp.Names
	sys   *explore.SC
	g     *explore.Graph
	space *analyse.Space
}

func (c *checking) run(eo explore.Options) error {
	eo.Keep = true
	c.sys = explore.NewSC(c.lock.Model)
	c.g = explore.Run(c.ctx, c.sys, eo)
	if err := c.ctx.Err(); err != nil && c.g.States == 0 {
		return err
	}
	r := c.r
	r.Passages = c.lock.Passages
	r.States, r.Depth, r.Exhausted = c.g.States, c.g.Depth, c.g.Exhausted
	r.Transitions = c.g.Edges + 1
	r.Bytes = c.g.Bytes
	if c.g.Exhausted {
		c.space = analyse.New(c.g, c.lock.Model.N, c.local)
	}
	if refused := c.crashes(); refused != "" {
		r.Refused = refused
		r.setAll(Unknown)
		return nil
	}
	c.safety()
	if c.space != nil {
		c.liveness()
		c.order()
		c.registers()
		c.remote()
		if err := c.overflow(); err != nil {
			return err
		}
	}
	c.compare()
	if err := c.ctx.Err(); err != nil || !c.g.Exhausted {
		return err
	}
	return c.draw()
}
