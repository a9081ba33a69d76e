package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"shmbench/internal/overlay"
	"shmbench/internal/race"
	"shmbench/internal/twin"
	"shmbench/shm"
	"shmbench/stress"
)

// stressPackage stresses the lock of a package that is not in the catalogue, in
// a program that is built for it.
func stressPackage(ctx context.Context, e env, f stressFlags) error {
	dir, err := os.MkdirTemp("", "shmbench-stress-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	program := filepath.Join(dir, "stress.exe")
	name, err := f.build(ctx, program)
	if ctx.Err() != nil {
		return interrupted(ctx, "nothing was stressed")
	}
	if err != nil {
		return fmt.Errorf("-pkg %s: %w", f.pkg, err)
	}
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

// build builds the program and returns the lock's name.
func (f *stressFlags) build(ctx context.Context, program string) (name string, err error) {
	listed, err := overlay.Go(ctx, "", "list", "-f", "{{.ImportPath}}\n{{.Name}}\n{{.Dir}}", f.pkg)
	if err != nil {
		return "", firstLine(err)
	}
	fields := strings.Split(strings.TrimSpace(listed), "\n")
	if len(fields) != 3 {
		return "", errors.New("it must be one package")
	}
	path, name, dir := fields[0], fields[1], strings.TrimSpace(fields[2])
	at, sub := filepath.Join(dir, "shmbenchstress"), path+"/shmbenchstress"
	o := overlay.Options{Target: sub, Output: program, Add: map[string][]byte{}}
	imports, setup := "", ""
	if f.perturb {
		imports = fmt.Sprintf("\t%q\n", sub+"/twin")
		setup = "\ttwin.Before = func(twin.Access) { stress.Disturb() }\n"
		o.Replace = twin.Replaced(sub + "/twin")
		if o.Packages, err = disturbable(ctx, path); err != nil {
			return "", firstLine(err)
		}
		for _, file := range []string{"twin.go", "functions.go"} {
			if o.Add[filepath.Join(at, "twin", file)], err = twin.Source.ReadFile(file); err != nil {
				return "", err
			}
		}
	}
	o.Add[filepath.Join(at, "main.go")] = fmt.Appendf(nil,
		"package main\n\nimport (\n\tp %q\n%s\t\"shmbench/stress\"\n)\n\nfunc main() {\n%s\tstress.Main(p.%s)\n}\n", path, imports, setup, f.constructor)
	if race.Enabled {
		o.Flags = []string{"-race"}
	}
	err = overlay.Build(ctx, o)
	switch {
	case err == nil || errors.Is(err, overlay.ErrNoGo):
		return name + "." + f.constructor, err
	case strings.Contains(err.Error(), "shmbench/stress"):
		return "", errors.New("its module must be a checkout of shmbench, or one that requires shmbench: see examples/ownlock")
	}
	return "", firstLine(err)
}

// disturbable returns the packages that a lock is made of, less the standard
// library and the contract.
func disturbable(ctx context.Context, path string) ([]string, error) {
	out, err := overlay.Go(ctx, "", "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", path)
	var packages []string
	for _, p := range strings.Fields(out) {
		if !slices.Contains([]string{"shmbench/shm", "shmbench/spin", "shmbench/register"}, p) {
			packages = append(packages, p)
		}
	}
	return packages, err
}

// firstLine is what a go command's messages begin with, less the line that
// names the package.
func firstLine(err error) error {
	for line := range strings.SplitSeq(err.Error(), "\n") {
		if !strings.HasSuffix(line, ":") && !strings.Contains(line, "failed: # ") {
			return errors.New(line)
		}
	}
	return err
}
