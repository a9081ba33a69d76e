package check

import (
	"context"
	"errors"
	"slices"
	"strings"

	"shmbench/check/internal/interp"
	"shmbench/check/internal/load"
	"shmbench/check/internal/replay"
	"shmbench/internal/edit"
	"shmbench/internal/sources"
	"shmbench/shm"
)

// Source is a Go package that has been read.
type Source struct {
	pkg    string
	prog   *load.Program
	edited *edit.Program // that was read, or nil
}

// Open reads the Go package pkg as seen from the directory dir, and the packages that
// it is made of. If dir is "", Open looks a package of this module up where the sources
// of the locks are, which is a checkout or a copy that the program carries, and every
// other package from the current directory. It needs the go command.
func Open(ctx context.Context, dir, pkg string) (*Source, error) {
	if dir == "" {
		var err error
		if dir, err = sources.For(ctx, pkg); err != nil {
			return nil, err
		}
	}
	prog, err := load.Load(ctx, dir, pkg)
	return &Source{pkg: pkg, prog: prog}, err
}

// OpenEdited reads changed copies of locks. Algorithms checks them as the list "All".
func OpenEdited(ctx context.Context, p *edit.Program) (*Source, error) {
	prog, err := load.Edited(ctx, p)
	return &Source{p.Path, prog, p}, err
}

// Lock checks the lock that the function called constructor builds, with one
// report for each n. The function is a func(n int) T or func(n int) (T, error),
// where T has the methods Lock(int) and Unlock(int). It may take more, of the
// number types of package shm such as Layout; it gets their zero values, and
// the reports' Algorithm says so.
func (src *Source) Lock(ctx context.Context, constructor string, o Options) ([]*Report, error) {
	return check(ctx, src.lock(constructor), o)
}

// Locks checks the locks of several constructors. It compiles one program for
// all, which is quicker than as many calls of Lock. It ends at the first error, unless
// that is internal: then the other locks are checked all the same.
func (src *Source) Locks(ctx context.Context, constructors []string, o Options) ([]*Report, error) {
	all := src.constructors(constructors)
	var reports []*Report
	var faults []error
	run := &runner{o: o}
	defer run.close()
	for _, constructor := range constructors {
		s := src.lock(constructor)
		s.target.Constructors = all
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

func check(ctx context.Context, s *lock, o Options) ([]*Report, error) {
	run := &runner{o: o}
	defer run.close()
	return run.check(ctx, s)
}

func (src *Source) lock(constructor string) *lock {
	name := src.prog.Main.Pkg.Name() + "." + constructor
	if fn := src.prog.Main.Func(constructor); fn != nil {
		if further, _ := interp.Further(fn.Signature); len(further) > 0 {
			name += "(n"
			for _, t := range further {
				name += ", shm." + t.Obj().Name() + "(0)"
			}
			name += ")"
		}
	}
	return &lock{name: name, prog: src.prog,
		origin: Origin{Package: src.pkg, Constructor: constructor},
		target: replay.Target{Prog: src.prog, Constructors: src.constructors([]string{constructor})},
		find:   func(m *interp.Machine) (*interp.Closure, error) { return m.Constructor(constructor) }}
}

// constructors says how the functions of these names are called.
func (src *Source) constructors(names []string) (all []replay.Constructor) {
	for _, name := range slices.Compact(slices.Sorted(slices.Values(names))) {
		c := replay.Constructor{Name: name}
		if fn := src.prog.Main.Func(name); fn != nil {
			c.Fails = fn.Signature.Results().Len() == 2
			further, _ := interp.Further(fn.Signature)
			c.Further = len(further)
		}
		all = append(all, c)
	}
	return all
}

// Algorithms checks algorithms against their cards, several side by side. The
// function called list returns a slice in which the cards are, by themselves or
// inside other structs. With Options.Paths it takes them, as a [][]int.
func (src *Source) Algorithms(ctx context.Context, list string, algorithms []shm.Algorithm, o Options) ([]*Report, error) {
	return sideBySide(ctx, bySource(algorithms), o, func(ctx context.Context, run *runner, a shm.Algorithm) ([]*Report, error) {
		return run.check(ctx, src.algorithm(list, a, o.Paths...))
	})
}

func (src *Source) algorithm(list string, a shm.Algorithm, paths ...[]int) *lock {
	return &lock{name: a.Name, prog: src.prog, card: &a,
		origin: src.origin(list, a.Name, paths),
		target: replay.Target{Prog: src.prog, List: list, Paths: paths},
		find:   func(m *interp.Machine) (*interp.Closure, error) { return m.Card(list, a.Name, paths...) }}
}

// origin says where a lock of a list is found again. The package of a changed lock is in
// no folder, so its edits are needed to make it again.
func (src *Source) origin(list, name string, paths [][]int) Origin {
	o := Origin{Package: src.pkg, List: list, Paths: paths, Algorithm: name}
	if src.edited == nil {
		return o
	}
	if i := slices.IndexFunc(src.edited.Locks, func(l edit.Lock) bool { return l.As == name }); i >= 0 {
		o.Edited = &src.edited.Locks[i]
		return o
	}
	o.Package, o.List = src.edited.Also, "Cards"
	return o
}

// open reads the package of a lock, or makes it again from its edits.
func (o Origin) open(ctx context.Context) (*Source, error) {
	if o.Edited == nil {
		return Open(ctx, "", o.Package)
	}
	tree, err := edit.Open(ctx)
	if err != nil {
		return nil, err
	}
	program, err := tree.Program(strings.TrimPrefix(o.Package, sources.Module+"/"), []edit.Lock{*o.Edited}, "")
	if err != nil {
		return nil, err
	}
	return OpenEdited(ctx, program)
}

// Package opens a package and checks a lock of it.
func Package(ctx context.Context, pkg, constructor string, o Options) ([]*Report, error) {
	src, err := Open(ctx, "", pkg)
	if err != nil {
		return nil, err
	}
	return src.Lock(ctx, constructor, o)
}

// CataloguePath is the package of the catalogue.
const CataloguePath = "shmbench/catalog"

// Catalogue checks algorithms of this module's catalogue against their cards: of
// catalog.All, or of catalog.At with Options.Paths.
func Catalogue(ctx context.Context, algorithms []shm.Algorithm, o Options) ([]*Report, error) {
	src, err := Open(ctx, "", CataloguePath)
	if err != nil {
		return nil, err
	}
	list := "All"
	if len(o.Paths) > 0 {
		list = "At"
	}
	return src.Algorithms(ctx, list, algorithms, o)
}
