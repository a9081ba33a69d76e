package check

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"shmbench/check/internal/compiled"
	"shmbench/check/internal/explore"
	"shmbench/check/internal/explored"
	"shmbench/check/internal/interp"
	"shmbench/check/internal/model"
	"shmbench/check/internal/source"
)

// checking is the check of a lock for one n.
type checking struct {
	*runner
	b      *source.Builder
	n      int
	search explore.Options
	watch
}

// checkFor checks the lock for n processes, stage after stage. A lock that cannot be modeled gets
// a report that says so. If ctx is done first, the report has the findings up to then.
func (run *runner) checkFor(ctx context.Context, b *source.Builder, n int) (r *Report, err error) {
	search, end := run.bounds(b.Lock.Name, n)
	defer end()
	c := &checking{runner: run, b: b, n: n, search: search, watch: watch{last: time.Now(), stage: whileLearning}}
	defer c.caught(&r, &err)

	m, err := b.Build(ctx, n)
	if err != nil {
		return c.unlearned(ctx, m, err)
	}
	if run.o.Checkpoint != "" && !b.Lock.Mixed {
		keep, unusable := explore.OpenCheckpoint(run.o.Checkpoint, fmt.Sprintf("%s, n=%d, passages=%d", b.Lock.Name, n, run.o.Passages))
		if unusable != nil {
			return nil, unusable
		}
		defer func() {
			if kept := keep.Close(); kept != nil {
				r, err = nil, kept
			}
		}()
		c.search.Checkpoint = keep
	}
	d, err := c.verdicts(ctx, m)
	if err != nil {
		return c.unlearned(ctx, m, err)
	}
	if r := c.outOfReach(d); r != nil {
		return r, nil
	}
	found, err := c.unlimited(ctx, d)
	d = found.best()
	r = run.report(found)
	run.witnesses(ctx, d, r)
	if err == nil {
		err = run.draw(d)
	}
	c.lap(&c.Analysing)

	c.stage = whileReplaying
	if err == nil {
		err = run.replay(ctx, d.x, r)
	}
	c.lap(&c.Replaying)
	r.Seconds = c.Seconds
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	r.compare(b.Lock, run.o)
	return r, err
}

// bounds returns the bounds of the search for a lock and n. The caller must call the second
// result when the search has ended.
func (run *runner) bounds(name string, n int) (explore.Options, func()) {
	o := run.o.explore(name, n)
	var end func()
	o.Large, end = run.team.search()
	o.LargeBytes = run.o.MaxBytes / largeShare
	return o, end
}

// verdicts learns a lock that has been built and decides its properties. For a variant, it may
// return the verdicts of the algorithm instead.
func (c *checking) verdicts(ctx context.Context, m *interp.Machine) (*verdicts, error) {
	d, err := c.share(ctx, c.b, m.N, c.search)
	if d != nil || err != nil {
		c.lap(&c.Learning)
		return d, err
	}
	return interp.Restart(func() (*verdicts, error) {
		c.stage = whileLearning
		learned, err := model.Of(ctx, c.b.Build, m, c.b.Options(c.o.Passages, c.search))
		c.lap(&c.Learning)
		var stopped *model.Stopped
		switch {
		case errors.As(err, &stopped):
			return stoppedEarly(c.b.Lock, stopped), nil
		case err != nil:
			return nil, err
		}
		c.explored(&c.Learning, learned.Exploring())
		// On weaker memory the lock may use code that learning did not reach.
		c.stage = whileDeciding
		d, err := c.decide(ctx, c.b.Lock, learned, c.search)
		c.lap(&c.Analysing)
		if d != nil {
			c.explored(&c.Analysing, d.x.Exploring())
		}
		return d, err
	})
}

// decide explores a lock on the memory that the options name, and decides its properties
// there.
func (run *runner) decide(ctx context.Context, l *source.Lock, learned *model.Lock, search explore.Options) (*verdicts, error) {
	switch {
	case l.Crashes != nil:
		return decideCrashes(ctx, l, learned, search, !run.o.NoCosts)
	case run.o.weak() && learned.Model.Heap != nil:
		return nil, errSharedMemory
	case run.o.weak():
		return decideWeak(ctx, l, learned, search, run.o.Registers)
	case run.o.TSO:
		return decideUnfenced(ctx, l, learned, search)
	}
	x, err := explored.AsWritten(ctx, l, learned, search)
	if err != nil {
		return nil, err
	}
	return decide(ctx, x.Complete(), run.o.costStates())
}

