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
	"shmbench/check/internal/replay"
	"shmbench/check/internal/source"
	"shmbench/check/internal/views"
)

// runner checks locks of one source under the same options.
type runner struct {
	o Options
	// team is shared by the runners that work at the same time. It is nil if there is only one
	// runner.
	team *team
	// machines are the interpreters on which packages are initialized, for all locks.
	machines *source.Machines
	code     *replay.Program // nil until it is needed
	without  error           // the reason if the code cannot run
	// defaults has the findings on the last algorithm that is not a variant of another one. Its
	// variants use them.
	defaults map[variant]finding
}

// variant is the key of a finding that an algorithm and its variants share.
type variant struct {
	n     int
	mixed bool
}

// finding has the verdicts on a lock, and the verdicts with narrow words. overflow is nil if
// no word grows without bound.
type finding struct {
	decided  *decided
	overflow *overflowed
}

// close ends the program with the compiled locks.
func (run *runner) close() {
	if run.code != nil {
		run.code.Close()
	}
}

// check checks a lock for each n that its specification allows: for passages by Lock and
// Unlock, and then, if it has other modes, for passages in all of them.
func (run *runner) check(ctx context.Context, l *source.Lock) ([]*Report, error) {
	l, err := run.asked(l)
	if err != nil {
		return nil, err
	}
	if run.o.Crashes != nil {
		l = l.Crash()
	}
	builders := []*source.Builder{source.NewBuilder(l, run.machines), source.NewBuilder(l.Mix(), run.machines)}
	ns := run.numbers(l)
	var all []*Report
	var needs []string // registers that invariants read, found so far
	for i, n := range ns {
		for _, b := range builders {
			if b.Lock.Mixed && !run.mixes(b.Lock, all) {
				continue
			}
			r, err := run.checkFor(ctx, b.Needing(needs), n)
			for needed := (*views.NeededError)(nil); errors.As(err, &needed); {
				needs = append(needs, needed.Register)
				r, err = run.checkFor(ctx, b.Needing(needs), n)
			}
			if _, notBuilt := errors.AsType[*interp.NotBuiltError](err); notBuilt && len(run.o.N) == 0 && len(all) > 0 {
				break // n was not asked for
			}
			if r == nil {
				return all, err
			}
			if r.Refused == "" {
				r.Undecided = r.undecided(run.o)
				r.noteNotReplayed(run.o.AcceptUnreplayed)
			}
			all = append(all, r)
			if i == len(ns)-1 && run.o.Crashes == nil {
				tooWeak(b.Lock, slices.DeleteFunc(slices.Clone(all), func(r *Report) bool { return (r.Modes != nil) != b.Lock.Mixed }), run.o)
			}
			if run.o.Each != nil {
				run.o.Each(r)
			}
			if err != nil {
				return all, err
			}
		}
	}
	return all, nil
}

// asked returns a lock with its invariants. It discards the findings on the last algorithm,
// unless the lock is a variant of it.
func (run *runner) asked(l *source.Lock) (*source.Lock, error) {
	all, err := invariantsOf(l.Spec, run.o.Invariants)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", l.Name, err)
	}
	if run.machines == nil {
		run.machines = source.NewMachines(run.team.learns(run.o))
	}
	if l.Spec == nil || l.Spec.VariantOf == "" {
		run.defaults = map[variant]finding{}
	}
	asked := *l
	asked.Invariants = all
	return &asked, nil
}

// numbers returns the numbers of processes with which run checks a lock.
func (run *runner) numbers(l *source.Lock) []int {
	ns := run.o.N
	if len(ns) == 0 {
		ns = []int{2, 3}
		if l.Spec != nil && l.Spec.Explored.Procs > 0 {
			ns = slices.DeleteFunc(ns, func(n int) bool { return n > l.Spec.Explored.Procs })
		}
	}
	if l.Spec != nil {
		ns = slices.DeleteFunc(slices.Clone(ns), func(n int) bool { return n < l.Spec.MinProcs || n > l.Spec.MaxProcs })
	}
	return ns
}

// mixes reports whether to check the lock with passages in all modes too, after the last
// report, which is on Lock and Unlock only. The specification does not bound a number of
// processes that the user asked for.
func (run *runner) mixes(l *source.Lock, reports []*Report) bool {
	last := reports[len(reports)-1]
	if len(run.o.N) == 0 && l.Spec != nil && l.Spec.Explored.Mixed > 0 && last.N > l.Spec.Explored.Mixed {
		return false
	}
	return len(last.has) > 1 && !run.o.LockOnly && run.o.sequential() && last.Refused == ""
}

