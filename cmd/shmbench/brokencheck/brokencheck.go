// Package brokencheck checks known-broken locks against their specifications.
package brokencheck

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"shmbench/catalog"
	"shmbench/catalog/knownbroken"
	"shmbench/check"
	"shmbench/shm"
)

// path is the package of the known-broken locks.
const path = "shmbench/catalog/knownbroken"

// Result is a known-broken lock checked against its specification.
type Result struct {
	knownbroken.Lock
	// Found is the gravest property that the lock lacks for as many processes as
	// the specification says, and on that memory; empty if it lacks none.
	Found string `json:"found"`
	// Report is what was found then; nil if the specification is not for so many.
	Report *check.Report `json:"report,omitempty"`
	// Fixed is the verdict on the lock of the catalog that is right, on the known-broken
	// lock's registers if it has the property on them; nil if there is none.
	Fixed *check.Report `json:"fixed_report,omitempty"`
	// Wrong says where the lock does not show what its specification says.
	Wrong []string `json:"wrong,omitempty"`
}

// Err returns an error that names the lock and the first thing that is wrong
// with its specification, or nil.
func (e *Result) Err() error {
	if len(e.Wrong) == 0 {
		return nil
	}
	return fmt.Errorf("%s: %s", e.Name, e.Wrong[0])
}

// Err returns the error of the first lock that has one, or nil.
func (x Results) Err() error {
	for _, e := range x {
		if err := e.Err(); err != nil {
			return err
		}
	}
	return nil
}

// Trace returns the counterexample of the lock, or nil.
func (e *Result) Trace() *check.Trace {
	if e.Report == nil {
		return nil
	}
	return e.Report.Counterexample(e.Property)
}

// gravest are the properties in the order of what their loss means.
var gravest = []string{check.MutualExclusion, check.DataRaceFreedom, check.PanicFreedom, check.DeadlockFreedom, check.ExitProgress,
	check.StarvationFreedom, check.FirstComeFirstServed, check.BoundedBypass}

// Check checks known-broken locks of this module against their specifications. Each lock
// lacks the property and no graver one, with as many processes as it says and no fewer.
// It does so on the memory that it names and on no stronger one. Its execution is as
// long as it says, and its registers are those that it says. The fixed lock has the property. Check calls Each with each lock as
// soon as it is finished. It does not use the options N, TSO, Registers and Each.
func Check(ctx context.Context, all []knownbroken.Lock, o check.Options, each func(*Result)) error {
	var right []shm.Algorithm
	for _, e := range all {
		right = append(right, shm.Algorithm{Name: e.Fixed})
	}
	catalogue, err := check.OpenFor(ctx, catalog.Path, right)
	if err != nil {
		return err
	}
	src, err := check.Open(ctx, "", path)
	if err != nil {
		return err
	}
	o.Each = nil
	shown, fixed := &checker{src.Checker("All"), o}, &checker{catalogue.Checker("All"), o}
	defer shown.Close()
	defer fixed.Close()
	for _, e := range all {
		x, err := shown.compare(ctx, fixed, e)
		if err != nil {
			return err
		}
		each(x)
	}
	return nil
}

// checker checks locks of one list on the memories of known-broken locks.
type checker struct {
	*check.Checker
	o check.Options
}

// report checks a lock for n processes on a memory, with passages in all modes that the
// known-broken lock has.
func (x *checker) report(ctx context.Context, a shm.Algorithm, n int, m knownbroken.Memory, modes []shm.Mode) (*check.Report, error) {
	o := x.o
	o.LockOnly = len(modes) == 1
	o.N, o.TSO, o.Registers = []int{n}, m == knownbroken.Unfenced, shm.Atomic
	switch m {
	case knownbroken.Regular:
		o.Registers = shm.Regular
	case knownbroken.Safe:
		o.Registers = shm.Safe
	}
	reports, err := x.Check(ctx, a, o)
	if err != nil {
		return nil, err
	}
	if len(reports) == 0 {
		return nil, fmt.Errorf("%s is not for n = %d", a.Name, n)
	}
	return reports[len(reports)-1], nil // the report of all modes comes last
}

// stronger returns the next memory on which the same source might be right.
func stronger(m knownbroken.Memory) (knownbroken.Memory, bool) {
	switch m {
	case knownbroken.Safe:
		return knownbroken.Regular, true
	case knownbroken.Regular, knownbroken.Unfenced:
		return knownbroken.Consistent, true
	}
	return "", false
}

