package check

import (
	"shmbench/check/internal/verdict"
	"shmbench/shm"
)

// compareModes holds a report of mixed passages against the card, as far as one n
// can tell.
func (c specification) compareModes(r *Report, o Options) {
	if c.card == nil {
		return
	}
	disagree := func(claim, format string, args ...any) { r.lose(claim, "in all modes, "+format, args...) }
	claims := c.card.Claims.Mixed
	for _, p := range append(r.basics(), r.claimed(c.card)...) {
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
		{"Lock", claims.Writers, r.Bypass, r.DoorwayWaitFree, verdict.BoundedBypass, verdict.WaitFreeDoorway},
		{"RLock", claims.Readers, r.Modes.ReaderBypass, r.Modes.ReaderDoorwayWaitFree, verdict.ReaderBoundedBypass, verdict.ReaderWaitFreeDoorway},
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
	c.compareRegisters(r, o, func(format string, args ...any) { disagree("", format, args...) })
}
