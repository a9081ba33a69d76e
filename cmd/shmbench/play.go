package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"strings"

	"shmbench/catalog"
	"shmbench/catalog/mutants"
	"shmbench/check/play"
	"shmbench/internal/build/edit"
	"shmbench/internal/cli"
	"shmbench/shm"
)

var playVerb = verb{
	Name:    "play",
	Summary: "write a page on which you step each process of a lock by hand",
	Example: "shmbench play bakery/lamport -o play.html\nshmbench play peterson/peterson -edit 'delete 3' -o play.html\nshmbench play ./mylock -o play.html\nshmbench play mutants/mcs-never-locked -o play.html\nshmbench play knownbroken/hyman -o play.html\nshmbench play -course -o course.html",
	Rules: []cli.Rule{
		{Flag: "course", Why: "the course has its own locks", Only: []string{"o"}},
	},
	Args:  lockOrPackage,
	About: readArgument + "\nmutants/NAME is one of the broken locks of shmbench list -mutants,\nand knownbroken/NAME one of shmbench list -known-broken.",
	Setup: func(fs *flag.FlagSet) body {
		p := new(playFlags)
		fs.Var(collected(p.addEdit), "edit", "play a copy of the lock with this `change` of its source, such as 'delete 4'; may be repeated")
		fs.IntVar(&p.n, "procs", 2, "number of processes")
		cli.Between(fs, "procs", 1, play.MostProcs, "the number of processes")
		fs.BoolVar(&p.course, "course", false, "write the twelve exercises of the course")
		fs.StringVar(&p.out, "o", "", "write the page to this `file`, which ends with .html (default: standard output)")
		cli.Ending(fs, "o", pageEnding)
		cli.Writes(fs, "o")
		return p.run
	},
}

type playFlags struct {
	name   string       // of the lock
	pkg    *cli.Package // of the user's lock; nil: another one
	out    string
	n      int
	edits  []edit.Edit
	course bool
}

// addEdit is the flag -edit.
func (p *playFlags) addEdit(text string) error {
	one, err := edit.Parse(text)
	p.edits = append(p.edits, one)
	return err
}

func (p *playFlags) run(ctx context.Context, e env, args []string) error {
	if err := p.named(args); err != nil {
		return err
	}
	var page *play.Page
	err := within(ctx, func() (err error) {
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

// named takes the lock from the argument.
func (p *playFlags) named(args []string) error {
	switch {
	case len(args) > 1:
		return fmt.Errorf("unexpected argument %q: a page plays one lock", args[1])
	case p.course && len(args) > 0:
		return fmt.Errorf("unexpected argument %q: the course has its own locks", args[0])
	case p.course:
		return nil
	case len(args) == 0:
		return errors.New("a page plays one lock: give its name, the path of its package, or -course")
	}
	p.name = args[0]
	family, _, _ := strings.Cut(p.name, "/")
	if len(p.edits) > 0 && (cli.IsPackage(p.name) || family == "mutants" || family == "knownbroken") {
		return fmt.Errorf("%s cannot be combined with -edit, which changes a lock of the catalog", p.name)
	}
	if !cli.IsPackage(p.name) {
		return nil
	}
	pkg, err := cli.ParsePackage(p.name)
	p.pkg = &pkg
	return err
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
	switch family, _, _ := strings.Cut(p.name, "/"); family {
	case "mutants":
		return p.mutant(ctx)
	case "knownbroken":
		l, err := knownBroken().Get(p.name)
		if err != nil {
			return nil, err
		}
		pkg, err := play.Open(ctx, "shmbench/catalog/knownbroken")
		return p.algorithm(ctx, pkg, l.Algorithm, err)
	}
	a, err := locks().Get(p.name)
	if err != nil {
		return nil, err
	}
	return edited(ctx, a, p.edits, p.n)
}

// mutant is the broken lock of mutants/ that is named.
func (p *playFlags) mutant(ctx context.Context) (*play.Lock, error) {
	m, err := brokenLocks().Get(p.name)
	if err != nil {
		return nil, err
	}
	program, err := mutants.Source(ctx, []mutants.Mutant{m})
	if err != nil {
		return nil, err
	}
	pkg, err := play.OpenEdited(ctx, program)
	return p.algorithm(ctx, pkg, m.Algorithm, err)
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
	program, copied, err := editedProgram(ctx, a, edits)
	if err != nil {
		return nil, err
	}
	pkg, err := play.OpenEdited(ctx, program)
	if err != nil {
		return nil, err
	}
	lock, err := pkg.Algorithm(ctx, copied, n)
	if err != nil {
		return nil, err
	}
	lock.Document.Lock = a.Name
	for _, one := range edits {
		lock.Document.Edits = append(lock.Document.Edits, one.String())
	}
	return lock, nil
}
