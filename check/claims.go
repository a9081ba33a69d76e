package check

import (
	"fmt"
	"shmbench/check/internal/verdict"
	"shmbench/shm"
	"slices"
)

// claim is a property that a card may claim. Each of the functions pure, mixed and
// registers is nil if the property cannot be claimed there.
type claim struct {
	name string
	of   func(*Report) Verdict // nil if the report has a number instead
	// demanded: it is a disagreement if the property is claimed and violated, and has
	// no place of its own in the comparison.
	demanded bool
	// pure says whether a card claims it of passages by Lock and Unlock.
	pure func(c *shm.Claims, n int) bool
	// mixed says whether a card claims it of passages in all modes.
	mixed func(c *shm.Mixed, n int) bool
	// registers is the weakest model of registers on which a card claims it.
	registers func(shm.Weakest) shm.RegisterModel
	// endless: to have it within a limit of passages says nothing of a lock that needs
	// no limit with narrow words and lets a process starve then.
	endless bool
	// unlimited: in all modes, to have it within a limit of passages says nothing.
	unlimited bool
	// asked reports whether the property is asked of the lock of a report; nil if it is
	// of every lock.
	asked func(*Report) bool
}

// claims are the properties that a card may claim, in the order in which disagreements
// name them.
var claims = slices.Concat([]claim{
	{name: verdict.MutualExclusion, of: func(r *Report) Verdict { return r.MutualExclusion },
		registers: func(w shm.Weakest) shm.RegisterModel { return w.Exclusion }},
	{name: verdict.DeadlockFreedom, of: func(r *Report) Verdict { return r.DeadlockFreedom },
		pure:      func(c *shm.Claims, _ int) bool { return c.DeadlockFree },
		registers: func(w shm.Weakest) shm.RegisterModel { return w.DeadlockFree }},
	{name: verdict.DeadlockFreedom + " with " + verdict.ExitProgress, of: progress,
		mixed: func(c *shm.Mixed, _ int) bool { return c.DeadlockFree }},
	{name: verdict.StarvationFreedom, of: func(r *Report) Verdict { return r.StarvationFreedom }, demanded: true, endless: true, unlimited: true,
		pure:      func(c *shm.Claims, _ int) bool { return c.StarvationFree },
		mixed:     func(c *shm.Mixed, _ int) bool { return c.Writers.StarvationFree },
		registers: func(w shm.Weakest) shm.RegisterModel { return w.StarvationFree }},
	{name: verdict.FirstComeFirstServed, of: func(r *Report) Verdict { return r.FCFS }, demanded: true,
		pure: func(c *shm.Claims, _ int) bool { return c.FCFS }},
	{name: verdict.BoundedBypass, demanded: true,
		pure:  func(c *shm.Claims, n int) bool { return c.Bypass.Of(n) != shm.Unbounded },
		mixed: func(c *shm.Mixed, n int) bool { return c.Writers.Bypass.Of(n) != shm.Unbounded }},
	{name: verdict.ReaderBoundedBypass, demanded: true,
		mixed: func(c *shm.Mixed, n int) bool { return c.Readers.Bypass.Of(n) != shm.Unbounded }},
}, localSpinClaims(), modalClaims())

// progress is the verdict on deadlock freedom and exit progress together.
func progress(r *Report) Verdict {
	if !r.ExitProgress.Holds() {
		return r.ExitProgress
	}
	return r.DeadlockFreedom
}

// localSpinClaims are what a card may claim of remote memory references.
func localSpinClaims() (all []claim) {
	for _, l := range localSpins {
		all = append(all, claim{name: l.name, endless: true,
			of:    func(r *Report) Verdict { return l.of(r.RMR) },
			pure:  func(c *shm.Claims, _ int) bool { return l.claimed(c.LocalSpin) },
			asked: func(r *Report) bool { return r.RMR != nil }})
	}
	return all
}

// modalClaims are what a card may claim of the modes that a lock has.
func modalClaims() (all []claim) {
	for _, p := range modals {
		if p.claimed == nil {
			continue
		}
		all = append(all, claim{name: p.name, unlimited: p.name == verdict.ReaderStarvationFreedom,
			of:    func(r *Report) Verdict { return *p.of(r.Modes) },
			mixed: func(c *shm.Mixed, _ int) bool { return p.claimed(*c) },
			asked: func(r *Report) bool { return p.has(r.Modes.Made) }})
	}
	return all
}

