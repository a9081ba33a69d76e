package check

import (
	"fmt"
	"slices"

	"shmbench/check/internal/analyse"
	"shmbench/check/internal/explored"
	"shmbench/check/internal/interp"
	"shmbench/check/internal/spec"
	"shmbench/check/internal/trace"
	"shmbench/check/internal/verdict"
	"shmbench/shm"
)

// Modes is the verdict on a lock when each passage is made in any of the modes that the lock
// has. A field is empty if the lock has no mode for it.
type Modes struct {
	// Made are the modes.
	Made []shm.Mode `json:"made"`
	// ReadersTogether: a state can be reached in which two processes that have entered by
	// RLock are in critical sections.
	ReadersTogether Verdict `json:"readers_together,omitempty"`
	// ReaderStarvationFreedom and ReaderBypass are of processes in RLock, as
	// StarvationFreedom and Bypass of a report are of those in Lock, and
	// StarvedReaders as Starved.
	ReaderStarvationFreedom Verdict `json:"reader_starvation_freedom,omitempty"`
	StarvedReaders          []int   `json:"starved_readers,omitempty"`
	ReaderBypass            *int    `json:"reader_bypass,omitempty"`
	ReaderDoorwayWaitFree   Verdict `json:"reader_doorway_wait_free,omitempty"`
	// ConcurrentReaders: while all passages are made by RLock, RLock returns in a
	// bounded number of its own steps.
	ConcurrentReaders Verdict `json:"concurrent_readers,omitempty"`
	// NoEffect: while no other process is in a passage, a TryLock succeeds,
	// whatever calls have failed before.
	NoEffect Verdict `json:"no_effect,omitempty"`
	// WaitFreeTry, StrongTry and WaitFreeAbort are as on a specification.
	WaitFreeTry   Verdict `json:"wait_free_try,omitempty"`
	StrongTry     Verdict `json:"strong_try,omitempty"`
	WaitFreeAbort Verdict `json:"wait_free_abort,omitempty"`
}

// OfLockAlone is the verdict on what is asked only of passages by Lock and Unlock.
const OfLockAlone Verdict = "of Lock and Unlock alone"

// modals are the properties that have to do with some modes.
var modals = []struct {
	name string
	of   func(*Modes) *Verdict
}{
	{verdict.ReadersTogether, func(m *Modes) *Verdict { return &m.ReadersTogether }},
	{verdict.ReaderStarvationFreedom, func(m *Modes) *Verdict { return &m.ReaderStarvationFreedom }},
	{verdict.ConcurrentReaders, func(m *Modes) *Verdict { return &m.ConcurrentReaders }},
	{verdict.NoEffect, func(m *Modes) *Verdict { return &m.NoEffect }},
	{verdict.WaitFreeTry, func(m *Modes) *Verdict { return &m.WaitFreeTry }},
	{verdict.StrongTry, func(m *Modes) *Verdict { return &m.StrongTry }},
	{verdict.WaitFreeAbort, func(m *Modes) *Verdict { return &m.WaitFreeAbort }},
}

// newModes returns verdicts on modes that are all unknown.
func newModes(made []shm.Mode) *Modes {
	m := &Modes{Made: made}
	for _, p := range m.all() {
		*p.v = Unknown
	}
	return m
}

// all returns the verdicts on the modes that the lock has.
func (m *Modes) all() (all []property) {
	if m == nil {
		return nil
	}
	for _, p := range modals {
		if spec.Asked(p.name, m.Made) {
			all = append(all, property{p.name, p.of(m)})
		}
	}
	if slices.Contains(m.Made, shm.Shared) {
		all = append(all, property{verdict.ReaderWaitFreeDoorway, &m.ReaderDoorwayWaitFree})
	}
	return all
}

// modeVerdicts are the verdicts on passages in all modes.
type modeVerdicts struct {
	Modes
	traces []*trace.Trace
}

