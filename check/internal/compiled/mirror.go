package compiled

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"shmbench/check/internal/execution"
	"shmbench/check/internal/interp"
	"shmbench/check/internal/model"
	"shmbench/check/internal/replay"
	"shmbench/check/internal/replay/harness"
	"shmbench/check/internal/source"
)

// TimeLimit is how long the compiled code may take over a schedule that should end, on
// however slow a machine, and over random schedules together.
var TimeLimit = time.Minute

// patience is how long it must not come back from a schedule that never ends.
const patience = 2 * time.Second

// Mirror runs schedules on the automata of a lock and on its compiled code and
// compares all that happens.
type Mirror struct {
	ctx      context.Context
	Lock     *source.Lock
	model    *model.Lock
	begin    func() execution.Run // begins an execution of the automata
	names    *interp.Names
	code     *replay.Program
	quiet    map[transition][]interp.Quiet
	hung     bool // an endless loop has been seen to be endless
	accesses int  // that were compared
	took     time.Duration
}

// transition is one of a process's learned automaton. That to its initial
// state has the state -1.
type transition struct {
	pid          int
	state, value int32
}

// NewMirror returns the mirror of a lock that has been learned and whose executions
// begin so. Nothing is classified again from then on.
func NewMirror(ctx context.Context, l *source.Lock, learned *model.Lock, begin func() execution.Run, code *replay.Program) *Mirror {
	learned.Learner.M.Freeze()
	return &Mirror{ctx: ctx, Lock: l, model: learned, begin: begin, names: learned.Learner.M.Names(), code: code, quiet: map[transition][]interp.Quiet{}}
}

// n is the number of processes.
func (m *Mirror) n() int { return m.model.Learner.M.N }

// notReplayable says why a lock cannot be checked against its compiled code.
type notReplayable struct{ why string }

func (e *notReplayable) Error() string { return e.why }

// Stoppable returns an error if a step is made where compiled code cannot be
// stopped.
func (m *Mirror) Stoppable() error {
	l := m.model.Learner
	for _, p := range l.Procs {
		for _, st := range p.States {
			if why := l.M.Unstoppable(st); why != "" {
				pos, _ := l.M.Place(st)
				file, line := l.M.Prog.Place(pos)
				return &notReplayable{fmt.Sprintf("%s:%d: %s", file, line, why)}
			}
		}
	}
	return nil
}

// starts runs processes that come to no step at all on the compiled code.
func (m *Mirror) starts() error {
	for pid, p := range m.model.Learner.Procs {
		if fault := p.States[0].Fault; fault != nil && !fault.Refused {
			f := &forecast{fault: fault, pid: pid}
			if err := m.start(f, pid); err != nil {
				return err
			}
			if err := m.compare(f); err != nil {
				return err
			}
		}
	}
	return nil
}

// Same runs a schedule on both and compares every event.
func (m *Mirror) Same(schedule []byte) error {
	f, err := m.forecast(schedule)
	if err != nil {
		return err
	}
	return m.compare(f)
}

// compare checks the compiled code against a forecast.
func (m *Mirror) compare(f *forecast) error {
	if err := m.ctx.Err(); err != nil {
		return err
	}
	job := m.job(f)
	switch {
	case f.fault == nil:
	case f.fault.Endless:
		return m.endless(f, job)
	case len(job.Schedule) == 0:
		job.Schedule = []byte{byte(f.pid)} // that it starts is all
	}
	result, err := again(func() (*harness.Result, error) { return m.run(job, TimeLimit) })
	var stuck *replay.Stuck
	if pos := m.model.Learner.M.Delay(); errors.As(err, &stuck) && stuck.After > 0 && pos.IsValid() {
		file, line := m.Lock.Prog.Place(pos)
		return &notReplayable{fmt.Sprintf("%s:%d: when compiled, it may pass the time for longer than %v", file, line, TimeLimit)}
	}
	if cannot, ok := errors.AsType[*replay.CannotRunError](err); ok {
		return &notReplayable{cannot.Error()}
	}
	if err != nil {
		return m.disagree(f, len(f.events)-1, err.Error())
	}
	if err := m.events(f, result.Events); err != nil {
		return err
	}
	switch k := len(result.Events); {
	case f.early(k, result.Err):
	case k < len(f.events):
		return m.disagree(f, k, "it ends before this: "+result.Err)
	case result.Err == "" && f.fault != nil:
		return m.disagree(f, k-1, "it goes on, and should fail then: "+f.fault.Error())
	case result.Err != "" && f.fault == nil:
		return m.disagree(f, k-1, "it ends there: "+result.Err)
	}
	return nil
}

