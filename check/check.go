package check

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
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
	// initialised are machines on which packages are initialised and cards are
	// listed, once there are any, by the widths of their words.
	initialised map[string]*interp.Machine
	bounds      model.Bounds
	// modes are those that the lock has, once it has been built. Mixed: passages are
	// made in all of them, and not by Lock and Unlock only.
	modes  []shm.Mode
	unmade []string
	mixed  bool
	alone  *subject // the same lock, of which they are not
	// invariants are those on the card, and those that are given beside, and
	// needs the registers, by name, that one of them reads and nothing else
	// depends on.
	invariants []shm.Invariant
	needs      map[string]bool
}

// build returns a fresh machine with the lock for n processes.
func (s *subject) build(ctx context.Context, n int) (*interp.Machine, error) {
	m, err := s.buildWords(ctx, n, nil)
	if err == nil && len(s.needs) > 0 {
		for at, name := range m.Names().All() {
			if s.needs[name] {
				m.Need(at)
			}
		}
	}
	return m, err
}

// runner checks locks of one source under the same options.
type runner struct {
	o Options
	// alone: locks are checked by Lock and Unlock only.
	alone bool
	// beside is what it has in common with others that run at the same time, nil if
	// there are none.
	beside *team
	// initialised are the machines on which packages are, for all locks.
	initialised map[string]*interp.Machine
	code        *replay.Program // nil before it is needed
	without     error           // why there is none
	// defaults has what was decided of the algorithm that was checked
	// last and is no variant of another, for its variants.
	defaults map[variant]*decided
}

// variant is what is checked of an algorithm and its variants alike.
type variant struct {
	n     int
	mixed bool
}

