package model

import (
	"context"

	"shmbench/check/internal/automaton"
	"shmbench/check/internal/explore"
)

// minimize makes the model minimal for the values that are known to occur.
func (lock *Lock) minimize(o Options) (err error) {
	lock.Model, err = lock.Minimized(lock.Seen, o.Marks(lock.Learner))
	return err
}

// Minimized returns the model that is minimal for some values of the registers, with as many
// passages as the lock was learned for.
func (lock *Lock) Minimized(seen automaton.Seen, marks automaton.Marks) (*automaton.Model, error) {
	m, err := lock.Learner.Minimize(seen, marks)
	if err == nil && lock.Passages > 0 {
		m = m.Limit(lock.Passages)
	}
	return m, err
}

// WithAllSeen returns the lock with all values that were learned, where the automata tell which of
// them may occur: unless processes share memory that they have allocated.
func (lock *Lock) WithAllSeen() *Lock {
	all := *lock
	if !lock.Learner.Shares() {
		all.Seen = lock.Learner.AllSeen()
	}
	return &all
}

// narrow finds, of the values that may occur, those that do in the model, and
// makes it minimal for them. Where it is too large to tell, that is all of them.
func (lock *Lock) narrow(ctx context.Context, o Options) error {
	opts := o.Explore
	opts.MaxStates = o.atMost(probeStates)
	opts.Progress = nil
	for fewer := true; fewer; {
		if err := lock.minimize(o); err != nil {
			return err
		}
		sys := explore.NewSC(lock.Model)
		g := explore.Run(ctx, sys, opts)
		if err := ctx.Err(); err != nil {
			return err
		}
		_, values := sys.Occurring(g, opts.Workers)
		fewer = g.Exhausted && lock.only(values)
	}
	return nil
}

// only narrows Seen to the values of the model that occur, and reports whether
// they are fewer.
func (lock *Lock) only(occurs [][]bool) (fewer bool) {
	for r, reg := range lock.Model.Regs {
		for k, v := range reg.Numbers {
			if !occurs[r][k] && !reg.Decided {
				lock.Seen[r][v], fewer = false, true
			}
		}
	}
	return fewer
}
