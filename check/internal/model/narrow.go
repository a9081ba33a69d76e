package model

import (
	"context"

	"shmbench/check/internal/explore"
)

// minimize makes the model minimal for the values that are known to occur.
func (lock *Lock) minimize(o Options) error {
	m, err := lock.Learner.Minimize(lock.Seen, o.Marks(lock.Learner))
	if err == nil && lock.Passages > 0 {
		m = m.Limit(lock.Passages)
	}
	lock.Model = m
	return err
}

// narrow finds, of the values that may occur, those that do in the model, and
// makes it minimal for them. Where it is too large to tell, that is all of them.
func (lock *Lock) narrow(ctx context.Context, o Options) error {
	opts := o.Explore
	opts.MaxStates = probeStates
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
