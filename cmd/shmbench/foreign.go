package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"shmbench/internal/gocmd"
	"shmbench/internal/guest"
	"shmbench/internal/overlay"
	"shmbench/internal/twin"
)

// foreignProgram is a program that is built for the lock of a package that is not in
// the catalog.
type foreignProgram struct {
	pkg, constructor string
	// main is the package whose function Main is given the lock.
	main string
	// replace, if it is not nil, says what the twin is put in the place of, and hooks
	// sets its hooks; in it the packages are called twin and driver.
	replace func(path string) map[string]string
	hooks   string
	race    bool // run it under the race detector
}

// build builds the program and returns the lock's name, mylock/New for the function New
// of package mylock. The folder temp is for the files that the
// go command needs while the program is built.
func (f foreignProgram) build(ctx context.Context, temp, program string) (name string, err error) {
	p, err := guest.Find(ctx, f.pkg, temp)
	if err != nil {
		return "", err
	}
	const folder = "shmbenchmain"
	at, sub := filepath.Join(p.Dir, folder), p.Path+"/"+folder
	o := overlay.Options{Place: p.Place, Target: sub, Output: program, Add: map[string][]byte{}}
	imports := ""
	if f.replace != nil {
		imports = fmt.Sprintf("\t%q\n", sub+"/twin")
		o.Replace = f.replace(sub + "/twin")
		if o.Packages, err = ofLock(ctx, p); err != nil {
			return "", err
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
		"package main\n\nimport (\n\tp %q\n%s\tdriver %q\n)\n\nfunc main() {\n\t%s\n\tdriver.Main(p.%s)\n}\n", p.Path, imports, f.main, f.hooks, f.constructor)
	o.Flags = raceFlags(f.race)
	err = gocmd.OneLine(overlay.Build(ctx, o))
	if err != nil && strings.HasSuffix(err.Error(), "undefined: p."+f.constructor) {
		err = fmt.Errorf("package %s has no %s: -new must name the specification, or the function that builds the lock", p.Path, f.constructor)
	}
	return p.Name + "/" + f.constructor, err
}

// ofLock returns the packages that a lock is made of, less the standard library and
// the contract.
func ofLock(ctx context.Context, p *guest.Package) ([]string, error) {
	out, _, err := p.Place.Run(ctx, "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", p.Path)
	contract := []string{"shmbench/shm", "shmbench/spin", "shmbench/register"}
	return slices.DeleteFunc(strings.Fields(out), func(path string) bool { return slices.Contains(contract, path) }), gocmd.OneLine(err)
}
