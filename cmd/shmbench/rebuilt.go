package main

import (
	"context"
	"fmt"

	"shmbench/catalog"
	"shmbench/cmd/shmbench/stressed"
	"shmbench/internal/build/gocmd"
	"shmbench/internal/build/overlay"
	"shmbench/internal/build/sources"
	"shmbench/internal/build/twin"
	"shmbench/internal/build/twin/perturb"
	"shmbench/internal/machine/race"
)

// stressRebuilt stresses the locks in a program that is built for it: with -perturb
// they use atomics that now and then yield or delay, and with -race the program runs
// under the race detector.
func stressRebuilt(ctx context.Context, e env, f stressFlags) error {
	asked := "-race"
	if f.perturb {
		asked = "-perturb"
	}
	program, remove, err := rebuilt(ctx, f, asked, "nothing was stressed")
	if err != nil {
		return err
	}
	defer remove()
	f.program = program
	return stressCatalogue(ctx, e, f)
}

// rebuilt builds the program for the flag that asked for it, and returns the function that
// removes it. If ctx ends meanwhile the error says what was not done.
func rebuilt(ctx context.Context, f stressFlags, asked, undone string) (program string, remove func(), err error) {
	if err := native(); err != nil {
		return "", nil, err
	}
	program, remove, err = temporary(func(_, program string) error { return rebuild(ctx, f, program) })
	if err != nil {
		return "", nil, first(interrupted(ctx, "%s", undone), fmt.Errorf("%s: %w", asked, gocmd.OneLine(err)))
	}
	return program, remove, nil
}

// rebuild builds the program.
func rebuild(ctx context.Context, f stressFlags, program string) error {
	tree, err := sources.Dir(ctx)
	if err != nil {
		return err
	}
	o := overlay.Options{
		Place:  gocmd.In(tree),
		Flags:  raceFlags(f.race),
		Target: stressed.Program,
		Output: program,
	}
	if f.perturb || f.kill.most > 0 {
		o.Packages, o.Replace = sources.Packages(catalog.Families()), twin.Replaced("shmbench/internal/build/twin")
	}
	if f.perturb {
		o.Flags = append(o.Flags, perturb.Flag)
	}
	return overlay.Build(ctx, o)
}

// raceFlags returns the flags for the go command with which a program runs under the
// race detector, if that is asked for or this program runs under it.
func raceFlags(asked bool) []string {
	if asked || race.Enabled {
		return []string{"-race"}
	}
	return nil
}