// unlimited adds the verdicts on the lock without a limit of passages, or on the lock with words that
// wrap around, and keeps all verdicts for its variants.
func (c *checking) unlimited(ctx context.Context, d *verdicts) (f finding, err error) {
	f.verdicts = d
	key := variant{d.x.N, c.b.Lock.Mixed}
	var of finding
	if d.sharedWith != "" {
		of = c.defaults[key]
	}
	switch l, met := d.x.Learned, d.x.Learned.Met; {
	case c.o.Passages == 0 && l.Passages > 0 && len(l.Unbounded) == 0 && l.Piling == nil:
		f.open = "processes make too many different steps to explore any number of passages"
	case !c.limited(d):
	case len(met) > 0: // beyond the limit
		l.Learner.M.Finish()
		further := *d
		further.safety = judged(d.x, met)
		f.verdicts = &further
	default:
		f.exact, f.open, err = c.exact(ctx, d, of.exact)
	}
	if err == nil && f.exact == nil && !f.verdicts.blank() {
		f.overflow, err = overflow(ctx, c.b, d.x, of.overflow, c.o)
	}
	if spec := c.b.Lock.Spec; spec != nil && spec.VariantOf == "" && c.o.sequential() {
		c.defaults[key] = f
	}
	return f, err
}

// report returns the report of a finding, without the replays on the compiled code.
func (run *runner) report(f finding) *Report {
	r := f.best().report()
	r.open = f.open
	if f.overflow != nil {
		r.Overflow = f.overflow.report
	}
	if run.o.Sources {
		x := f.best().x
		r.Code, r.texts = x.Source.Code(x.Learned)
		for _, t := range r.Counterexamples {
			t.Code = r.Code
		}
	}
	return r
}

// witnesses adds the executions that attain the bounds that the options ask for.
func (run *runner) witnesses(ctx context.Context, d *verdicts, r *Report) {
	for _, kind := range run.o.Witness {
		t, why := witness(ctx, d, kind)
		if t != nil {
			t.Code = r.Code
			r.Witnesses = append(r.Witnesses, t)
		} else if why != "" {
			if r.NoWitness == nil {
				r.NoWitness = map[string]string{}
			}
			r.NoWitness[kind] = why
		}
	}
}

// draw draws the lock, if the options ask for it.
func (run *runner) draw(d *verdicts) error {
	if !d.x.Exhausted() || run.o.weak() || d.x.Source.Mixed || d.x.Source.Crashes != nil {
		return nil
	}
	return draw(d.x, run.o.Dot)
}

// replay runs the lock's compiled code along explored schedules, or notes why it cannot.
func (run *runner) replay(ctx context.Context, x *explored.Lock, r *Report) (err error) {
	defer func() {
		if ctx.Err() != nil && r.Replay == nil && run.o.Replays > 0 {
			r.Replay = &Replay{Omitted: "interrupted"}
		}
	}()
	if err := ctx.Err(); err != nil {
		return err
	}
	if run.o.Replays == 0 || r.stopped != "" && len(r.Counterexamples)+len(r.Witnesses) == 0 {
		return nil
	}
	accesses := run.o.Replays
	if r.SharedWith != "" { // another layout of the same source
		accesses = max(1, accesses/10)
	}
	if run.code == nil && run.without == nil {
		run.code, run.without = run.team.compiled(ctx, x.Source)
	}
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case run.without != nil:
		r.Replay = &Replay{Omitted: firstMessage(run.without)}
	default:
		var done *compiled.Result
		done, err = compiled.NewMirror(ctx, x.Source, x.Learned, x.Begin, run.code).Replay(planOf(x, slices.Concat(r.Counterexamples, r.Witnesses), accesses))
		r.Replay = (*Replay)(done)
	}
	if err != nil {
		return err
	}
	return ctx.Err()
}

// firstMessage returns the first message in an error of the go command.
func firstMessage(err error) string {
	what, messages, ok := strings.Cut(err.Error(), ": # ") // the package that is built
	if !ok {
		what, _, _ = strings.Cut(what, "\n")
		return what
	}
	_, messages, _ = strings.Cut(messages, "\n")
	first, _, _ := strings.Cut(messages, "\n")
	return what + ": " + first
}