// by reports whether a card claims the property under the conditions of a report, and
// whether it could.
func (c claim) by(card *shm.Algorithm, r *Report, n int) (claimed, could bool) {
	switch {
	case r.weakest != nil && c.registers != nil:
		return c.registers(r.weakest.Weakest).Covers(r.RegisterModel), true
	case r.weakest != nil:
		return false, false
	case r.mixed != nil && c.mixed != nil:
		return c.mixed(r.mixed, n), true
	case r.mixed == nil && c.pure != nil:
		return c.pure(&card.Claims, n), true
	}
	return false, false
}

// claimed are the properties that the card claims beside the basic ones.
func (r *Report) claimed(card *shm.Algorithm) (all []property) {
	for _, c := range claims {
		if claimed, _ := c.by(card, r, r.N); claimed && c.demanded && c.of != nil {
			all = append(all, property{c.name, c.of(r)})
		}
	}
	return all
}

// owes reports whether the lock must have a property, or claims it.
func (x *explored) owes(name string) bool {
	r := new(Report)
	if x.lock.Mixed {
		r = newReport(x.lock, x.n, x.model.Learner.M)
	}
	if x.lock.Card != nil && slices.ContainsFunc(claims, func(c claim) bool {
		claimed, _ := c.by(x.lock.Card, r, x.n)
		return claimed && c.demanded && c.name == name
	}) {
		return true
	}
	return slices.ContainsFunc(r.basics(), func(p property) bool { return p.name == name }) ||
		slices.ContainsFunc(x.lock.Invariants, func(inv shm.Invariant) bool { return verdict.Invariant(inv.Name) == name })
}

// tooWeak adds to the last report what holds for every n that was checked, at
// least 2 and 3 or all that there are, and is not claimed.
func (c specification) tooWeak(reports []*Report) {
	if c.card == nil || c.placed {
		return
	}
	for n := 2; n <= min(3, c.card.MaxProcs); n++ {
		if !slices.ContainsFunc(reports, func(r *Report) bool { return r.N == n && r.Refused == "" && r.Exhausted }) {
			return
		}
	}
	last := reports[len(reports)-1]
	if last.weak() && !c.claimsRegisters(reports) {
		return
	}
	for _, p := range claims {
		claimed, could := p.by(c.card, last, last.N)
		if claimed || !could || p.asked != nil && !p.asked(last) || p.endless && !c.mixed && starvesNarrow(reports) ||
			p.unlimited && c.mixed && last.Passages > 0 || !holdsInAll(reports, p.of) {
			continue
		}
		last.Disagreements = append(last.Disagreements, "the card is too weak: "+c.unclaimed(p, last))
	}
	if !last.weak() && (c.mixed || len(last.has) < 2) {
		c.weakRegisters(reports)
	}
}

// holdsInAll reports whether a property holds in all reports of two or more processes.
// It does not if the reports have no verdict on it.
func holdsInAll(reports []*Report, of func(*Report) Verdict) bool {
	return of != nil && !slices.ContainsFunc(reports, func(r *Report) bool { return r.N > 1 && !of(r).Holds() })
}

// starvesNarrow reports whether a process starves with narrow words, which need no
// limit of passages. Then nothing follows from what holds within a limit.
func starvesNarrow(reports []*Report) bool {
	return slices.ContainsFunc(reports, func(r *Report) bool {
		return r.Overflow != nil && r.Overflow.MutualExclusion.Holds() && r.Overflow.StarvationFreedom == Violated
	})
}

// unclaimed says that a property holds and is not claimed.
func (c specification) unclaimed(p claim, last *Report) string {
	switch {
	case last.weak():
		says := "nothing"
		if model := p.registers(c.card.Claims.Weakest); model != "" {
			says = string(model)
		}
		return fmt.Sprintf("%s holds on %s registers for every n that was checked, the card says %s", p.name, last.RegisterModel, says)
	case c.mixed:
		return fmt.Sprintf("in all modes, %s holds for every n that was checked and is not claimed", p.name)
	}
	return fmt.Sprintf("%s holds for every n that was checked and is not claimed", p.name)
}

// claimsRegisters reports whether the card has to claim what holds on registers that
// are not atomic. A lock of reads and writes has to; others may. No card has to claim
// what holds as long as registers that it bounds do not overflow.
func (c specification) claimsRegisters(reports []*Report) bool {
	if c.card.Class != shm.ReadWrite && c.card.Claims.Weakest == (shm.Weakest{}) {
		return false
	}
	return !slices.ContainsFunc(reports, func(r *Report) bool { return r.Overflows && c.card.Space.Bounded(r.N) })
}
