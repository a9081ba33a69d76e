package check

import (
	"fmt"
	"slices"

	"shmbench/shm"
)

// weakest is what a card claims on registers that are not atomic.
type weakest struct{ shm.Weakest }

// model returns the weakest registers on which the card claims a property that
// every lock must have on atomic ones, or starvation freedom. A lock that keeps
// exclusion does not panic, and one in which somebody always gets in does not stay
// in its exit section.
func (w weakest) model(property string) shm.RegisterModel {
	switch property {
	case DeadlockFreedom, ExitProgress:
		return w.DeadlockFree
	case StarvationFreedom:
		return w.StarvationFree
	}
	return w.Exclusion
}

// WeakestRegisters returns the weakest registers on which a card with these claims says
// that the lock has a property.
func WeakestRegisters(claims shm.Weakest, property string) shm.RegisterModel {
	return weakest{claims}.model(property)
}

// weak reports whether the report is of registers that are not atomic.
func (r *Report) weak() bool { return r.RegisterModel != "" && r.RegisterModel != shm.Atomic }

// compareWeak holds a report of registers that are not atomic against the card, as
// far as one n can tell.
func (s *lock) compareWeak(r *Report) {
	if s.card == nil {
		return
	}
	for _, p := range append(r.basics(), r.claimed(s.card)...) {
		if p.v == Violated {
			r.Disagreements = append(r.Disagreements, fmt.Sprintf("%s is violated on %s registers, the card says that it holds on them", p.name, r.RegisterModel))
		}
	}
}

// tooStrong adds to the last report of registers that are not atomic what holds on
// them for every n that was checked, and is claimed of stronger ones only. A lock
// of reads and writes has to say it; others may. Nobody has to claim what holds as
// long as registers that the card bounds do not overflow.
func (s *lock) tooStrong(reports []*Report) {
	last := reports[len(reports)-1]
	w := weakest{s.card.Claims.Weakest}
	if s.card.Class != shm.ReadWrite && w == (weakest{}) {
		return
	}
	overflows := func(r *Report) bool { return r.Overflows && s.card.Space.Bounded(r.N) }
	if slices.ContainsFunc(reports, overflows) {
		return
	}
	for _, p := range []struct {
		name string
		of   func(*Report) Verdict
	}{
		{MutualExclusion, func(r *Report) Verdict { return r.MutualExclusion }},
		{DeadlockFreedom, func(r *Report) Verdict { return r.DeadlockFreedom }},
		{StarvationFreedom, func(r *Report) Verdict { return r.StarvationFreedom }},
	} {
		claimed := w.model(p.name)
		if claimed.Covers(last.RegisterModel) || slices.ContainsFunc(reports, func(r *Report) bool { return r.N > 1 && !p.of(r).Holds() }) {
			continue
		}
		says := "nothing"
		if claimed != "" {
			says = string(claimed)
		}
		last.Disagreements = append(last.Disagreements,
			fmt.Sprintf("the card is too weak: %s holds on %s registers for every n that was checked, the card says %s", p.name, last.RegisterModel, says))
	}
}
