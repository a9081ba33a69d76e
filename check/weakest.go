package check

import (
	"fmt"
	"shmbench/check/internal/verdict"
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
	case verdict.DeadlockFreedom, verdict.ExitProgress:
		return w.DeadlockFree
	case verdict.StarvationFreedom:
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
func (c specification) compareWeak(r *Report) {
	if c.card == nil {
		return
	}
	for _, p := range append(r.basics(), r.claimed(c.card)...) {
		if p.v == Violated {
			r.Disagreements = append(r.Disagreements, fmt.Sprintf("%s is violated on %s registers, the card says that it holds on them", p.name, r.RegisterModel))
		}
	}
}
