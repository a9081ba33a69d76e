package check

import (
	"context"
	"errors"

	"shmbench/check/internal/source"
	"shmbench/internal/build/edit"
	"shmbench/shm"
)

// Source is a Go package that has been read.
type Source struct{ pkg *source.Package }

// Open reads the Go package pkg as seen from the directory dir, and the packages that it
// imports. If dir is "", Open reads a package of this module from the sources of the
// locks. Open finds these sources in a checkout or in the copy inside the program. It
// then reads every other package from the current directory. It needs the go command.
func Open(ctx context.Context, dir, pkg string) (*Source, error) {
	p, err := source.Open(ctx, dir, pkg)
	return &Source{p}, err
}

// OpenFor reads the package pkg of this module as Open does, for a check of these algorithms
// of its function All. If possible, it reads only the families of locks that they need.
func OpenFor(ctx context.Context, pkg string, algorithms []shm.Algorithm) (*Source, error) {
	p, err := source.OpenFor(ctx, pkg, algorithms)
	return &Source{p}, err
}

// OpenEdited reads changed copies of locks. Algorithms checks them as the list "All".
func OpenEdited(ctx context.Context, program *edit.Program) (*Source, error) {
	p, err := source.OpenEdited(ctx, program)
	return &Source{p}, err
}

// Lock checks the lock that the function called constructor builds, and returns a report for
// each n. The function is a func(n int) T or func(n int) (T, error), where T has the methods
// Lock(int) and Unlock(int). It may have further parameters of the number types of package
// shm, such as Layout. They get their zero values, and the reports' Algorithm says so.
func (src *Source) Lock(ctx context.Context, constructor string, o Options) ([]*Report, error) {
	return check(ctx, src.pkg.Lock(constructor), o)
}

// Locks checks the locks of several constructors. It compiles one program for all, which is
// faster than as many calls of Lock. It stops at the first error, except at an internal error.
func (src *Source) Locks(ctx context.Context, constructors []string, o Options) ([]*Report, error) {
	all := src.pkg.Constructors(constructors)
	var reports []*Report
	var faults []error
	run := &runner{o: o}
	defer run.close()
	for _, constructor := range constructors {
		s := src.pkg.Lock(constructor)
		s.Target.Constructors = all
		of, err := run.check(ctx, s)
		reports = append(reports, of...)
		if InternalErrors(err) != nil {
			faults = append(faults, err)
		} else if err != nil {
			return reports, err
		}
	}
	return reports, errors.Join(faults...)
}

func check(ctx context.Context, s *source.Lock, o Options) ([]*Report, error) {
	run := &runner{o: o}
	defer run.close()
	return run.check(ctx, s)
}

// Algorithms checks algorithms against their specifications, several at the same time. The
// function called list returns a slice that contains the specifications, directly or inside
// other structs. With Options.Paths it takes them, as a [][]int.
func (src *Source) Algorithms(ctx context.Context, list string, algorithms []shm.Algorithm, o Options) ([]*Report, error) {
	return sideBySide(ctx, bySource(algorithms), o, func(ctx context.Context, run *runner, a shm.Algorithm) ([]*Report, error) {
		return run.check(ctx, src.pkg.Algorithm(list, a, o.Paths...))
	})
}

// Package opens a package and checks a lock of it.
func Package(ctx context.Context, pkg, constructor string, o Options) ([]*Report, error) {
	src, err := Open(ctx, "", pkg)
	if err != nil {
		return nil, err
	}
	return src.Lock(ctx, constructor, o)
}
