package check

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

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
	mem    int64 // what New may allocate, 0 for the usual
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
	// defaults has, by n, what was decided of the algorithm that was checked
	// last and is no variant of another, for its variants.
	defaults map[int]*decided
}

// replay holds the interpreter's run of a lock against the compiled code, or
// says why that cannot be had.
func (run *runner) replay(ctx context.Context, x *explored, traces []*Trace) (*Replay, error) {
	if run.code == nil && run.without == nil {
		run.code, run.without = x.compiled(ctx)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if run.without != nil {
		return &Replay{Omitted: run.without.Error()}, nil
	}
	return hold(ctx, x, traces, run.o.Replays, run.code)
}

func (run *runner) close() {
	if run.code != nil {
		run.code.Close()
	}
}

// check checks a lock for each n that its card allows.
func (run *runner) check(ctx context.Context, s *subject) ([]*Report, error) {
	s.mem = run.o.MaxBytes / 4
	ns := run.o.N
	if len(ns) == 0 {
		ns = []int{2, 3}
	}
	if s.card != nil {
		ns = slices.DeleteFunc(slices.Clone(ns), func(n int) bool { return n < s.card.MinProcs || n > s.card.MaxProcs })
	}
	if s.card == nil || s.card.VariantOf == "" {
		run.defaults = map[int]*decided{}
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
	eo := o.explore(s.name, n)
	lock, err := model.Learn(ctx, s.build, n, model.Options{Passages: o.Passages, Explore: eo, Marks: s.marks})
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err == nil && o.TSO && lock.Model.Heap != nil {
		err = errBuffersOfSlots
	}
	if err != nil {
		return s.unlearned(n, o, err, start)
	}
	d, err := run.decide(ctx, s, lock, eo)
	var beyond *beyondReach
	if errors.As(err, &beyond) {
		r := newReport(s, n)
		r.visited(beyond.x)
		s.refuse(r, beyond.fault)
		r.took(time.Since(start))
		return r, nil
	}
	if err != nil {
		return nil, err
	}
	r := d.report()
	if from := run.defaults[n]; from != nil && from.x.graph == d.x.graph {
		r.SharedWith = from.x.name
	}
	if s.card != nil && s.card.VariantOf == "" && !o.TSO {
		run.defaults[n] = d
	}
	if d.x.space != nil && !o.TSO {
		if r.Overflow, err = overflow(ctx, d.x, o); err != nil {
			return nil, err
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if d.x.graph.Exhausted && !o.TSO {
		if err := draw(d.x, o.Dot); err != nil {
			return nil, err
		}
	}
	r.took(time.Since(start))
	if o.Replays > 0 && r.stopped == "" && !o.TSO {
		if r.Replay, err = run.replay(ctx, d.x, r.Counterexamples); err != nil {
			return nil, err
		}
	}
	if !o.TSO {
		s.compare(r, o)
	}
	return r, nil
}

// decide explores a lock that has been learned, and decides, unless that was
// done of another layout.
func (run *runner) decide(ctx context.Context, s *subject, lock *model.Lock, eo explore.Options) (*decided, error) {
	if run.o.TSO {
		return decideTSO(ctx, s, lock, eo)
	}
	if from := run.defaults[lock.Model.N]; from != nil && shares(s, lock, from.x) {
		return from.of(s, lock), nil
	}
	all := exploreAll(ctx, s, lock, eo)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	x, fault := all.complete()
	if fault != nil {
		return nil, &beyondReach{x, fault}
	}
	return decide(ctx, x), nil
}

// beyondReach says that the code cannot be modelled in a state that can be
// reached.
type beyondReach struct {
	x     *explored
	fault *interp.Fault
}

func (e *beyondReach) Error() string { return e.fault.Error() }

// unlearned is the report of a lock that could not be learned, if that is for
// the lock's sake.
func (s *subject) unlearned(n int, o Options, why error, start time.Time) (*Report, error) {
	r := newReport(s, n)
	r.Passages = o.Passages
	var fault *interp.Fault
	var large *automaton.ErrTooLarge
	var stopped *model.Stopped
	switch {
	case errors.As(why, &fault):
		s.refuse(r, fault)
	case errors.As(why, &stopped):
		r.States, r.Depth = stopped.States, stopped.Depth
		if stopped.Why != nil {
			r.stopped = stopped.Why.Error()
		}
	case errors.As(why, &large):
		r.stopped = large.Error()
	default:
		return nil, fmt.Errorf("%s, n=%d: %w", s.name, n, why)
	}
	r.took(time.Since(start))
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
