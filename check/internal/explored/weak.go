package explored

import (
	"context"
	"errors"
	"slices"

	"shmbench/check/internal/automaton"
	"shmbench/check/internal/execution"
	"shmbench/check/internal/explore"
	"shmbench/check/internal/model"
	"shmbench/check/internal/source"
	"shmbench/shm"
)

// NotAtomic explores a lock on registers that are not atomic. The graph has no states,
// and says that it was stopped, if the system has too many outcomes to be explored.
func NotAtomic(ctx context.Context, l *source.Lock, learned *model.Lock, opts explore.Options, registers shm.RegisterModel) (*Lock, error) {
	opts.Keep = true
	if opts.MaxStates == 0 {
		opts.MaxStates = tsoStates
	}
	w := &weakening{of: l, registers: registers, opts: opts, model: learned}
	x, err := w.explore(ctx)
	if many, ok := errors.AsType[*explore.ErrOutcomes](err); ok {
		x = New(l, learned, execution.NotAtomic{Registers: registers}, nil, &explore.Graph{}, opts)
		x.Stopped = many
		return x, nil
	}
	return x, err
}

// weakening is the search for the ranges of registers that are not atomic. A range
// is the values that the register can ever be given: at first the initial one, and
// then whatever is stored when loads return what may be returned. Where that is
// without end, as in registers that are unbounded anyhow, the range is what the
// register holds when it is atomic, and executions that leave it are cut off.
type weakening struct {
	of        *source.Lock
	registers shm.RegisterModel
	opts      explore.Options
	model     *model.Lock
	ranges    automaton.Seen
	cuts      []bool
}

// explore explores with ever larger ranges until nothing else is stored.
func (w *weakening) explore(ctx context.Context) (*Lock, error) {
	for {
		m, err := w.minimize()
		if err != nil {
			return nil, err
		}
		weak := m.Weak()
		learned := *w.model
		learned.Model, learned.Seen = m.TwoStepWrites(weak), w.ranges
		sc := explore.NewSC(learned.Model)
		sys, err := explore.NewWeak(sc, w.registers == shm.Safe, weak, w.cuts)
		if err != nil {
			return nil, err
		}
		x := New(w.of, &learned, execution.NotAtomic{Sys: sys, Registers: w.registers}, sc, explore.Run(ctx, sys, w.opts), w.opts)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		missing := sys.Missing()
		if len(missing) == 0 {
			return x, nil
		}
		for _, by := range missing {
			if err := w.grow(learned.Model, by); err != nil {
				return nil, err
			}
		}
	}
}

// minimize returns the model for the ranges as they are, with those of registers
// that have turned up since.
func (w *weakening) minimize() (*automaton.Model, error) {
	l := w.model.Learner
	for {
		for r := len(w.ranges); r < len(l.Regs); r++ {
			w.ranges, w.cuts = append(w.ranges, []bool{true}), append(w.cuts, false)
			if w.unbounded(r) {
				w.cut(r)
			}
		}
		m, err := w.model.Minimized(w.ranges, w.of.Marks(l))
		if err != nil || len(l.Regs) == len(w.ranges) {
			return m, err
		}
	}
}

// unbounded reports whether a register is of those for which passages are limited.
func (w *weakening) unbounded(reg int) bool {
	kind := KindName(w.model.Learner.M.Names().Cell(w.model.Learner.Regs[reg].At))
	for cell := range w.model.Unbounded {
		if KindName(cell) == kind {
			return true
		}
	}
	return false
}

// cut makes a register's range what it holds when it is atomic.
func (w *weakening) cut(reg int) {
	w.cuts[reg] = true
	if reg < len(w.model.Seen) {
		w.ranges[reg] = slices.Clone(w.model.Seen[reg])
	}
}

// grow adds what an access stores to its register's range, unless that is too much.
func (w *weakening) grow(m *automaton.Model, by explore.Store) error {
	l := w.model.Learner
	member := m.Procs[by.Pid].Members[by.Local][0]
	reg := l.Procs[by.Pid].Reg[member]
	move, err := l.Step(by.Pid, member, execution.InLearner(w.ranges[reg], by.Value))
	if err != nil {
		return err
	}
	in := &w.ranges[reg]
	for len(*in) <= int(move.Value) {
		*in = append(*in, false)
	}
	(*in)[move.Value] = true
	count := 0
	for _, holds := range *in {
		if holds {
			count++
		}
	}
	if count > explore.MostActors/m.N {
		w.cut(int(reg))
	}
	return nil
}
