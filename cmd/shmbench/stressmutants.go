package main

import (
	"context"
	"fmt"
	"slices"

	"shmbench/catalog/mutants"
	"shmbench/internal/build/gocmd"
	"shmbench/internal/build/sources"
	"shmbench/internal/build/twin"
	"shmbench/internal/build/twin/perturb"
	"shmbench/internal/cli/tty"
	"shmbench/shm"
	"shmbench/stress"
)

// stressMutants compiles the broken locks and stress-tests them.
func stressMutants(ctx context.Context, e env, f stressFlags) error {
	if err := native(); err != nil {
		return err
	}
	broken, err := brokenLocks().Match(f.selection.alg)
	if err != nil {
		return err
	}
	if err := allowed(broken, f.procs); err != nil {
		return err
	}
	progress := tty.NewProgress(e.Stderr, len(broken))
	progress.At(0, "compiling the mutants")
	runner, err := compiledMutants(ctx, broken, f)
	progress.Clear()
	if err != nil {
		if ctx.Err() != nil {
			return interrupted(ctx, "no mutant was stress-tested")
		}
		return fmt.Errorf("-mutants: the mutants are compiled first: %w", gocmd.OneLine(err))
	}
	defer runner.Close()
	table, err := inTurn(ctx, e.Stderr, broken, func(m mutants.Mutant) string { return m.Name }, func(m mutants.Mutant) (*stress.Kill, error) {
		return hunt(ctx, runner, m, f.options())
	})
	if err != nil && len(table) == 0 {
		return err
	}
	return first(printKills(e, f, err == nil && ctx.Err() == nil, table), err, interrupted(ctx, "%d of %d mutants were stressed", len(table), len(broken)))
}

// allowed returns an error if a mutant does not show its fault with one of the numbers of
// processes.
func allowed(broken []mutants.Mutant, procs []int) error {
	for _, m := range broken {
		for _, n := range procs {
			if err := shm.CheckProcs(m.Name, n, m.Procs, m.MaxProcs); err != nil {
				return err
			}
		}
	}
	return nil
}

// compiledMutants returns the program that runs the mutants, on atomics that now and then yield or
// delay if they are to be perturbed.
func compiledMutants(ctx context.Context, broken []mutants.Mutant, f stressFlags) (*mutants.Runner, error) {
	flags := raceFlags(f.race)
	var replace map[string]string
	if f.perturb {
		flags, replace = append(flags, perturb.Flag), twin.Replaced(sources.Module+"/internal/build/twin")
	}
	return mutants.Build(ctx, broken, replace, flags...)
}

// hunted are the numbers of processes of a hunt: twice the least that shows the fault, and more.
func hunted(m mutants.Mutant) []int {
	return slices.DeleteFunc([]int{m.Procs, m.Procs, 2, 4, 5, 8}, func(n int) bool { return n < m.Procs || n > m.MaxProcs })
}

// hunt stress-tests one mutant. Without numbers of processes it takes those of hunted. A hunt that
// is interrupted shows nothing.
func hunt(ctx context.Context, runner *mutants.Runner, m mutants.Mutant, o stress.Options) (*stress.Kill, error) {
	if o.Procs == nil {
		o.Procs = hunted(m)
	}
	// Complete here, a plan can be repeated also when the process crashes.
	if err := o.Complete(m.Algorithm); err != nil {
		return nil, err
	}
	r, err := stressIn(ctx, runner.Program, m.Algorithm, "", o)
	if err != nil || ctx.Err() != nil {
		return nil, err
	}
	return newKill(m, r), nil
}
