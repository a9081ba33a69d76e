package check

import (
	"shmbench/check/internal/spec"
	"shmbench/check/internal/verdict"
)

// crashBasics returns the properties that every lock must have if processes crash.
func (r *Report) crashBasics() []property { return r.named(spec.MustRecover()) }

// crashOwed returns the properties of crashBasics and those that the specification claims.
func (r *Report) crashOwed() []property {
	return append(r.crashBasics(), r.named(spec.ClaimedUnderCrashes(r.spec, r.N, r.Crashes.kind.System))...)
}

// recovered returns the verdicts of the report on a lock whose processes crash.
func (r *Report) recovered() spec.Recovered {
	c := r.Crashes
	return spec.Recovered{N: r.N, SystemWide: c.kind.System, Limited: c.kind.Most > 0, Passages: r.Passages, Exhausted: r.Exhausted, Recovers: c.Recovers,
		Holds:    func(name string) bool { return r.on(name).Holds() },
		Violated: func(name string) bool { return r.on(name) == Violated },
		Steps: map[string]*int{verdict.BoundedReentry: c.ReentrySteps, verdict.BoundedRecovery: c.RecoverySteps,
			verdict.BoundedExit: c.ExitSteps},
		References: c.RMR.among()}
}

// claimsRecovery reports whether processes do not crash. If they crash, it reports whether the
// lock has all properties that it must have and the specification claims what holds under these
// crashes.
func (r *Report) claimsRecovery() bool {
	if r.Crashes == nil {
		return true
	}
	says := r.spec.Claims.Recovery
	return says != nil && (r.Crashes.kind.System || !says.SystemWide) && len(r.Violated()) == 0
}

// recoveryAgreement says whether the specification claims what holds under crashes.
func (r *Report) recoveryAgreement() string {
	switch {
	case r.spec == nil || r.spec.Claims.Recovery == nil && len(r.Disagreements) == 0:
		return "none"
	case len(r.Violated()) > 0:
		return "DISAGREES"
	}
	return r.agreement()
}
