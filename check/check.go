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

// subject is a lock to be checked.
type subject struct {
	name   string
	prog   *load.Program
	card   *shm.Algorithm // nil if there is none
	origin Origin
	target replay.Target // it may have other locks besides
	find   func(*interp.Machine) (*interp.Closure, error)
}

// build returns a fresh machine with the lock for n processes.
func (s *subject) build(ctx context.Context, n int) (*interp.Machine, error) {
	return s.buildWords(ctx, n, nil)
}

// runner checks locks of one source under the same options.
type runner struct {
	o       Options
	code    *replay.Program // nil before it is needed
	without error           // why there is none
	// defaults has, by n, what was found out about the algorithm that was checked
	// last and is no variant of another, for its variants.
	defaults map[int]*checking
}

// replay holds the interpreter's run of a lock against the compiled code, or
// notes why that cannot be had.
func (run *runner) replay(ctx context.Context, c *checking) error {
	if run.code == nil && run.without == nil {
		run.code, run.without = c.compiled(ctx)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if run.without != nil {
		c.r.Replay = &Replay{Omitted: run.without.Error()}
		return nil
	}
	return c.replay(run.code)
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
	if s.card == nil || s.card.VariantOf == "" {
		run.defaults = map[int]*checking{}
	}
	var all []*Report
	for i, n := range ns {
		r, err := run.checkFor(ctx, s, n)
		var notBuilt *interp.NotBuiltError
		if errors.As(err, &notBuilt) && len(run.o.N) == 0 && len(all) > 0 {
			continue // nobody has asked for this n
		}
		if err != nil {
			return all, err
		}
		if r.Refused == "" {
			r.Undecided = s.undecided(r, run.o)
			r.unheld(run.o.Unheld)
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
	r := &Report{Algorithm: s.name, N: n, Passages: o.Passages, Memory: "sc", Starved: []int{}, carded: s.card != nil, variant: s.card != nil && s.card.VariantOf != ""}
	r.setAll(Unknown)
	eo := o.explore(s.name, n)
	lock, err := model.Learn(ctx, s.build, n, model.Options{Passages: o.Passages, Explore: eo, Marks: s.marks})
	var fault *interp.Fault
	var stopped *model.NotExhausted
	var large *automaton.ErrTooLarge
	switch {
	case errors.As(err, &fault):
		s.refuse(r, fault)
		return r, nil
	case errors.As(err, &large):
		s.refuse(r, large)
		return r, nil
	case errors.As(err, &stopped):
		r.States, r.Depth = stopped.States, stopped.Depth
		r.took(time.Since(start))
		return r, nil
	case err != nil:
		return nil, fmt.Errorf("%s, n=%d: %w", s.name, n, err)
	}
	c := &checking{subject: s, ctx: ctx, o: o, lock: lock, r: r, names: lock.Learner.M.Names()}
	if err := c.run(eo, run.defaults[n]); err != nil {
		return nil, err
	}
	if s.card != nil && s.card.VariantOf == "" {
		c.decided = *r
		run.defaults[n] = c
	}
	r.took(time.Since(start))
	if o.Replays > 0 && r.Refused == "" && r.stopped == "" && !o.TSO {
		if err := run.replay(ctx, c); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// refuse notes that the lock is out of reach, which its card must admit, or that
// a bound of the interpreter's was reached.
func (s *subject) refuse(r *Report, why error) {
	r.Exhausted = false
	r.setAll(Unknown)
	var fault *interp.Fault
	if errors.As(why, &fault) && fault.Open {
		r.stopped = why.Error()
		return
	}
	r.Refused = why.Error()
	if s.card != nil && s.card.Class&shm.Opaque == 0 {
		r.Disagreements = append(r.Disagreements, "it is out of reach, though its class is not opaque: "+r.Refused)
	}
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
	for _, to := range r.verdicts() {
		*to = v
	}
}

func (r *Report) verdicts() []*Verdict {
	return []*Verdict{&r.MutualExclusion, &r.DeadlockFreedom, &r.StarvationFreedom, &r.FCFS, &r.DoorwayWaitFree,
		&r.ExitProgress, &r.ExitWaitFree, &r.DataRaceFreedom, &r.PanicFreedom}
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
	// system is what is explored: sys, or sys with store buffers.
	system explore.System
	g      *explore.Graph
	// buffers tells, under tso, which stores of the learner's go into a store
	// buffer.
	buffers func(pid int, state int32) bool
	space   *analyse.Space
	used    []used // by register
	// waits tells of the local states of each process in which it can be kept:
	// it steps from them on a cycle in its entry section.
	waits [][]bool
	// decided is r as it was before replays, for variants.
	decided Report
}

// run checks the lock, of which another may have been checked already that it
// is a variant of.
func (c *checking) run(eo explore.Options, variantOf *checking) error {
	eo.Keep = true
	if c.share(variantOf) {
		return c.finish()
	}
	c.sys = explore.NewSC(c.lock.Model)
	c.system = c.sys
	if c.o.TSO {
		return c.tso(eo)
	}
	c.g = explore.Run(c.ctx, c.sys, eo)
	if err := c.ctx.Err(); err != nil && c.g.States == 0 {
		return err
	}
	c.counts()
	if !c.verdicts() {
		return nil
	}
	if c.space != nil {
		c.remote()
	}
	return c.finish()
}

// finish does what a variant does for itself too.
func (c *checking) finish() error {
	if c.space != nil {
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

// counts notes what was visited.
func (c *checking) counts() {
	r := c.r
	r.Passages = c.lock.Passages
	r.States, r.Depth, r.Exhausted = c.g.States, c.g.Depth, c.g.Exhausted
	r.Transitions = c.g.Edges + 1
	r.Bytes = c.g.Bytes
	if c.g.Exhausted {
		c.space = analyse.New(c.g, c.lock.Model.N, c.section)
	}
}

// verdicts decides everything that depends on the graph alone. It reports
// false if the lock is out of reach.
func (c *checking) verdicts() bool {
	if refused := c.crashes(); refused != nil {
		c.refuse(c.r, refused)
		return false
	}
	c.safety()
	if c.space != nil {
		c.liveness()
		c.order()
		c.registers()
	}
	return true
}
