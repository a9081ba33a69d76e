package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"path/filepath"
	"strings"

	"shmbench/catalog"
	"shmbench/internal/cli"
	"shmbench/internal/isolate"
	"shmbench/internal/overlay"
	"shmbench/internal/race"
	"shmbench/internal/scratch"
	"shmbench/internal/twin"
	"shmbench/internal/twin/perturb"
)

// stressPerturbed builds this program anew, with the locks on atomics that now
// and then yield or delay, and lets it do what the flags say.
func stressPerturbed(ctx context.Context, e env, fs *flag.FlagSet) error {
	if err := native(); err != nil {
		return err
	}
	dir, remove, err := scratch.Folder("", "shmbench-perturb-")
	if err != nil {
		return err
	}
	defer remove()
	program := filepath.Join(dir, "shmbench.exe")
	o := overlay.Options{
		Packages: append(catalog.Families(), "shmbench/mutants"),
		Replace:  twin.Replaced("shmbench/internal/twin"),
		Flags:    []string{perturb.Flag},
		Target:   "shmbench/cmd/shmbench",
		Output:   program,
	}
	if race.Enabled {
		o.Flags = append(o.Flags, "-race")
	}
	switch err := overlay.Build(ctx, o); {
	case ctx.Err() != nil:
		return interrupted(ctx, "nothing was stressed")
	case errors.Is(err, overlay.ErrNoGo):
		return fmt.Errorf("-perturb: %w", err)
	case err != nil:
		first, _, _ := strings.Cut(err.Error(), "\n")
		return fmt.Errorf("-perturb rebuilds shmbench and must be used inside its source: %s", first)
	}
	args := []string{"stress"}
	fs.Visit(func(f *flag.Flag) {
		if f.Name != "perturb" {
			args = append(args, "-"+f.Name+"="+f.Value.String())
		}
	})
	cmd, err := isolate.Command(ctx, program, args...)
	if err != nil {
		return err
	}
	cmd.Stdout, cmd.Stderr = e.Stdout, e.Stderr
	return cli.RunChild(ctx, cmd)
}