// replay holds the interpreter's run of a lock against the compiled code, or
// says why that cannot be had.
func (run *runner) replay(ctx context.Context, x *explored, traces []*Trace, accesses int) (*Replay, error) {
	if run.code == nil && run.without == nil {
		run.code, run.without = run.beside.compiled(ctx, x)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if run.without != nil {
		return &Replay{Omitted: firstMessage(run.without)}, nil
	}
	return hold(ctx, x, traces, accesses, run.code)
}

// firstMessage is what an error of the go command says first.
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

func (run *runner) close() {
	if run.code != nil {
		run.code.Close()
	}
}

// check checks a lock for each n that its card allows: for passages by Lock and
// Unlock, and then, if it has other modes, for passages in all of them.
func (run *runner) check(ctx context.Context, s *subject) ([]*Report, error) {
	s.mem, s.initialised = run.beside.learns(run.o), run.initialised
	defer func() { run.initialised = s.initialised }()
	ns := run.o.N
	if len(ns) == 0 {
		ns = []int{2, 3}
	}
	if s.card != nil {
		ns = slices.DeleteFunc(slices.Clone(ns), func(n int) bool { return n < s.card.MinProcs || n > s.card.MaxProcs })
	}
	if s.card == nil || s.card.VariantOf == "" {
		run.defaults = map[variant]*decided{}
	}
	var err error
	s.needs = map[string]bool{}
	if s.invariants, err = invariantsOf(s.card, run.o.Invariants); err != nil {
		return nil, fmt.Errorf("%s: %w", s.name, err)
	}
	var all []*Report
	mixed := s.mix()
	for i, n := range ns {
		for _, s := range []*subject{s, mixed} {
			if s.mixed && !run.mixes(s, all) {
				continue
			}
			r, err := run.checkFor(ctx, s, n)
			for needed := (*neededError)(nil); errors.As(err, &needed); {
				s.needs[needed.register] = true
				r, err = run.checkFor(ctx, s, n)
			}
			var notBuilt *interp.NotBuiltError
			if errors.As(err, &notBuilt) && len(run.o.N) == 0 && len(all) > 0 {
				break // nobody has asked for this n
			}
			if r == nil {
				return all, err
			}
			if r.Refused == "" {
				r.Undecided = s.undecided(r, run.o)
				r.unheld(run.o.Unheld)
			}
			all = append(all, r)
			if i == len(ns)-1 {
				s.tooWeak(slices.DeleteFunc(slices.Clone(all), func(r *Report) bool { return (r.Modes != nil) != s.mixed }))
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

// mix returns the lock with passages in all modes.
func (s *subject) mix() *subject {
	m := *s
	m.mixed, m.alone, m.invariants = true, s, nil
	return &m
}

// mixes reports whether the lock of which the last report is, by Lock and Unlock
// alone, is to be checked with passages in all modes too.
func (run *runner) mixes(s *subject, reports []*Report) bool {
	s.initialised, s.modes = s.alone.initialised, s.alone.modes
	return len(s.modes) > 1 && !run.alone && run.o.sequential() && reports[len(reports)-1].Refused == ""
}

// checkFor checks the lock for n processes. A lock that is out of reach gets a
// report that says so. If ctx is done before all was, the report has what was
// found by then.
func (run *runner) checkFor(ctx context.Context, s *subject, n int) (r *Report, err error) {
	step := whileLearning
	defer s.caught(n, &step, &r, &err)
	o := run.o
	w := &watch{last: time.Now()}
	eo := o.explore(s.name, n)
	var given func()
	eo.Large, given = run.beside.search()
	eo.LargeBytes = o.MaxBytes / largeShare
	defer given()
	d, err := run.decided(ctx, s, n, eo, w, &step)
	if err != nil {
		return s.unlearned(ctx, n, o, err, w)
	}
	w.lap(&w.Analysing)
	from := run.defaults[variant{n, s.mixed}]
	shared := from != nil && from.x.graph == d.x.graph
	if !shared {
		w.Exploring = d.x.graph.Elapsed.Seconds()
		if d.x.graph == d.x.lock.Graph {
			w.Learning -= w.Exploring
		} else {
			w.Analysing -= w.Exploring
		}
	}
	r = d.report()
	if o.Sources {
		r.Code, r.texts = s.code(d.x.lock)
		for _, t := range r.Counterexamples {
			t.Code = r.Code
		}
	}
	var fault *interp.Fault
	if errors.As(d.x.stopped, &fault) && !s.violates(r) {
		r := newReport(s, n)
		r.visited(d.x)
		s.refuse(r, fault)
		r.Seconds = w.Seconds
		return r, nil
	}
	if shared {
		r.SharedWith = from.x.name
	}
	if s.card != nil && s.card.VariantOf == "" && o.sequential() {
		run.defaults[variant{n, s.mixed}] = d
	}
	err = run.lookOn(ctx, d, r)
	w.lap(&w.Analysing)
	step = whileReplaying
	if err == nil {
		err = run.holdTo(ctx, d, r)
	}
	w.lap(&w.Replaying)
	if ctx.Err() != nil && r.Replay == nil && o.Replays > 0 {
		r.Replay = &Replay{Omitted: "interrupted"}
	}
	r.Seconds = w.Seconds
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	switch {
	case o.weak():
		s.compareWeak(r)
	case s.mixed:
		s.compareModes(r, o)
	case !o.TSO:
		s.compare(r, o)
	}
	return r, err
}

// decided learns a lock and decides what there is to decide of it.
func (run *runner) decided(ctx context.Context, s *subject, n int, eo explore.Options, w *watch, step *string) (*decided, error) {
	d, err := run.share(ctx, s, n, eo)
	var lock *model.Lock
	mo := model.Options{Passages: run.o.Passages, Explore: eo, Memory: s.mem, Marks: s.marks, Bounds: &s.bounds}
	if d == nil && err == nil {
		lock, err = model.Learn(ctx, s.build, n, mo)
	}
	for {
		w.lap(&w.Learning)
		*step = whileDeciding
		var stopped *model.Stopped
		switch {
		case errors.As(err, &stopped):
			return found(s, stopped), nil
		case err != nil || d != nil:
			return d, err
		}
		// On other memory than it was learned on, it may use what it did not touch.
		if d, err = run.decide(ctx, s, lock, eo); !errors.Is(err, interp.ErrReclassified) {
			return d, err
		}
		lock, err = model.Again(ctx, s.build, lock, mo)
	}
}

// decide explores a lock on the memory that is asked for, and decides what it does
// there.
func (run *runner) decide(ctx context.Context, s *subject, lock *model.Lock, eo explore.Options) (*decided, error) {
	switch {
	case run.o.weak() && lock.Model.Heap != nil:
		return nil, errModelOfSlots
	case run.o.weak():
		return decideWeak(ctx, s, lock, eo, run.o.Registers)
	case run.o.TSO:
		return decideUnfenced(ctx, s, lock, eo)
	}
	x, err := exploreAs(ctx, s, lock, eo)
	if err != nil {
		return nil, err
	}
	return decide(ctx, x.complete())
}

// watch tells how long each part of a check takes.
type watch struct {
	Seconds
	last time.Time
}

// lap adds the time since the last lap.
func (w *watch) lap(to *float64) {
	now := time.Now()
	*to += now.Sub(w.last).Seconds()
	w.last = now
}

// lookOn does what is done beside the verdicts: it looks at overflow, and draws.
func (run *runner) lookOn(ctx context.Context, d *decided, r *Report) (err error) {
	if !d.x.graph.Exhausted || run.o.weak() {
		return nil
	}
	if d.overflow, err = overflow(ctx, d.x, d.overflow, run.o); err != nil {
		return err
	}
	if d.overflow != nil {
		r.Overflow = d.overflow.report
	}
	if d.x.mixed {
		return nil
	}
	return draw(d.x, run.o.Dot)
}

// holdTo holds the lock against its compiled code.
func (run *runner) holdTo(ctx context.Context, d *decided, r *Report) (err error) {
	if err := ctx.Err(); err != nil {
		return err
	}
	if run.o.Replays > 0 && (r.stopped == "" || len(r.Counterexamples) > 0) {
		accesses := run.o.Replays
		if r.SharedWith != "" { // another layout of the same source
			accesses = max(1, accesses/10)
		}
		if r.Replay, err = run.replay(ctx, d.x, r.Counterexamples, accesses); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// found is what was found of a lock before it was learned.
func found(s *subject, stopped *model.Stopped) *decided {
	lock := stopped.Lock
	x := &explored{subject: s, n: lock.Learner.M.N, memory: "sc", lock: lock, names: lock.Learner.M.Names(),
		graph: &explore.Graph{States: stopped.States, Depth: stopped.Depth}, stopped: stopped}
	return &decided{x: x, safety: judged(x, stopped.Found)}
}

// unlearned is the report of a lock that could not be learned, if that is for
// the lock's sake.
func (s *subject) unlearned(ctx context.Context, n int, o Options, why error, w *watch) (*Report, error) {
	r := newReport(s, n)
	r.Passages = o.Passages
	var fault *interp.Fault
	var large *automaton.ErrTooLarge
	var piling *interp.Piling
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.As(why, &piling):
		r.stopped = piling.Error()
	case errors.As(why, &fault):
		s.refuse(r, fault)
	case errors.As(why, &large):
		r.stopped = large.Error()
	default:
		return nil, fmt.Errorf("%s, n=%d: %w", s.name, n, why)
	}
	r.Seconds = w.Seconds
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

// marks says where doorways end, and on which line a process is if invariants
// may ask.
func (s *subject) marks(l *automaton.Learner) automaton.Marks {
	place := ""
	if s.card != nil && !s.mixed {
		place = s.card.Claims.Place
	}
	doorways := l.Doorways(place, s.doorway(shm.Exclusive), s.doorway(shm.Shared))
	if len(s.invariants) > 0 {
		return l.Lines(doorways)
	}
	return doorways
}

// doorway is the label of the last line of the doorway in a mode that the card
// claims, if it claims one.
func (s *subject) doorway(mode shm.Mode) string {
	switch {
	case s.card == nil:
		return ""
	case !s.mixed:
		return s.card.Claims.Doorway
	case mode == shm.Shared:
		return s.card.Claims.Mixed.Readers.Doorway
	}
	return s.card.Claims.Mixed.Writers.Doorway
}

func (r *Report) setAll(v Verdict) {
	for _, to := range r.verdicts() {
		*to = v
	}
}

func (r *Report) verdicts() []*Verdict {
	all := []*Verdict{&r.MutualExclusion, &r.DeadlockFreedom, &r.StarvationFreedom, &r.FCFS, &r.DoorwayWaitFree,
		&r.ExitProgress, &r.ExitWaitFree, &r.DataRaceFreedom, &r.PanicFreedom}
	for i := range r.Invariants {
		all = append(all, &r.Invariants[i].Verdict)
	}
	return append(all, r.Modes.verdicts()...)
}
