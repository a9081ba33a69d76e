package check

import (
	"slices"

	"shmbench/check/internal/explored"
	"shmbench/check/internal/source"
	"shmbench/check/internal/spec"
	"shmbench/shm"
)

// Loss is a claim of the specification that does not hold, and a sentence that says so.
type Loss = spec.Loss

// Lost returns the claims of the specification that do not hold.
func (r *Report) Lost() []Loss { return r.lost }

// Loss returns how a claim of the specification is lost, or nil.
func (r *Report) Loss(claim string) *Loss {
	if i := slices.IndexFunc(r.lost, func(l Loss) bool { return l.Claim == claim }); i >= 0 {
		return &r.lost[i]
	}
	return nil
}

// SpaceDisagreements says where the registers of the report are not those of a specification.
func (r *Report) SpaceDisagreements(space shm.Space) []string {
	return spec.SpaceDisagreements(r.found(), space, 0)
}

// WeakestRegisters returns the weakest registers on which a specification with these claims
// says that the lock has a property.
func WeakestRegisters(claims shm.Weakest, property string) shm.RegisterModel {
	return spec.WeakestRegisters(claims, property)
}

// weak reports whether the report is of registers that are not atomic.
func (r *Report) weak() bool { return r.RegisterModel != "" && r.RegisterModel != shm.Atomic }

// terms are the conditions of the report.
func (r *Report) terms() spec.Terms {
	t := spec.Terms{N: r.N, Modes: r.has, Registers: r.RegisterModel}
	if r.Modes != nil {
		t.Modes, t.Mixed = r.Modes.Made, true
	}
	return t
}

// found is the part of the report that a specification can claim.
func (r *Report) found() spec.Found {
	f := spec.Found{Terms: r.terms(), Passages: r.Passages, Exhausted: r.Exhausted && !r.SafetyOnly && r.PanicFreedom != Violated, Refused: r.Refused != "",
		Holds:    func(name string) bool { return r.on(name).Holds() },
		Violated: func(name string) bool { return r.on(name) == Violated },
		Bypass:   r.Bypass, Placed: r.Placed, Class: r.class, Overflows: r.Overflows,
		DoorwayLost: r.DoorwayWaitFree == Violated && !r.doorwayEnds}
	for _, p := range r.basics() {
		f.Required = append(f.Required, p.name)
	}
	for _, k := range r.Registers {
		f.Kinds = append(f.Kinds, spec.Kind{Name: k.Name, Count: k.Count, Values: k.Values, Unbounded: k.Unbounded, SingleWriter: k.SingleWriter})
	}
	f.References = r.RMR.among()
	if r.Modes != nil {
		f.ReaderBypass = r.Modes.ReaderBypass
	}
	f.StarvesNarrow = r.Overflow != nil && (r.Overflow.Omitted != "" || r.Overflow.StarvationFreedom == Violated || r.Overflow.MutualExclusion == Violated)
	return f
}

// specification returns what the reports of a lock are compared with.
func (o Options) specification(l *source.Lock) spec.Expected {
	return spec.Expected{Algorithm: l.Spec, Placed: len(l.Origin.Paths) > 0, Passages: o.Passages}
}

// compare compares a report with the specification of its lock, as far as one n can tell.
// Stores without their fences are not what the lock is.
func (r *Report) compare(l *source.Lock, o Options) {
	var c spec.Comparison
	switch {
	case o.TSO:
		return
	case r.Crashes != nil:
		c = o.specification(l).CompareRecovery(r.recovered())
	default:
		c = o.specification(l).Compare(r.found())
	}
	r.Disagreements, r.lost = append(r.Disagreements, c.Disagreements...), append(r.lost, c.Lost...)
}

// tooWeak adds to the last report the properties that hold for every n that was checked and
// that the specification does not claim.
func tooWeak(l *source.Lock, reports []*Report, o Options) {
	var all []spec.Found
	for _, r := range reports {
		all = append(all, r.found())
	}
	last := reports[len(reports)-1]
	last.Disagreements = append(last.Disagreements, o.specification(l).TooWeak(all)...)
}

// owes reports whether the lock must have a property, or claims it.
func owes(x *explored.Lock, name string) bool {
	if c := x.Source.Crashes; c != nil {
		return slices.Contains(append(spec.MustRecover(), spec.ClaimedUnderCrashes(x.Source.Spec, x.N, c.System)...), name)
	}
	t := spec.Terms{N: x.N}
	if x.Source.Mixed {
		t.Modes, t.Mixed = x.Modes(), true
	}
	return spec.Owes(x.Source.Spec, t, name) ||
		slices.ContainsFunc(x.Source.Invariants, func(inv shm.Invariant) bool { return InvariantNamed(inv.Name) == name })
}
