package check

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"shmbench/check/internal/interp"
	"shmbench/check/internal/replay"
	"shmbench/check/internal/source"
	"shmbench/check/internal/views"
)

// runner checks locks of one source under the same options.
type runner struct {
	o Options
	// team is shared by the runners that work at the same time. It is nil if there is only one
	// runner.
	team *team
	// machines are the interpreters on which packages are initialized, for all locks.
	machines *source.Machines
	code     *replay.Program // nil until it is needed
	without  error           // the reason if the code cannot run
	// defaults has the findings on the last algorithm that is not a variant of another one. Its
	// variants use them.
	defaults map[variant]finding
}

// variant is the key of a finding that an algorithm and its variants share.
type variant struct {
	n     int
	mixed bool
}

// finding has the verdicts on a lock. If passages had to be limited, exact has the verdicts without a
// limit, and is nil if there are none, for the reason open. Then overflow has the verdicts with narrow
// words. It is nil if no word grows without bound.
type finding struct {
	verdicts *verdicts
	exact    *verdicts
	open     string
	overflow *overflowed
}

// best returns the verdicts without a limit of passages, if there are such verdicts.
func (f *finding) best() *verdicts { return cmp.Or(f.exact, f.verdicts) }

// close ends the program with the compiled locks.
func (run *runner) close() {
	if run.code != nil {
		run.code.Close()
	}
}

// check checks a lock for each n that its specification allows: for passages by Lock and
// Unlock, and then, if it has other modes, for passages in all of them.
func (run *runner) check(ctx context.Context, l *source.Lock) ([]*Report, error) {
	l, err := run.asked(l)
	if err != nil {
		return nil, err
	}
	if run.o.Crashes != nil {
		l = l.Crash(*run.o.Crashes)
	}
	builders := []*source.Builder{source.NewBuilder(l, run.machines), source.NewBuilder(l.Mix(), run.machines)}
	ns := run.numbers(l)
	var all []*Report
	var needs []string // registers that invariants read, found so far
	for i, n := range ns {
		for _, b := range builders {
			if b.Lock.Mixed && !run.mixes(b.Lock, all) {
				continue
			}
			r, err := run.checkFor(ctx, b.Needing(needs), n)
			for {
				needed, ok := errors.AsType[*views.NeededError](err)
				if !ok {
					break
				}
				needs = append(needs, needed.Register)
				r, err = run.checkFor(ctx, b.Needing(needs), n)
			}
			if _, notBuilt := errors.AsType[*interp.NotBuiltError](err); notBuilt && len(run.o.N) == 0 && l.Spec == nil && len(all) > 0 {
				break // no specification says that the lock can be built for n
			}
			if r == nil {
				return all, err
			}
			if r.Refused == "" {
				r.Undecided = r.undecided()
				r.noteNotReplayed(run.o.AcceptUnreplayed)
			}
			all = append(all, r)
			if i == len(ns)-1 && run.o.Crashes == nil && run.o.Passages == 0 {
				tooWeak(b.Lock, slices.DeleteFunc(slices.Clone(all), func(r *Report) bool { return (r.Modes != nil) != b.Lock.Mixed }), run.o)
			}
			if run.o.Each != nil {
				run.o.Each(r)
			}
			if err != nil {
				return all, err
			}
		}
	}
	return all, nil
}

// asked returns a lock with its invariants. It discards the findings on the last algorithm,
// unless the lock is a variant of it.
func (run *runner) asked(l *source.Lock) (*source.Lock, error) {
	all, err := invariantsOf(l.Spec, run.o.Invariants)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", l.Name, err)
	}
	if run.machines == nil {
		run.machines = source.NewMachines(run.team.learns(run.o))
	}
	if l.Spec == nil || l.Spec.VariantOf == "" {
		run.defaults = map[variant]finding{}
	}
	asked := *l
	asked.Invariants = all
	return &asked, nil
}

// numbers returns the numbers of processes with which run checks a lock.
func (run *runner) numbers(l *source.Lock) []int {
	ns := run.o.N
	if len(ns) == 0 {
		ns = []int{2, 3}
		if l.Spec != nil && l.Spec.Explored.Procs > 0 {
			ns = slices.DeleteFunc(ns, func(n int) bool { return n > l.Spec.Explored.Procs })
		}
	}
	if l.Spec != nil {
		ns = slices.DeleteFunc(slices.Clone(ns), func(n int) bool { return n < l.Spec.MinProcs || n > l.Spec.MaxProcs })
	}
	return ns
}

// mixes reports whether to check the lock with passages in all modes too, after the last
// report, which is on Lock and Unlock only. The specification does not bound a number of
// processes that the user asked for.
func (run *runner) mixes(l *source.Lock, reports []*Report) bool {
	last := reports[len(reports)-1]
	if len(run.o.N) == 0 && l.Spec != nil && l.Spec.Explored.Mixed > 0 && last.N > l.Spec.Explored.Mixed {
		return false
	}
	return len(last.has) > 1 && !run.o.LockOnly && run.o.sequential() && last.Refused == ""
}
