package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"strings"

	"shmbench/catalog"
	"shmbench/check/play"
	"shmbench/internal/cli"
	"shmbench/internal/edit"
	"shmbench/mutants"
	"shmbench/shm"
)

var playVerb = verb{
	Name:    "play",
	Summary: "write a page on which you step each process of a lock by hand",
	Example: "shmbench play bakery/lamport -o play.html\nshmbench play peterson/peterson -edit 'delete 3' -o play.html\nshmbench play ./mylock -o play.html\nshmbench play -known-broken -alg hyman -o play.html\nshmbench play -course -o course.html",
	Rules: []cli.Rule{
		{Flag: "edit", Without: []string{"mutants", "known-broken"}},
		{Flag: "mutants", Without: []string{"known-broken"}},
		{Flag: "course", Why: "the course has its own locks", Only: []string{"o"}},
	},
	Renamed: goneForPackage("play", nil),
	Args:    lockOrPackage,
	About:   readArgument,
	Stands:  "alg",
	Setup: func(fs *flag.FlagSet) body {
		p := &playFlags{fs: fs}
		p.selection.declareAlg(fs, "one lock")
		fs.BoolVar(&p.knownBroken, "known-broken", false, "play a published lock that is wrong instead")
		fs.BoolVar(&p.mutants, "mutants", false, "play a broken lock of mutants/ instead")
		fs.Var(collected(p.addEdit), "edit", "play a copy of the lock with this `change` of its source, such as 'delete 4'; may be repeated")
		fs.IntVar(&p.n, "procs", 2, "number of processes")
		cli.Between(fs, "procs", 1, play.MostProcs, "the number of processes")
		fs.BoolVar(&p.course, "course", false, "write the twelve exercises of the course")
		fs.StringVar(&p.out, "o", "", "write the page to this `file` (default: standard output)")
		cli.Writes(fs, "o")
		return p.run
	},
}

type playFlags struct {
	fs                           *flag.FlagSet
	selection                    selection
	n                            int
	pkg                          *cli.Package // of the user's lock; nil: a lock of the catalog
	out                          string
	edits                        []edit.Edit
	knownBroken, mutants, course bool
}

// addEdit is the flag -edit.
func (p *playFlags) addEdit(text string) error {
	one, err := edit.Parse(text)
	p.edits = append(p.edits, one)
	return err
}

func (p *playFlags) run(ctx context.Context, e env, args []string) (err error) {
	if p.pkg, err = packageOf(p.fs, args, "alg", "edit", "mutants", "known-broken", "course"); err != nil {
		return err
	}
	var page *play.Page
	err = within(ctx, func() (err error) {
		page, err = p.page(ctx)
		return err
	})
	if err != nil {
		return err
	}
	if p.out == "" {
		return page.Write(e.Stdout)
	}
	return cli.WritePage(e.Stderr, p.out, page.Write)
}

// page is the page that the flags ask for.
func (p *playFlags) page(ctx context.Context) (*play.Page, error) {
	if p.course {
		return coursePage(ctx)
	}
	lock, err := p.lock(ctx)
	if err != nil {
		return nil, err
	}
	d := lock.Document
	return &play.Page{Title: fmt.Sprintf("%s, %d processes", d.Lock, d.N), Documents: []*play.Document{d}}, nil
}

// lock is the one lock that is named.
func (p *playFlags) lock(ctx context.Context) (*play.Lock, error) {
	if p.pkg != nil {
		pkg, err := play.Open(ctx, p.pkg.Path)
		if err != nil {
			return nil, p.pkg.Of(err)
		}
		return pkg.Constructor(ctx, p.pkg.Constructor, p.n)
	}
	if !p.selection.given() {
		return nil, errors.New("a page plays one lock: give its name, the path of its package, or -course")
	}
	switch {
	case p.mutants:
		all, err := brokenLocks().Match(p.selection.alg)
		m, err := one(p, all, err)
		if err != nil {
			return nil, err
		}
		program, err := mutants.Source(ctx, []mutants.Mutant{m})
		if err != nil {
			return nil, err
		}
		pkg, err := play.OpenEdited(ctx, program)
		return p.algorithm(ctx, pkg, m.Algorithm, err)
	case p.knownBroken:
		all, err := knownBroken().Match(p.selection.alg)
		l, err := one(p, all, err)
		if err != nil {
			return nil, err
		}
		pkg, err := play.Open(ctx, "shmbench/knownbroken")
		return p.algorithm(ctx, pkg, l.Algorithm, err)
	}
	all, err := p.selection.locks()
	a, err := one(p, all, err)
	if err != nil {
		return nil, err
	}
	return edited(ctx, a, p.edits, p.n)
}

// algorithm is an algorithm of a package that was opened.
func (p *playFlags) algorithm(ctx context.Context, pkg *play.Package, a shm.Algorithm, err error) (*play.Lock, error) {
	if err == nil {
		err = shm.CheckProcs(a.Name, p.n, a.MinProcs, min(a.MaxProcs, play.MostProcs))
	}
	if err != nil {
		return nil, err
	}
	return pkg.Algorithm(ctx, a, p.n)
}

// one is the one of those that -alg matches.
func one[T any](p *playFlags, all []T, err error) (found T, _ error) {
	if err == nil && len(all) != 1 {
		err = fmt.Errorf("a page plays one lock, and -alg %s matches %d: give the whole name of one", p.selection.alg, len(all))
	}
	if err != nil {
		return found, err
	}
	return all[0], nil
}

// edited is a lock of the catalog with edits, or as it is.
func edited(ctx context.Context, a shm.Algorithm, edits []edit.Edit, n int) (*play.Lock, error) {
	if err := shm.CheckProcs(a.Name, n, a.MinProcs, min(a.MaxProcs, play.MostProcs)); err != nil {
		return nil, err
	}
	if len(edits) == 0 {
		pkg, err := play.OpenFor(ctx, catalog.Path, []shm.Algorithm{a})
		if err != nil {
			return nil, err
		}
		return pkg.Algorithm(ctx, a, n)
	}
	tree, err := edit.Open(ctx)
	if err != nil {
		return nil, err
	}
	as := "edited/" + strings.ReplaceAll(a.Name, "/", "-")
	program, err := tree.Program("mutants/edited", []edit.Lock{mutants.Copy(a, as, edits)}, "")
	if err != nil {
		return nil, err
	}
	pkg, err := play.OpenEdited(ctx, program)
	if err != nil {
		return nil, err
	}
	name := a.Name
	a.Name, a.Invariants = as, nil
	lock, err := pkg.Algorithm(ctx, a, n)
	if err != nil {
		return nil, err
	}
	lock.Document.Lock = name
	for _, one := range edits {
		lock.Document.Edits = append(lock.Document.Edits, one.String())
	}
	return lock, nil
}