// checkFor checks the lock for n processes. A lock that cannot be modeled gets a report that
// says so. If ctx is done first, the report has the findings up to then.
func (run *runner) checkFor(ctx context.Context, b *source.Builder, n int) (r *Report, err error) {
	stage := whileLearning
	defer caught(b.Lock, n, &stage, &r, &err)
	search, end := run.search(b.Lock.Name, n)
	defer end()
	w := &watch{last: time.Now()}

	m, err := b.Build(ctx, n)
	if err != nil {
		return run.unlearned(ctx, b.Lock, n, m, err, w)
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
		search.Checkpoint = keep
	}
	if b.Lock.Crashes {
		return interp.Restart(func() (*Report, error) { return run.checkCrashes(ctx, b, m, search, w, &stage) })
	}
	d, err := run.decided(ctx, b, m, search, w, &stage)
	if err != nil {
		return run.unlearned(ctx, b.Lock, n, m, err, w)
	}
	w.explored(d)
	if r := run.outOfReach(d, w); r != nil {
		return r, nil
	}
	found, err := run.withOverflow(ctx, b, d)
	r = run.report(found)
	run.witnesses(ctx, d, r)
	if err == nil {
		err = run.draw(d)
	}
	w.lap(&w.Analysing)

	stage = whileReplaying
	if err == nil {
		err = run.replay(ctx, d, r)
	}
	w.lap(&w.Replaying)
	r.Seconds = w.Seconds
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	r.compare(b.Lock, run.o)
	return r, err
}

// search returns the bounds of the search for a lock and n. The caller must call the second
// result when the search has ended.
func (run *runner) search(name string, n int) (explore.Options, func()) {
	o := run.o.explore(name, n)
	var end func()
	o.Large, end = run.team.search()
	o.LargeBytes = run.o.MaxBytes / largeShare
	return o, end
}

// decided learns a lock that has been built and decides its properties. For a variant, it may
// return the verdicts of the algorithm instead.
func (run *runner) decided(ctx context.Context, b *source.Builder, m *interp.Machine, search explore.Options, w *watch, stage *string) (*decided, error) {
	d, err := run.share(ctx, b, m.N, search)
	if d != nil || err != nil {
		w.lap(&w.Learning)
		return d, err
	}
	return interp.Restart(func() (*decided, error) {
		*stage = whileLearning
		learned, err := model.Of(ctx, b.Build, m, b.Options(run.o.Passages, search))
		w.lap(&w.Learning)
		var stopped *model.Stopped
		switch {
		case errors.As(err, &stopped):
			return stoppedEarly(b.Lock, stopped), nil
		case err != nil:
			return nil, err
		}
		// On weaker memory the lock may use code that learning did not reach.
		*stage = whileDeciding
		d, err := run.decide(ctx, b.Lock, learned, search)
		w.lap(&w.Analysing)
		return d, err
	})
}

// decide explores a lock on the memory that the options name, and decides its properties
// there.
func (run *runner) decide(ctx context.Context, l *source.Lock, learned *model.Lock, search explore.Options) (*decided, error) {
	switch {
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
	if run.o.persistent == ifBounded {
		x = x.FewerSteps(ctx)
	}
	return decide(ctx, x.Complete(), run.o.costStates())
}

// withOverflow adds the verdicts on the lock with words that wrap around, and keeps all
// verdicts for its variants.
func (run *runner) withOverflow(ctx context.Context, b *source.Builder, d *decided) (f finding, err error) {
	f.decided = d
	key := variant{d.x.N, b.Lock.Mixed}
	if d.x.Exhausted() && !run.o.weak() && !run.o.Safety {
		var of *overflowed
		if d.sharedWith != "" {
			of = run.defaults[key].overflow
		}
		if f.overflow, err = overflow(ctx, b, d.x, of, run.o); err != nil {
			f.overflow = nil
		}
	}
	if b.Lock.Spec != nil && b.Lock.Spec.VariantOf == "" && run.o.sequential() {
		run.defaults[key] = f
	}
	return f, err
}

// report returns the report of a finding, without the replays on the compiled code.
func (run *runner) report(f finding) *Report {
	r := f.decided.report()
	if f.overflow != nil {
		r.Overflow = f.overflow.report
	}
	if run.o.Sources {
		x := f.decided.x
		r.Code, r.texts = x.Source.Code(x.Model)
		for _, t := range r.Counterexamples {
			t.Code = r.Code
		}
	}
	return r
}

// witnesses adds the executions that attain the bounds that the options ask for.
func (run *runner) witnesses(ctx context.Context, d *decided, r *Report) {
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
func (run *runner) draw(d *decided) error {
	if !d.x.Exhausted() || run.o.weak() || d.x.Source.Mixed {
		return nil
	}
	return draw(d.x, run.o.Dot)
}

// replay runs the lock's compiled code along explored schedules, or notes why it cannot.
func (run *runner) replay(ctx context.Context, d *decided, r *Report) (err error) {
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
		run.code, run.without = run.team.compiled(ctx, d.x.Source)
	}
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case run.without != nil:
		r.Replay = &Replay{Omitted: firstMessage(run.without)}
	default:
		var done *compiled.Result
		done, err = compiled.NewMirror(ctx, d.x.Source, d.x.Model, d.x.Begin, run.code).Replay(planOf(d.x, slices.Concat(r.Counterexamples, r.Witnesses), accesses))
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
