package main

import (
	"context"

	"shmbench/internal/build/twin"
	"shmbench/shm"
	"shmbench/stress"
)

// stressPackage stresses the lock of a package that is not in the catalog, in
// a program that is built for it.
func stressPackage(ctx context.Context, e env, f stressFlags) error {
	o := foreignProgram{pkg: *f.pkg, main: "shmbench/stress", race: f.race}
	if f.perturb {
		o.replace, o.hooks = twin.Replaced, "twin.Before = func(twin.Access) { driver.Disturb() }"
	}
	program, name, remove, err := o.named(ctx)
	if err != nil {
		return first(interrupted(ctx, "nothing was stressed"), err)
	}
	defer remove()
	r, err := stressIn(ctx, program, shm.Algorithm{Name: name}, "", f.options())
	if ctx.Err() != nil && r == nil {
		return interrupted(ctx, "%s was not stressed", name)
	}
	if err != nil {
		return err
	}
	reports := []*stress.Report{r}
	if err := printReports(e, f, ctx.Err() == nil, reports); err != nil {
		return err
	}
	return first(stressVerdict(reports), interrupted(ctx, "%s was stressed for %.1f s", name, r.Seconds))
}