// modes decides the properties of modes, on a graph whose every state was
// visited.
func modes(x *explored.Lock) *modeVerdicts {
	v := &modeVerdicts{Modes: Modes{Made: x.Learned.Learner.M.Modes()}}
	if slices.Contains(v.Made, shm.Shared) {
		v.readers(x)
	}
	if slices.ContainsFunc(v.Made, shm.Mode.Tries) {
		v.tries(x)
	}
	if slices.Contains(v.Made, shm.Until) {
		v.WaitFreeAbort = v.spins(x, verdict.WaitFreeAbort, "process %d makes steps forever, though giveUp has returned true",
			func(pid int) *analyse.Lasso {
				return x.Space.SpinsIn(pid, func(p analyse.Passage) bool { return p.GaveUp })
			})
	}
	return v
}

// readers decides the properties of RLock.
func (v *modeVerdicts) readers(x *explored.Lock) {
	_, together := x.Space.ReadTogether()
	v.ReadersTogether = unless(x, !together && x.N > 1)
	var starved lasting
	for pid := range x.N {
		stays := x.Space.Stays(pid, interp.Entry, shm.Shared)
		if stays != nil {
			v.StarvedReaders = append(v.StarvedReaders, pid)
		}
		starved.found(x, stays, fmt.Sprintf("process %d stays in RLock forever", pid))
	}
	v.ReaderStarvationFreedom = unless(x, starved.lasso != nil)
	if starved.lasso != nil {
		v.traces = append(v.traces, lassoOf(x, verdict.ReaderStarvationFreedom, starved.end, starved.lasso))
	}
	b := bypassIn(x, shm.Shared)
	v.ReaderBypass, v.ReaderDoorwayWaitFree = b.most, b.waitFree
	if b.cycle != nil {
		v.traces = append(v.traces, lassoOf(x, verdict.ReaderBoundedBypass, fmt.Sprintf("process %d, past its doorway in RLock, is passed forever", b.passed), b.cycle))
	}
	v.ConcurrentReaders = v.spins(x, verdict.ConcurrentReaders, "process %d makes steps forever in RLock, though there are readers only", x.Space.SpinsAmongReaders)
}

// tries decides the properties of TryLock, TryRLock and LockUntil.
func (v *modeVerdicts) tries(x *explored.Lock) {
	for _, mode := range v.Made {
		if call, _ := mode.Calls(); mode.Tries() && v.WaitFreeTry != Violated {
			v.WaitFreeTry = v.spins(x, verdict.WaitFreeTry, "process %d makes steps forever in "+call, func(pid int) *analyse.Lasso {
				return x.Space.SpinsIn(pid, func(p analyse.Passage) bool { return p.Mode == mode })
			})
		}
	}
	v.NoEffect = v.failure(x, verdict.NoEffect, "no process is in a passage, and %s of process %d fails", x.Space.LoneFailure())
	v.StrongTry = v.failure(x, verdict.StrongTry, "%s of process %d fails, and no other that excludes it has been in its critical or exit section meanwhile", x.Space.WeakFailure())
}

// failure returns the verdict on a property of TryLock and TryRLock. The failed call f violates it.
func (v *modeVerdicts) failure(x *explored.Lock, property, end string, f *analyse.Failure) Verdict {
	if f != nil {
		call, _ := f.Mode.Calls()
		v.traces = append(v.traces, traceOf(x, property, fmt.Sprintf(end, call, f.Pid), append(x.Graph.Path(f.From), f.Path...), nil))
	}
	return unless(x, f != nil)
}

// spins returns the verdict that each process makes a bounded number of steps. The function find
// returns a cycle on which a process makes steps forever, or nil.
func (v *modeVerdicts) spins(x *explored.Lock, property, end string, find func(pid int) *analyse.Lasso) Verdict {
	for pid := range x.N {
		if l := find(pid); l != nil {
			v.traces = append(v.traces, lassoOf(x, property, fmt.Sprintf(end, pid), l))
			return unless(x, true)
		}
	}
	return unless(x, false)
}
