package check

import (
	"context"
	"fmt"
	"slices"

	"shmbench/catalog"
	"shmbench/exhibits"
	"shmbench/shm"
)

// Exhibited is an exhibit held against its card.
type Exhibited struct {
	exhibits.Exhibit
	// Found is the gravest property that the lock lacks for as many processes as
	// the card says, and on that memory; empty if it lacks none.
	Found string `json:"found"`
	// Report is what was found then; nil if the card is not for so many.
	Report *Report `json:"report,omitempty"`
	// Mended is what was found of the lock of the catalogue that is right, on the
	// exhibit's registers if it has the property on them; nil if there is none.
	Mended *Report `json:"mended_report,omitempty"`
	// Wrong says where the exhibit does not show what its card says.
	Wrong []string `json:"wrong,omitempty"`
}

// Err returns an error that names the exhibit and the first thing that is wrong
// with its card, or nil.
func (e *Exhibited) Err() error {
	if len(e.Wrong) == 0 {
		return nil
	}
	return fmt.Errorf("%s: %s", e.Name, e.Wrong[0])
}

// Trace returns the execution that the exhibit shows, or nil.
func (e *Exhibited) Trace() *Trace {
	if e.Report == nil {
		return nil
	}
	return e.Report.Counterexample(e.Property)
}

// gravest are the properties in the order of what their loss means.
var gravest = []string{MutualExclusion, DataRaceFreedom, PanicFreedom, DeadlockFreedom, ExitProgress, StarvationFreedom, FirstComeFirstServed, BoundedBypass}

// Exhibits holds exhibits of this module against their cards: each lacks the
// property and no graver one, for as many processes as it says and no fewer, on
// the memory that it names and on none that is stronger; its execution is as long
// as it says; what was mended has the property. Each is called with each exhibit as
// soon as it is finished. Of the options N, TSO, Registers and Each are not used.
func Exhibits(ctx context.Context, all []exhibits.Exhibit, o Options, each func(*Exhibited)) error {
	right, err := Open(ctx, "", cataloguePath)
	if err != nil {
		return err
	}
	src, err := Open(ctx, "", exhibitsPath)
	if err != nil {
		return err
	}
	o.Each = nil
	shown, mended := &exhibition{src: src, runner: runner{o: o, lockOnly: true}}, &exhibition{src: right, runner: runner{o: o, lockOnly: true}}
	defer shown.close()
	defer mended.close()
	for _, e := range all {
		x, err := shown.hold(ctx, mended, e)
		if err != nil {
			return err
		}
		each(x)
	}
	return nil
}

// exhibition checks locks of one list on the memories of exhibits, which are of Lock and
// Unlock.
type exhibition struct {
	src *Source
	runner
}

// report checks a lock for n processes on a memory.
func (x *exhibition) report(ctx context.Context, a shm.Algorithm, n int, m exhibits.Memory) (*Report, error) {
	o := x.o
	defer func() { x.o = o }()
	x.o.N, x.o.TSO, x.o.Registers = []int{n}, m == exhibits.Unfenced, shm.Atomic
	switch m {
	case exhibits.Regular:
		x.o.Registers = shm.Regular
	case exhibits.Safe:
		x.o.Registers = shm.Safe
	}
	reports, err := x.check(ctx, x.src.algorithm("All", a))
	if err != nil {
		return nil, err
	}
	if len(reports) != 1 {
		return nil, fmt.Errorf("%s is not for n = %d", a.Name, n)
	}
	return reports[0], nil
}

// stronger returns the next memory on which the same source might be right.
func stronger(m exhibits.Memory) (exhibits.Memory, bool) {
	switch m {
	case exhibits.Safe:
		return exhibits.Regular, true
	case exhibits.Regular, exhibits.Unfenced:
		return exhibits.Consistent, true
	}
	return "", false
}

// hold holds one exhibit against its card.
func (x *exhibition) hold(ctx context.Context, mended *exhibition, e exhibits.Exhibit) (*Exhibited, error) {
	out := &Exhibited{Exhibit: e}
	wrong := func(format string, args ...any) { out.Wrong = append(out.Wrong, fmt.Sprintf(format, args...)) }
	if e.Procs < max(2, e.MinProcs) || e.Procs > e.MaxProcs {
		wrong("it is to fail for n = %d, and is for %d to %d processes", e.Procs, e.MinProcs, e.MaxProcs)
		return out, nil
	}
	var err error
	if out.Report, err = x.report(ctx, e.Algorithm, e.Procs, e.Memory); err != nil {
		return nil, err
	}
	out.Found = out.Report.gravest(e.Property)
	switch r := out.Report; {
	case r.Refused != "":
		wrong("it is out of reach: %s", r.Refused)
	case (r.Memory == "tso") != (e.Memory == exhibits.Released || e.Memory == exhibits.Unfenced):
		wrong("its card says %s, but it was checked under %s", e.Memory, r.Memory)
	case !r.Exhausted && out.Found == "":
		wrong("it was not exhausted: stopped after %d states", r.States)
	case out.Found == "" || out.Found != e.Property:
		wrong("its card says that it lacks %s for n = %d; found: %s", e.Property, e.Procs, orNothing(out.Found))
	case len(out.Trace().Steps) != e.Steps:
		wrong("its card says that %d steps show it; found: %d", e.Steps, len(out.Trace().Steps))
	case x.o.Replays > 0 && (r.Replay == nil || r.Replay.Omitted != ""):
		wrong("its executions were not run on the compiled code")
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
	if e.Mended != "" {
		out.Mended, err = mended.mended(ctx, e, wrong)
	}
	return out, err
}

// lacks notes as wrong that an exhibit lacks its property also for another n or on
// another memory.
func (x *exhibition) lacks(ctx context.Context, e exhibits.Exhibit, n int, m exhibits.Memory, wrong func(string, ...any)) error {
	r, err := x.report(ctx, e.Algorithm, n, m)
	if err == nil && r.Counterexample(e.Property) != nil {
		wrong("it lacks %s also for n = %d, %s", e.Property, n, m)
	}
	return err
}

// mended checks the lock of the catalogue that is right.
func (x *exhibition) mended(ctx context.Context, e exhibits.Exhibit, wrong func(string, ...any)) (*Report, error) {
	a, err := catalog.Get(e.Mended)
	if err != nil {
		wrong("its mended form is not in the catalogue: %v", err)
		return nil, nil
	}
	m := exhibits.Consistent
	for weaker, model := range map[exhibits.Memory]shm.RegisterModel{exhibits.Regular: shm.Regular, exhibits.Safe: shm.Safe} {
		if e.Memory == weaker && (weakest{a.Claims.Weakest}).model(e.Property).Covers(model) {
			m = weaker
		}
	}
	r, err := x.report(ctx, a, e.Procs, m)
	if err != nil {
		return nil, err
	}
	switch err := r.Err(); {
	case err != nil:
		wrong("its mended form is not right: %v", err)
	case r.Counterexample(e.Property) != nil:
		wrong("its mended form, %s, lacks %s too", e.Mended, e.Property)
	}
	return r, nil
}

// gravest returns the gravest property that is violated, or that the report has a
// trace against: one of those that are known, if it is claimed or given, or last of
// all the one given.
func (r *Report) gravest(last string) string {
	for _, p := range append(slices.Clone(gravest), last) {
		if t := r.Counterexample(p); t != nil && (!t.Unclaimed || p == last) {
			return p
		}
	}
	return ""
}

func orNothing(property string) string {
	if property == "" {
		return "nothing"
	}
	return property
}
