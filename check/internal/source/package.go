package source

import (
	"context"
	"slices"
	"strings"

	"shmbench/check/internal/interp"
	"shmbench/check/internal/load"
	"shmbench/check/internal/replay"
	"shmbench/internal/build/edit"
	"shmbench/internal/build/sources"
	"shmbench/shm"
)

// Package is a Go package that has been read.
type Package struct {
	Path   string // of its import
	Prog   *load.Program
	edited *edit.Program // that was read, or nil
}

// Open reads a Go package as seen from a directory, and the packages that it is made
// of. If dir is "", it is looked up as shmbench/internal/build/sources has it.
func Open(ctx context.Context, dir, pkg string) (*Package, error) {
	path := pkg
	if dir == "" {
		var err error
		if dir, path, err = sources.For(ctx, pkg); err != nil {
			return nil, err
		}
	}
	prog, err := load.Load(ctx, dir, path)
	return &Package{Path: pkg, Prog: prog}, err
}

// OpenFor reads a package whose function All lists these algorithms, and more.
// In a package of this module, OpenFor reads only the families of these algorithms, if the
// list can be taken apart.
func OpenFor(ctx context.Context, pkg string, algorithms []shm.Algorithm) (*Package, error) {
	folder, ok := strings.CutPrefix(pkg, sources.Module+"/")
	if !ok {
		return Open(ctx, "", pkg)
	}
	var families []string
	for _, a := range algorithms {
		family, _, _ := strings.Cut(a.Name, "/")
		families = append(families, family)
	}
	tree, err := edit.Open(ctx)
	if err != nil {
		return nil, err
	}
	part, err := tree.Part(folder, families)
	if err != nil {
		return nil, err
	}
	if part == nil {
		return Open(ctx, "", pkg)
	}
	return OpenEdited(ctx, part)
}

// OpenEdited reads changed copies of locks, which are the list "All" of the package.
func OpenEdited(ctx context.Context, p *edit.Program) (*Package, error) {
	prog, err := load.Edited(ctx, p)
	return &Package{p.Path, prog, p}, err
}

// Lock returns the lock that a function of the package builds, with the zero values of what
// the function takes besides the number of processes.
func (p *Package) Lock(constructor string) *Lock {
	name := p.Prog.Main.Pkg.Name() + "/" + constructor
	if fn := p.Prog.Main.Func(constructor); fn != nil {
		if further, _ := interp.Further(fn.Signature); len(further) > 0 {
			name += "(n"
			for _, t := range further {
				name += ", shm." + t.Obj().Name() + "(0)"
			}
			name += ")"
		}
	}
	return &Lock{Name: name, Prog: p.Prog,
		Origin: Origin{Package: p.Path, Constructor: constructor},
		Target: replay.Target{Prog: p.Prog, Constructors: p.Constructors([]string{constructor})},
		Find:   func(m *interp.Machine) (*interp.Closure, error) { return m.Constructor(constructor) }}
}

// Constructors says how the functions of these names are called.
func (p *Package) Constructors(names []string) (all []replay.Constructor) {
	for _, name := range slices.Compact(slices.Sorted(slices.Values(names))) {
		c := replay.Constructor{Name: name}
		if fn := p.Prog.Main.Func(name); fn != nil {
			c.Fails = fn.Signature.Results().Len() == 2
			further, _ := interp.Further(fn.Signature)
			c.Further = len(further)
		}
		all = append(all, c)
	}
	return all
}

// Algorithm returns the lock of a specification in a list of the package. The paths are
// what the list takes, if it takes any.
func (p *Package) Algorithm(list string, a shm.Algorithm, paths ...[]int) *Lock {
	return &Lock{Name: a.Name, Prog: p.Prog, Spec: &a,
		Origin: p.origin(list, a.Name, paths),
		Target: replay.Target{Prog: p.Prog, List: list, Paths: paths},
		Find:   func(m *interp.Machine) (*interp.Closure, error) { return m.Spec(list, a.Name, paths...) }}
}

// origin says where a lock of a list is found again. The package of a changed lock is in
// no folder, so its edits are needed to make it again.
func (p *Package) origin(list, name string, paths [][]int) Origin {
	o := Origin{Package: p.Path, List: list, Paths: paths, Algorithm: name}
	if p.edited == nil {
		return o
	}
	if p.edited.PartOf != "" {
		o.Package = p.edited.PartOf
		return o
	}
	if i := slices.IndexFunc(p.edited.Locks, func(l edit.Lock) bool { return l.As == name }); i >= 0 {
		o.Edited = &p.edited.Locks[i]
		return o
	}
	o.Package, o.List = p.edited.Also, "Specs"
	return o
}
