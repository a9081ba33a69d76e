package compiled

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"shmbench/check/internal/execution"
	"shmbench/check/internal/interp"
)

// expected is an event that the compiled code must show: a step, or what is
// quiet.
type expected struct {
	step   int // of the schedule, from 1
	pid    int
	access *interp.Access // nil if it is quiet
	// buffered: the step is a store into the process's buffer; flushed: it is the
	// arrival of one in memory.
	buffered, flushed bool
	crashed           bool // the process crashes
	// Before and after are the values of the register around a step, and shared
	// are the objects that a process has allocated and shares by it.
	before, after interp.Value
	shared        []int32
	// injected is what a load returns that is not what is stored, or what a store
	// leaves that is not what it writes, on registers that are not atomic, or what the
	// process decides.
	injected *uint64
	quiet    interp.Quiet
}

// forecast is what a schedule of actors should bring about.
type forecast struct {
	schedule []byte
	events   []expected
	places   []place       // in the order of the steps
	fault    *interp.Fault // with which it ends
	pid      int           // whose fault it is
}

// errBeyond says that a process does what cannot be modeled: what the compiled code
// will do is unknown.
var errBeyond = errors.New("beyond what can be modeled")

// forecast runs a schedule on the automata, without the steps of actors that have
// none to make, to the first fault, or until memory, beyond the passages that were
// explored, turns out to be used in another way than was learned, or to pile up.
func (m *Mirror) forecast(schedule []byte) (*forecast, error) {
	run := m.begin()
	f := &forecast{schedule: schedule}
	started := make([]bool, m.n())
	for i, actor := range schedule {
		if run.Stands(int(actor)) {
			continue
		}
		t, err := run.Take(int(actor))
		if beyond(err) {
			break
		}
		if err != nil {
			return nil, err
		}
		switch t.Kind {
		case execution.Begins:
			continue
		case execution.Crashes:
			for _, pid := range t.Hit {
				started[pid] = false
				f.events = append(f.events, expected{step: i + 1, pid: pid, crashed: true})
			}
			continue
		}
		if t.Kind != execution.Flushes && !started[t.Pid] {
			started[t.Pid] = true
			if err := m.start(f, t.Pid); err != nil {
				return nil, err
			}
		}
		access, err := m.event(f, i+1, t)
		if err != nil {
			return nil, err
		}
		if t.Kind == execution.Flushes {
			continue
		}
		if err := m.follow(f, i+1, transition{t.Pid, t.From, t.Seen}); err != nil {
			return nil, err
		}
		if fault := t.Next.Fault; fault != nil {
			if fault.Refused {
				return nil, errBeyond
			}
			f.fault, f.pid = fault, t.Pid
			break
		}
		f.comes(t.Pid, access, t.Next)
	}
	return f, nil
}

// event adds what the compiled code must show of a step, and returns the access that
// it makes.
func (m *Mirror) event(f *forecast, step int, t *execution.Taken) (*interp.Access, error) {
	l := m.model.Learner
	access := l.Procs[t.Pid].States[t.From].Access
	if access.Op == interp.Pass {
		return access, nil
	}
	e := expected{step: step, pid: t.Pid, access: access, buffered: t.Buffered, flushed: t.Kind == execution.Flushes, before: t.Found, after: t.Left}
	if t.Bind != nil {
		for _, slot := range t.Bind.Slots {
			e.shared = append(e.shared, l.M.SlotCell(slot, 0).Obj)
		}
	}
	if t.Injected != nil {
		n, ok := t.Injected.(interp.Num)
		if !ok {
			return nil, &notReplayable{"a register that is not atomic holds what is no number"}
		}
		e.injected = new(uint64(n))
	}
	f.events = append(f.events, e)
	return access, nil
}

// beyond reports whether a step was not made because of that.
func beyond(err error) bool {
	var piling *interp.Piling
	return errors.Is(err, interp.ErrReclassified) || errors.As(err, &piling)
}

// start adds what a process does before its first step.
func (m *Mirror) start(f *forecast, pid int) error { return m.follow(f, 0, transition{pid, -1, 0}) }

// follow adds what is quiet after a step.
func (m *Mirror) follow(f *forecast, step int, t transition) error {
	all, ok := m.quiet[t]
	if !ok {
		l := m.model.Learner
		l.M.Watch(func(q interp.Quiet) { all = append(all, q) })
		defer l.M.Watch(nil)
		var err error
		if t.state < 0 {
			_, err = l.M.Start(t.pid)
		} else {
			p := l.Procs[t.pid]
			_, result := p.States[t.state].Access.Apply(l.Regs[p.Reg[t.state]].Values[t.value])
			_, err = l.M.Resume(t.pid, p.States[t.state], result)
		}
		if err != nil {
			return err
		}
		m.quiet[t] = all
	}
	for _, q := range all {
		f.events = append(f.events, expected{step: step, pid: t.pid, quiet: q})
	}
	return nil
}

// describe says what an event of a forecast is.
func (m *Mirror) describe(f *forecast, e expected) string {
	switch {
	case e.crashed:
		return "its crash"
	case e.access == nil && e.quiet.Op == interp.Pass:
		return "the end of the call"
	case e.access == nil:
		file, line := m.Lock.Prog.Place(e.quiet.Pos)
		return fmt.Sprintf("%s:%d, plain %s of %s", file, line, e.quiet.Op, m.names.Cell(e.quiet.At))
	}
	var last *execution.Taken
	run := m.begin()
	for _, actor := range f.schedule[:e.step] {
		if !run.Stands(int(actor)) {
			last, _ = run.Take(int(actor))
		}
	}
	step := run.Describe(last)
	return fmt.Sprintf("%s:%d, %s", step.File, step.Line, step.What())
}

// early reports whether the compiled code panics before event k, where by the
// forecast its process only reads before it does so too. In "x[i] = y" and "p.f =
// y" the compiler reads y before it finds that there is no such variable; the
// rewritten source, which takes the variable's address first, finds it before.
func (f *forecast) early(k int, err string) bool {
	if f.fault == nil || f.fault.Endless || !strings.HasPrefix(err, fmt.Sprintf("process %d panics: ", f.pid)) {
		return false
	}
	return !slices.ContainsFunc(f.events[k:], func(e expected) bool {
		reads := e.quiet.Op == interp.Load
		if e.access != nil {
			reads = e.access.Op == interp.Load && e.access.Plain
		}
		return e.pid == f.pid && !reads && !e.flushed
	})
}
