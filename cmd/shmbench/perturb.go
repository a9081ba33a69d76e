package main

import (
	"context"
	"fmt"
	"path/filepath"

	"shmbench/catalog"
	"shmbench/internal/gocmd"
	"shmbench/internal/overlay"
	"shmbench/internal/race"
	"shmbench/internal/scratch"
	"shmbench/internal/sources"
	"shmbench/internal/stressed"
	"shmbench/internal/twin"
	"shmbench/internal/twin/perturb"
)

// stressPerturbed stresses the locks in a program that has them on atomics which now
// and then yield or delay.
func stressPerturbed(ctx context.Context, e env, f stressFlags) error {
	if err := native(); err != nil {
		return err
	}
	dir, remove, err := scratch.Folder("", "shmbench-perturb-")
	if err != nil {
		return err
	}
	defer remove()
	f.program = filepath.Join(dir, "stress.exe")
	if err := buildPerturbed(ctx, f.program); err != nil {
		if ctx.Err() != nil {
			return interrupted(ctx, "nothing was stressed")
		}
		return fmt.Errorf("-perturb: %w", gocmd.OneLine(err))
	}
	return stressCatalogue(ctx, e, f)
}

// buildPerturbed builds the program.
func buildPerturbed(ctx context.Context, program string) error {
	tree, err := sources.Dir(ctx)
	if err != nil {
		return err
	}
	o := overlay.Options{
		Place:    gocmd.In(tree),
		Packages: catalog.Families(),
		Replace:  twin.Replaced("shmbench/internal/twin"),
		Flags:    []string{perturb.Flag},
		Target:   stressed.Program,
		Output:   program,
	}
	if race.Enabled {
		o.Flags = append(o.Flags, "-race")
	}
	return overlay.Build(ctx, o)
}
