package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"shmbench/bench/benchfile"
	"shmbench/check"
	"shmbench/cmd/shmbench/artifact"
	"shmbench/internal/cli"
)

var artifactVerb = verb{
	Name:    "artifact",
	Summary: "write a folder for the reviewers of a paper on a lock: verdicts, measurements, tables, and how to rerun them",
	Example: "shmbench artifact ./mylock -against queue/mcs,baseline/mutex -o mylock-artifact\n" +
		"shmbench artifact queue/clh -against queue/mcs -o clh-artifact\n" +
		"shmbench artifact verify clh-artifact",
	Args:  "NAME | ./PACKAGE",
	About: readArgument,
	Setup: func(fs *flag.FlagSet) body {
		f := new(artifactFlags)
		fs.StringVar(&f.Against, "against", "queue/mcs,baseline/mutex", "the `names` of the locks of the catalog that the lock is compared with, with commas between them")
		fs.Var(&f.procs, "procs", "check the locks for these numbers of processes, a `list` (default 2,3)")
		cli.Between(fs, "procs", 1, check.MaxProcs, "the number of processes")
		fs.StringVar(&f.dir, "o", "", "the `folder` to write; what is there already is not done again")
		cli.WritesFolder(fs, "o")
		return f.run
	},
}

// artifactFlags are the flags as given.
type artifactFlags struct {
	artifactCommand
	procs cli.IntList
	dir   string
}

func (f *artifactFlags) run(ctx context.Context, e env, args []string) error {
	if err := first(f.named(args), f.valid()); err != nil {
		return err
	}
	if f.procs == nil {
		f.procs = cli.IntList{2, 3}
	}
	f.Procs, f.Version = f.procs.String(), cli.Version()
	sources, err := f.sources(ctx, f.dir)
	if err != nil {
		return err
	}
	if err := f.settle(sources); err != nil {
		return err
	}
	data := filepath.Join(f.dir, "data")
	if err := makeParts(ctx, e, f.parts(data), data); err != nil {
		return err
	}
	in, err := f.read(ctx, data)
	if err != nil {
		return err
	}
	if err := artifact.Write(f.dir, in); err != nil {
		return err
	}
	var open error
	if results, err := benchfile.Open(ctx, filepath.Join(data, "run.txt"), nil); err == nil {
		open = unfinished(results)
	}
	return f.conclude(e, artifact.StateOf(in.Claims), open)
}

// conclude says what the artifact is worth. open is what is missing in its measurement.
func (f *artifactFlags) conclude(e env, state artifact.State, open error) error {
	readme := filepath.Join(f.dir, "README.md")
	switch state {
	case artifact.Wrong:
		fmt.Fprintf(e.Stdout, "%s: the lock fails its check, as %s says\n", f.dir, readme)
		return errViolated
	case artifact.Open:
		return cutShort("%s is complete, and something is undecided, as %s says", f.dir, readme)
	}
	fmt.Fprintf(e.Stdout, "%s: %s says how to rerun everything\n", f.dir, readme)
	return open
}

// named takes the lock from the argument.
func (f *artifactFlags) named(args []string) error {
	if len(args) != 1 {
		return errors.New("give the one name of a lock, or the path of its package")
	}
	if f.Lock = args[0]; !cli.IsPackage(f.Lock) {
		_, err := locks().Get(f.Lock)
		return err
	}
	p, err := cli.ParsePackage(f.Lock)
	f.Lock = p.String()
	return err
}

// valid refuses flags that name no folder or no lock, and leaves the lock out of those that it is compared with.
func (f *artifactFlags) valid() error {
	switch _, err := os.Stat(filepath.Dir(f.dir)); {
	case f.dir == "":
		return errors.New("say with -o what folder to write")
	case f.dir == "-":
		return errors.New("-o -: name a folder, which has many files")
	case err != nil:
		return fmt.Errorf("-o %s: there is no folder %s: make it first", f.dir, filepath.Dir(f.dir))
	}
	for _, name := range f.against() {
		if _, err := locks().Get(name); err != nil {
			return fmt.Errorf("-against %w", err)
		}
	}
	if others := slices.DeleteFunc(f.against(), func(name string) bool { return name == f.Lock }); len(others) > 0 {
		f.Against = strings.Join(others, ",")
		return nil
	}
	return fmt.Errorf("-against %s: name another lock than the one that the artifact is of", f.Against)
}

// settle makes the folder, or refuses one that was begun with another command, program or source.
func (f *artifactFlags) settle(sources map[string][]byte) error {
	switch was, err := readCommand(f.dir); {
	case errors.Is(err, os.ErrNotExist):
		if err := os.MkdirAll(filepath.Join(f.dir, "data"), 0o777); err != nil {
			return err
		}
		if err := f.write(f.dir); err != nil {
			return err
		}
		return artifact.WriteSources(f.dir, sources)
	case err != nil:
		return fmt.Errorf("-o %s: %w", f.dir, err)
	case was.Version != f.Version:
		return fmt.Errorf("-o %s was begun by %s, and this is %s: name another folder, or remove it first", f.dir, was.Version, f.Version)
	case *was != f.artifactCommand:
		return fmt.Errorf("-o %s has the artifact of another command: name another folder, or remove it first", f.dir)
	}
	if says := artifact.Changed(f.dir, sources); says != "" {
		return fmt.Errorf("-o %s: the sources of the lock have changed since the artifact was begun (%s): name another folder, or remove it first", f.dir, says)
	}
	return nil
}
