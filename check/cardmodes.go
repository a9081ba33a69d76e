package check

import (
	"fmt"
	"slices"

	"shmbench/shm"
)

// compareModes holds a report of mixed passages against the card, as far as one n
// can tell.
func (s *lock) compareModes(r *Report, o Options) {
	if s.card == nil {
		return
	}
	disagree := func(claim, format string, args ...any) { r.lose(claim, "in all modes, "+format, args...) }
	claims := s.card.Claims.Mixed
	for _, p := range append(r.basics(), r.claimed(s.card)...) {
		if p.v == Violated {
			disagree(p.name, "%s is violated", p.name)
		}
	}
	if !r.Exhausted {
		return
	}
	for _, who := range []struct {
		call                   string
		claims                 shm.Patient
		bypass                 *int
		waitFree               Verdict
		boundedBypass, doorway string
	}{
		{"Lock", claims.Writers, r.Bypass, r.DoorwayWaitFree, BoundedBypass, WaitFreeDoorway},
		{"RLock", claims.Readers, r.Modes.ReaderBypass, r.Modes.ReaderDoorwayWaitFree, ReaderBoundedBypass, ReaderWaitFreeDoorway},
	} {
		if who.bypass == nil {
			continue
		}
		if who.claims.Doorway != "" && who.waitFree == Violated {
			disagree(who.doorway, "the doorway of %s up to line %s is not wait-free", who.call, who.claims.Doorway)
		}
		if want := who.claims.Bypass.Of(r.N); r.otherBypass(who.claims.Bypass, *who.bypass, o) {
			disagree(ifMore(who.boundedBypass, *who.bypass, want), "the bypass of %s is %s, the card says %s", who.call, bound(*who.bypass), bound(want))
		}
	}
	s.compareRegisters(r, o, func(format string, args ...any) { disagree("", format, args...) })
}

// weakModes adds to the last report of mixed passages what holds for every n that
// was checked and is not claimed.
func (s *lock) weakModes(reports []*Report) {
	claims, last := s.card.Claims.Mixed, reports[len(reports)-1]
	weak := func(name string, claimed bool, of func(*Report) Verdict) {
		if last.Passages > 0 && (name == StarvationFreedom || name == ReaderStarvationFreedom) {
			return // who starves while others make so many passages starves for ever only with more
		}
		if !claimed && !slices.ContainsFunc(reports, func(r *Report) bool { return r.N > 1 && !of(r).Holds() }) {
			last.Disagreements = append(last.Disagreements,
				fmt.Sprintf("the card is too weak: in all modes, %s holds for every n that was checked and is not claimed", name))
		}
	}
	weak(DeadlockFreedom+" with "+ExitProgress, claims.DeadlockFree, func(r *Report) Verdict {
		if !r.ExitProgress.Holds() {
			return r.ExitProgress
		}
		return r.DeadlockFreedom
	})
	weak(StarvationFreedom, claims.Writers.StarvationFree, func(r *Report) Verdict { return r.StarvationFreedom })
	for _, p := range modals {
		if p.claimed != nil && p.has(last.Modes.Made) {
			weak(p.name, p.claimed(claims), func(r *Report) Verdict { return *p.of(r.Modes) })
		}
	}
}