// job returns what the compiled code has to do to show the events of a forecast.
func (m *Mirror) job(f *forecast) harness.Job {
	j := harness.Job{Lock: cmp.Or(m.Lock.Origin.Algorithm, m.Lock.Origin.Constructor), N: m.n(),
		Mixed: m.Lock.Mixed, Crashes: m.Lock.Crashes != nil, Schedule: make([]byte, len(f.events))}
	for i, e := range f.events {
		step := &j.Schedule[i]
		if *step = byte(e.pid); e.shared != nil {
			*step |= harness.Shares
		}
		if e.buffered {
			*step |= harness.Buffers
		}
		if e.flushed {
			*step |= harness.Flush
		}
		if e.crashed {
			*step |= harness.Crash
		}
		if e.injected != nil {
			*step |= harness.Given
			j.Given = append(j.Given, *e.injected)
		}
	}
	return j
}

// endless compares what comes before an endless loop, and once sees that the
// loop does not come back.
func (m *Mirror) endless(f *forecast, job harness.Job) error {
	before := *f
	before.fault = nil
	if k := len(job.Schedule); k > 0 {
		// The last event is made before the loop, but is heard of only when the
		// process stops again.
		before.events = f.events[:k-1]
	} else {
		job.Schedule = []byte{byte(f.pid)}
	}
	if err := m.compare(&before); err != nil || m.hung {
		return err
	}
	result, err := m.run(job, patience)
	var stuck *replay.Stuck
	switch {
	case errors.As(err, &stuck):
		m.hung = true
		return nil
	case err != nil:
		return err
	}
	return m.disagree(f, len(f.events)-1, "it comes back, and should not: "+f.fault.Error()+result.Err)
}

// again runs a schedule that did not come back once more, in a new program: the
// machine may have stood still, while a lock that is slow is so every time.
func again(run func() (*harness.Result, error)) (*harness.Result, error) {
	result, err := run()
	if stuck, ok := errors.AsType[*replay.Stuck](err); ok && stuck.After > 0 {
		return run()
	}
	return result, err
}

// run runs a job on the compiled code.
func (m *Mirror) run(job harness.Job, limit time.Duration) (*harness.Result, error) {
	if m.model.Learner.M.Outlives() {
		m.code.Stop()
	}
	start := time.Now()
	defer func() { m.took += time.Since(start) }()
	return m.code.Run(job, limit)
}

// first returns where a process is before its first event.
func (m *Mirror) first() harness.Standing {
	if m.model.Learner.M.Recovers() {
		return harness.Again()
	}
	return harness.First(m.Lock.Mixed)
}

// events compares events with those of a forecast.
func (m *Mirror) events(f *forecast, got []harness.Event) error {
	p, w := newPairs(), newWhereabouts(f.places, m.n(), m.first())
	for i, e := range got {
		if i == len(f.events) {
			return m.disagree(f, i-1, fmt.Sprintf("it makes %d more accesses", len(got)-i))
		}
		if why := p.differs(e, f.events[i]); why != "" {
			return m.disagree(f, i, why)
		}
		if why := w.differs(e, f.events[i]); why != "" {
			return m.disagree(f, i, why)
		}
		if f.events[i].access != nil {
			m.accesses++
		}
	}
	return nil
}

// disagree is the error that the compiled code and the interpreter part at event
// i of a forecast.
func (m *Mirror) disagree(f *forecast, i int, why string) error {
	at := fmt.Sprintf("process %d, at its first step", f.pid)
	if i >= 0 && i < len(f.events) {
		e := f.events[i]
		at = fmt.Sprintf("step %d, process %d at %s", e.step, e.pid, m.describe(f, e))
	}
	return &source.InternalError{Algorithm: m.Lock.Called(), N: m.n(), Step: at, Why: "the interpreter and the compiled code disagree: " + why}
}
