package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"shmbench/internal/overlay"
	"shmbench/internal/race"
	"shmbench/internal/twin"
)

// foreignProgram is a program that is built for the lock of a package that is not in
// the catalogue.
type foreignProgram struct {
	pkg, constructor string
	// main is the package whose function Main is given the lock.
	main string
	// replace, if it is not nil, says what the twin is put in the place of, and hooks
	// sets its hooks; in it the packages are called twin and driver.
	replace func(path string) map[string]string
	hooks   string
}

// build builds the program and returns the lock's name.
func (f foreignProgram) build(ctx context.Context, program string) (name string, err error) {
	listed, err := overlay.Go(ctx, "", "list", "-f", "{{.ImportPath}}\n{{.Name}}\n{{.Dir}}", f.pkg)
	if err != nil {
		return "", firstLine(err)
	}
	fields := strings.Split(strings.TrimSpace(listed), "\n")
	if len(fields) != 3 {
		return "", errors.New("it must be one package")
	}
	path, name, dir := fields[0], fields[1], strings.TrimSpace(fields[2])
	const folder = "shmbenchmain"
	at, sub := filepath.Join(dir, folder), path+"/"+folder
	o := overlay.Options{Target: sub, Output: program, Add: map[string][]byte{}}
	imports := ""
	if f.replace != nil {
		imports = fmt.Sprintf("\t%q\n", sub+"/twin")
		o.Replace = f.replace(sub + "/twin")
		if o.Packages, err = ofLock(ctx, path); err != nil {
			return "", firstLine(err)
		}
		files, err := twin.Source.ReadDir(".")
		if err != nil {
			return "", err
		}
		for _, file := range files {
			if o.Add[filepath.Join(at, "twin", file.Name())], err = twin.Source.ReadFile(file.Name()); err != nil {
				return "", err
			}
		}
	}
	o.Add[filepath.Join(at, "main.go")] = fmt.Appendf(nil,
		"package main\n\nimport (\n\tp %q\n%s\tdriver %q\n)\n\nfunc main() {\n\t%s\n\tdriver.Main(p.%s)\n}\n", path, imports, f.main, f.hooks, f.constructor)
	if race.Enabled {
		o.Flags = []string{"-race"}
	}
	err = overlay.Build(ctx, o)
	switch {
	case err == nil || errors.Is(err, overlay.ErrNoGo):
		return name + "." + f.constructor, err
	case strings.Contains(err.Error(), f.main):
		return "", errors.New("its module must be a checkout of shmbench, or one that requires shmbench: see examples/ownlock")
	}
	return "", firstLine(err)
}

// ofLock returns the packages that a lock is made of, less the standard library and
// the contract.
func ofLock(ctx context.Context, path string) ([]string, error) {
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
