package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"shmbench/cmd/shmbench/guest"
	"shmbench/internal/build/foreign"
	"shmbench/internal/build/gocmd"
	"shmbench/internal/build/overlay"
	"shmbench/internal/build/scratch"
	"shmbench/internal/build/twin"
	"shmbench/internal/cli"
)

// What help says about the argument of a verb that takes a lock of the catalog or of a
// package: lockArgument of a verb that compiles the package, and readArgument of one that reads
// its source.
const (
	lockOrPackage = "[NAME | ./PACKAGE]"
	readArgument  = "NAME is a lock of the catalog. ./PACKAGE is the path of a Go package of your own: its function New\n" +
		"builds the lock, a func(n int) T or func(n int) (T, error) where T has the methods Lock(pid int) and\n" +
		"Unlock(pid int). ./PACKAGE:FUNC names another function."
	lockArgument = readArgument + " FUNC can also be the name of a specification,\na variable of type shm.Algorithm."
)

// packageOf returns the package that is the argument of a verb, nil if there is none.
func packageOf(args []string) (*cli.Package, error) {
	if len(args) == 0 {
		return nil, nil
	}
	if len(args) > 1 {
		return nil, fmt.Errorf("unexpected argument %q: give one package", args[1])
	}
	p, err := cli.ParsePackage(args[0])
	return &p, err
}

// foreignProgram is a program that is built for the lock of a package that is not in
// the catalog.
type foreignProgram struct {
	pkg cli.Package
	// main is the package whose function Main is given the lock.
	main string
	// replace, if it is not nil, says what the twin is put in the place of, and hooks
	// sets its hooks; in it the packages are called twin and driver.
	replace func(path string) map[string]string
	hooks   string
	race    bool // run it under the race detector
}

// temporary builds a program in a temporary folder, which remove removes. The function build gets
// the folder, and the name of the program in it.
func temporary(build func(dir, program string) error) (program string, remove func(), err error) {
	dir, remove, err := scratch.Folder("", "shmbench-program-")
	if err != nil {
		return "", nil, err
	}
	program = filepath.Join(dir, "program.exe")
	if err := build(dir, program); err != nil {
		remove()
		return "", nil, err
	}
	return program, remove, nil
}

// named builds the program in a temporary folder, and asks it for the name of the lock.
func (f foreignProgram) named(ctx context.Context) (program, name string, remove func(), err error) {
	program, remove, err = temporary(func(dir, program string) error {
		if name, err = f.build(ctx, dir, program); err == nil {
			name, err = foreign.NameIn(ctx, program, name)
		}
		return f.pkg.Of(err)
	})
	return program, name, remove, err
}

// build builds the program and returns the lock's name, mylock/New for the function New
// of package mylock. The folder temp is for the files that the
// go command needs while the program is built.
func (f foreignProgram) build(ctx context.Context, temp, program string) (name string, err error) {
	p, err := guest.Find(ctx, f.pkg.Path, temp)
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
		"package main\n\nimport (\n\tp %q\n%s\tdriver %q\n)\n\nfunc main() {\n\t%s\n\tdriver.Main(p.%s)\n}\n", p.Path, imports, f.main, f.hooks, f.pkg.Constructor)
	o.Flags = raceFlags(f.race)
	err = gocmd.OneLine(overlay.Build(ctx, o))
	if err != nil && strings.HasSuffix(err.Error(), "undefined: p."+f.pkg.Constructor) {
		err = fmt.Errorf("package %s has no %s: name its specification, or the function that builds the lock, as in %s:NewFast", p.Path, f.pkg.Constructor, f.pkg.Path)
	}
	return p.Name + "/" + f.pkg.Constructor, err
}

// ofLock returns the packages that a lock is made of, less the standard library and
// the contract.
func ofLock(ctx context.Context, p *guest.Package) ([]string, error) {
	out, _, err := p.Place.Run(ctx, "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", p.Path)
	contract := []string{"shmbench/shm", "shmbench/shm/spin", "shmbench/shm/register"}
	return slices.DeleteFunc(strings.Fields(out), func(path string) bool { return slices.Contains(contract, path) }), gocmd.OneLine(err)
}
