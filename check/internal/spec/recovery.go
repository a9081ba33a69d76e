package spec

import (
	"fmt"

	"shmbench/check/internal/verdict"
	"shmbench/shm"
)

// Recovered is what a check found of a lock whose processes crash, for one n.
type Recovered struct {
	N int
	// SystemWide: a crash is one of all processes. Limited: there are at most so many.
	SystemWide, Limited bool
	Passages            int  // of each process, 0 for any number
	Exhausted           bool // every state was visited
	Recovers            bool // the lock has the method Recover
	// Holds and Violated report what is known of a property by its name.
	Holds, Violated func(property string) bool
	// Steps are the bounds on a process's own steps, by property, and References those on
	// remote memory references: nil if a bound is not known.
	Steps      map[string]*int
	References map[shm.RMRModel]*int
}

// recoveries are the properties, with a yes or no for an answer, that a specification may
// claim where processes crash.
var recoveries = []struct {
	name    string
	claimed func(*shm.Recovery) bool
}{
	{verdict.StarvationFreedom, func(r *shm.Recovery) bool { return r.StarvationFree }},
	{verdict.StrongStarvationFreedom, func(r *shm.Recovery) bool { return r.StronglyStarvationFree }},
	{verdict.FirstComeFirstServed, func(r *shm.Recovery) bool { return r.FCFS }},
	{verdict.StrongFirstComeFirstServed, func(r *shm.Recovery) bool { return r.StronglyFCFS }},
}

// stepBounds are the bounds on a process's own steps that a specification states.
var stepBounds = []struct {
	name, of string
	bound    func(*shm.Recovery) shm.Formula
}{
	{verdict.BoundedReentry, "re-entry", func(r *shm.Recovery) shm.Formula { return r.Reentry }},
	{verdict.BoundedRecovery, "Recover", func(r *shm.Recovery) shm.Formula { return r.Recover }},
	{verdict.BoundedExit, "the exit section", func(r *shm.Recovery) shm.Formula { return r.Exit }},
}

// MustRecover are the properties that every lock must have where processes crash.
func MustRecover() []string {
	return []string{verdict.MutualExclusion, verdict.DeadlockFreedom, verdict.ExitProgress, verdict.DataRaceFreedom, verdict.PanicFreedom, verdict.Reentry, verdict.RecoverResult}
}

// ClaimedUnderCrashes returns the properties that a specification claims besides, for n
// processes.
func ClaimedUnderCrashes(spec *shm.Algorithm, n int, systemWide bool) (all []string) {
	if spec == nil || spec.Claims.Recovery == nil || spec.Claims.Recovery.SystemWide && !systemWide {
		return nil
	}
	for _, p := range recoveries {
		if p.claimed(spec.Claims.Recovery) {
			all = append(all, p.name)
		}
	}
	for _, b := range stepBounds {
		if b.bound(spec.Claims.Recovery).Of(n) != shm.Unbounded {
			all = append(all, b.name)
		}
	}
	return all
}

// CompareRecovery compares what was found under crashes with the specification. Under fewer
// or weaker crashes than the specification speaks of, a lock may be better than it says.
func (s Expected) CompareRecovery(f Recovered) Comparison {
	var c Comparison
	if s.Algorithm == nil || !f.Exhausted || f.N < 2 {
		return c
	}
	says := s.Algorithm.Claims.Recovery
	basics := true
	for _, p := range MustRecover() {
		if f.Violated(p) {
			basics = false
			c.Lost = append(c.Lost, Loss{p, p + " is violated"})
		}
	}
	switch {
	case says == nil && basics && !f.Limited:
		c.lose("", "the specification is too weak: the lock is recoverable, and the specification claims no recovery")
	case says != nil && says.SystemWide && !f.SystemWide && basics && !f.Limited:
		c.lose("", "the specification is too weak: the lock is recoverable under crashes of single processes too")
	}
	if says == nil || !basics || says.SystemWide && !f.SystemWide {
		return c
	}
	exact := !f.Limited && says.SystemWide == f.SystemWide
	for _, p := range recoveries {
		switch claimed := p.claimed(says); {
		case claimed && f.Violated(p.name):
			c.lose(p.name, "%s is violated", p.name)
		case !claimed && exact && f.Passages == 0 && f.N >= min(3, s.Algorithm.MaxProcs) && f.Holds(p.name):
			c.lose("", "the specification is too weak: %s holds under crashes and is not claimed", p.name)
		}
	}
	for _, b := range stepBounds {
		if got := f.Steps[b.name]; got != nil && (b.name != verdict.BoundedRecovery || f.Recovers) {
			c.compareBound(b.name, b.bound(says).Of(f.N), *got, exact, f.Passages, fmt.Sprintf("%s takes %%s steps", b.of))
		}
	}
	for _, m := range shm.RMRModels {
		if want, got := says.References.In(m), f.References[m]; want != nil && got != nil {
			c.compareBound(References(m), want.Of(f.N), *got, exact, f.Passages, fmt.Sprintf("a passage makes %%s remote memory references (%s)", m))
		}
	}
	return c
}

// compareBound compares a bound with that of the specification. Where passages are limited,
// one that does not grow with their number shows nothing of an unbounded one.
func (c *Comparison) compareBound(name string, want, got int, exact bool, passages int, what string) {
	more := ifMore(name, got, want)
	if want == got || more == "" && (!exact || passages > 0 && want == shm.Unbounded) {
		return
	}
	c.lose(more, "under crashes, "+what+", the specification says %s", atMost(got), atMost(want))
}