// compare checks one known-broken lock against its specification.
func (x *checker) compare(ctx context.Context, fixed *checker, e knownbroken.Lock) (*Result, error) {
	out := &Result{Lock: e}
	wrong := func(format string, args ...any) { out.Wrong = append(out.Wrong, fmt.Sprintf(format, args...)) }
	if e.Procs < max(2, e.MinProcs) || e.Procs > e.MaxProcs {
		wrong("it is to fail for n = %d, and is for %d to %d processes", e.Procs, e.MinProcs, e.MaxProcs)
		return out, nil
	}
	var err error
	if out.Report, err = x.report(ctx, e.Algorithm, e.Procs, e.Memory, e.Modes()); err != nil {
		return nil, err
	}
	out.Found = gravestOf(out.Report, e.Property)
	switch r := out.Report; {
	case r.Refused != "":
		wrong("it is undecided: %s", r.Refused)
	case (r.Memory == "tso") != (e.Memory == knownbroken.Released || e.Memory == knownbroken.Unfenced):
		wrong("its specification says %s, but it was checked under %s", e.Memory, r.Memory)
	case !r.Exhausted && out.Found == "":
		wrong("it was not fully explored: stopped after %d states", r.States)
	case out.Found == "" || out.Found != e.Property:
		wrong("its specification says that it lacks %s for n = %d; found: %s", e.Property, e.Procs, cmp.Or(out.Found, "nothing"))
	case len(out.Trace().Steps) != e.Steps:
		wrong("its specification says that %d steps show it; found: %d", e.Steps, len(out.Trace().Steps))
	case x.o.Replays > 0 && (r.Replay == nil || r.Replay.Omitted != ""):
		wrong("its executions were not run on the compiled code")
	}
	for _, difference := range registersOf(out.Report, e) {
		wrong("%s", difference)
	}
	if n := e.Procs - 1; n >= max(2, e.MinProcs) {
		if err := x.lacks(ctx, e, n, e.Memory, wrong); err != nil {
			return nil, err
		}
	}
	if m, ok := stronger(e.Memory); ok {
		if err := x.lacks(ctx, e, e.Procs, m, wrong); err != nil {
			return nil, err
		}
	}
	if e.Fixed != "" {
		out.Fixed, err = fixed.fixed(ctx, e, wrong)
	}
	return out, err
}

// lacks notes as wrong that a lock lacks its property also for another n or on
// another memory.
func (x *checker) lacks(ctx context.Context, e knownbroken.Lock, n int, m knownbroken.Memory, wrong func(string, ...any)) error {
	r, err := x.report(ctx, e.Algorithm, n, m, e.Modes())
	if err != nil {
		return err
	}
	if r.Counterexample(e.Property) != nil {
		wrong("it lacks %s also for n = %d, %s", e.Property, n, m)
	}
	for _, difference := range registersOf(r, e) {
		wrong("n = %d, %s: %s", n, m, difference)
	}
	return nil
}

// registersOf says where the registers of a report are not those of the specification. A search that was not finished need not have met
// all values.
func registersOf(r *check.Report, e knownbroken.Lock) []string {
	if !r.Exhausted {
		return nil
	}
	return r.SpaceDisagreements(e.Space)
}

// fixed checks the lock of the catalog that is right.
func (x *checker) fixed(ctx context.Context, e knownbroken.Lock, wrong func(string, ...any)) (*check.Report, error) {
	a, err := catalog.Get(e.Fixed)
	if err != nil {
		wrong("its fixed form is not in the catalog: %v", err)
		return nil, nil
	}
	m := knownbroken.Consistent
	for weaker, model := range map[knownbroken.Memory]shm.RegisterModel{knownbroken.Regular: shm.Regular, knownbroken.Safe: shm.Safe} {
		if e.Memory == weaker && check.WeakestRegisters(a.Claims.Weakest, e.Property).Covers(model) {
			m = weaker
		}
	}
	r, err := x.report(ctx, a, e.Procs, m, e.Modes())
	if err != nil {
		return nil, err
	}
	switch err := r.Err(); {
	case err != nil:
		wrong("its fixed form is not right: %v", err)
	case r.Counterexample(e.Property) != nil:
		wrong("its fixed form, %s, lacks %s too", e.Fixed, e.Property)
	}
	return r, nil
}

// gravestOf returns the gravest property that is violated, or that the report has a
// trace against: one of those that are known, if it is claimed or given, or last of
// all the one given.
func gravestOf(r *check.Report, last string) string {
	for _, p := range append(slices.Clone(gravest), last) {
		if t := r.Counterexample(p); t != nil && (!t.Unclaimed || p == last) {
			return p
		}
	}
	return ""
}
