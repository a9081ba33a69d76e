package report

import (
	"fmt"
	"slices"

	"shmbench/internal/cli/words"
	"shmbench/report/rank"
)

// mutex is the lock that the others would replace.
const mutex = "baseline/mutex"

// onlySpinning is the condition under which a lock that spins is recommended.
const onlySpinning = "with at most as many goroutines as processors"

// spins reports whether a process that waits for c's lock occupies its processor.
func (c Spec) spins() bool { return !c.Class.Sleeps() }

// use adds a lock that a sentence tells to use, and names it with the condition of its use.
func (rec *Recommendation) use(o overall) string {
	if !slices.Contains(rec.Locks, o.Name) {
		rec.Locks = append(rec.Locks, o.Name)
	}
	if o.spins() {
		return o.called() + " " + onlySpinning
	}
	return o.called()
}

// instead says what to use in place of sync.Mutex, the base, and whether it is worth it. A lock
// is worth it if it costs less in the mean, and more with no number of processes.
func (rec *Recommendation) instead(c contest, base overall, cores int) {
	crowded := cores > 0 && c.most() > cores
	few := c
	if crowded {
		few = c.upTo(cores)
	}
	worth := func(c contest) func(overall) bool {
		base := c.lock(mutex)
		return func(o overall) bool { return o.faster(*base) && o.slowerWith(*base) < 0 }
	}
	everywhere, within := worth(c), worth(few)
	chosen, tied := c.best(func(o overall) bool { return everywhere(o) && (!o.spins() || within(*few.lock(o.Name))) })
	switch {
	case chosen != nil:
		rec.say("Use %s: it takes %s as sync.Mutex %s.", rec.use(*chosen), long(chosen.over(base)), c.where())
		rec.close(tied)
		if chosen.spins() {
			rec.say("With more goroutines than processors, use sync.Mutex.")
		}
	default:
		chosen = &base
		rec.say("Use %s: %s.", rec.use(base), c.noOther(base))
		if near, tied := few.best(within); crowded && near != nil {
			rec.say("Use %s: it takes %s %s.", rec.use(*near), long(near.over(*few.lock(mutex))), few.mean())
			rec.close(tied)
		}
	}
	rec.Lock = chosen.Name
	fair := rec.need("If no process may ever starve", c, *chosen, func(c Spec) bool { return c.Claims.StarvationFree })
	if fair != nil && fair.Claims.FCFS {
		rec.say("%s also serves processes first come, first served.", fair.called())
	} else {
		rec.need("If you need first-come-first-served order", c, *chosen, func(c Spec) bool { return c.Claims.FCFS })
	}
}

// noOther says that no lock is worth it in place of sync.Mutex, the base, and why the best in
// the mean is not.
func (c contest) noOther(base overall) string {
	if len(c.locks) == 1 {
		return "no other lock was measured " + c.where()
	}
	clearly := ""
	for _, o := range c.locks {
		q, low, high := o.over(base)
		if q >= 1-least || o.Name == mutex {
			continue
		}
		if !o.faster(base) {
			clearly = "clearly "
			continue
		}
		text := fmt.Sprintf("%s takes %s %s, but ", o.called(), long(q, low, high), c.where())
		if k := o.slowerWith(base); k >= 0 {
			return text + fmt.Sprintf("%s with %s", long(o.with(k).over(base.with(k))), words.Counted(c.procs[k], "process", "processes"))
		}
		return text + "it spins, and nothing shows that it is faster " + onlySpinning
	}
	return "no other lock here is " + clearly + "faster " + c.where()
}

// need says what to use if a property is needed that the chosen lock does not have. It returns
// the lock, or nil.
func (rec *Recommendation) need(when string, c contest, chosen overall, has func(Spec) bool) *overall {
	best, tied := c.best(func(o overall) bool { return has(o.Spec) })
	if best == nil || has(chosen.Spec) {
		return nil
	}
	rec.say("%s, use %s; it takes %s %s.", when, rec.use(*best), long(best.over(chosen)), c.mean())
	rec.close(tied)
	return best
}

// fastest says which lock costs the least, and how far behind the next lock is.
func (rec *Recommendation) fastest(c contest) {
	best, tied := c.best(overall.judged)
	if best == nil || len(c.locks) == 1 {
		return
	}
	rec.say("Of the measured locks, %s costs the least %s.", best.called(), c.where())
	rec.close(tied)
	if next, _ := c.best(func(o overall) bool { _, low, _ := o.over(*best); return low > 1 }); next != nil && tied == nil {
		rec.say("The next, %s, takes %s.", next.called(), long(next.over(*best)))
	}
}

// close adds to the last sentence which locks are too close to its lock to call.
func (rec *Recommendation) close(tied []overall) {
	if len(tied) == 0 {
		return
	}
	var names []string
	for _, o := range tied {
		names = append(names, o.Name)
	}
	locks, among := rank.Group(names, rec.traits)
	are := "are"
	if len(tied) == 1 {
		are = "is"
	}
	rec.Sentences[len(rec.Sentences)-1] += fmt.Sprintf(" %s %s too close to it to call%s.", locks, are, among)
}

// mean says over which numbers of processes a lock is judged.
func (c contest) mean() string {
	if len(c.procs) == 1 {
		return "with " + words.Counted(c.procs[0], "process", "processes")
	}
	return fmt.Sprintf("in the mean over %d to %d processes", c.procs[0], c.most())
}

// where is mean, and says that nothing is known of more processes.
func (c contest) where() string { return c.mean() + ", the most that was measured" }

// most is the largest number of processes.
func (c contest) most() int { return c.procs[len(c.procs)-1] }

// long is a multiple with its interval: "4.3 times as long (3.9 to 5.0)".
func long(quotient, low, high float64) string {
	if low == 0 {
		return two(quotient) + " times as long"
	}
	return fmt.Sprintf("%s times as long (%s to %s)", two(quotient), two(low), two(high))
}
