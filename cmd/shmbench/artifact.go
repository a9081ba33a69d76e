package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"shmbench/bench"
	"shmbench/check"
	"shmbench/internal/artifact"
	"shmbench/internal/benchfile"
	"shmbench/internal/cli"
	"shmbench/shm"
)

var artifactVerb = verb{
	Name:    "artifact",
	Summary: "write a folder for the reviewers of a paper on a lock: verdicts, measurements, tables, and how to rerun them",
	Example: "shmbench artifact -pkg ./mylock -against queue/mcs,baseline/mutex -o mylock-artifact\n" +
		"shmbench artifact -alg queue/clh -against queue/mcs -o clh-artifact\n" +
		"shmbench artifact -verify clh-artifact",
	Rules: []cli.Rule{
		{Flag: "new", With: "pkg"},
		{Flag: "pkg", Without: []string{"alg"}},
		{Flag: "verify", Without: []string{"o", "alg", "pkg", "new", "against"}},
	},
	Setup: func(fs *flag.FlagSet) body {
		f := &artifactFlags{fs: fs}
		fs.StringVar(&f.Alg, "alg", "", "the `name` of the lock of the catalog")
		fs.StringVar(&f.Pkg, "pkg", "", "the `path` of the Go package of the lock, instead of -alg")
		fs.StringVar(&f.New, "new", "New", "with -pkg: the `function` that builds the lock, func(n int) T or (T, error)")
		fs.StringVar(&f.Against, "against", "queue/mcs,baseline/mutex", "the `names` of the locks of the catalog that the lock is compared with, with commas between them")
		fs.StringVar(&f.dir, "o", "", "the `folder` to write; what is there already is not done again")
		fs.StringVar(&f.verify, "verify", "", "rerun everything in this `folder`, and compare")
		cli.WritesFolder(fs, "o")
		return f.run
	},
}

// artifactFlags are the flags as given. What is exported is kept in the folder.
type artifactFlags struct {
	fs                     *flag.FlagSet
	Alg, Pkg, New, Against string
	dir, verify            string
}

// artifactParts are what is run, with the file of each.
func (f *artifactFlags) parts() []part {
	against := exactly(strings.Split(f.Against, ","))
	checked := []string{"-json"}
	for _, bound := range check.Witnesses {
		checked = append(checked, "-witness", bound)
	}
	lock, measured := []string{"-alg", exactly([]string{f.Alg})}, []string{"-alg", exactly(append(strings.Split(f.Against, ","), f.Alg))}
	predicted := [][]string{measured}
	if f.Pkg != "" {
		lock = []string{"-pkg", f.Pkg, "-new", f.New}
		measured = append([]string{"-alg", against}, lock...)
		predicted = [][]string{{"-alg", against}, lock}
	}
	procs := "1,2"
	if cores := runtime.NumCPU(); cores > 2 {
		procs += fmt.Sprint(",", cores)
	}
	parts := []part{
		{"check", "proofs, counterexamples and witnesses", 90 * time.Second, checkVerb, append(append(checked, "-max-states", "3000000"), lock...), "check.json", ""},
		{"run", "measurements", 60 * time.Second, runVerb, append(measured, "-procs", procs), "run.txt", "o"},
	}
	for i, of := range predicted {
		parts = append(parts, part{"predict", "predictions of a model", 30 * time.Second, predictVerb, append(of, "-procs", "1,4,16,64"), []string{"predict.txt", "predict-lock.txt"}[i], "o"})
	}
	return parts
}

func (f *artifactFlags) run(ctx context.Context, e env, _ []string) error {
	if f.verify != "" {
		return f.verified(ctx, e)
	}
	if err := f.valid(); err != nil {
		return err
	}
	data := filepath.Join(f.dir, "data")
	if err := f.settle(data); err != nil {
		return err
	}
	if err := f.make(ctx, e, data); err != nil {
		return err
	}
	failed, err := f.finish(ctx)
	switch {
	case err != nil:
		return err
	case failed == artifact.Wrong:
		fmt.Fprintf(e.Stdout, "%s: the lock fails its check, as %s says\n", f.dir, filepath.Join(f.dir, "README.md"))
		return errViolated
	case failed == artifact.Open:
		return cutShort("%s is complete, and something is undecided", f.dir)
	}
	fmt.Fprintf(e.Stdout, "%s: %s says how to rerun everything\n", f.dir, filepath.Join(f.dir, "README.md"))
	return nil
}

func (f *artifactFlags) valid() error {
	switch _, err := os.Stat(filepath.Dir(f.dir)); {
	case f.dir == "":
		return errors.New("say with -o what folder to write")
	case f.dir == "-":
		return errors.New("-o -: name a folder, which has many files")
	case err != nil:
		return fmt.Errorf("-o %s: there is no folder %s: make it first", f.dir, filepath.Dir(f.dir))
	case f.Alg == "" && f.Pkg == "":
		return errors.New("name the lock with -alg or -pkg")
	}
	for _, name := range strings.Split(f.Against, ",") {
		if _, err := locks().Get(name); err != nil {
			return fmt.Errorf("-against %s: there is no algorithm of this name; %s", name, locks().Instead(name))
		}
	}
	if f.Alg != "" {
		if _, err := locks().Get(f.Alg); err != nil {
			return fmt.Errorf("-alg %s: there is no algorithm of this name; %s", f.Alg, locks().Instead(f.Alg))
		}
	}
	return nil
}

// settle makes the folder, or refuses one that is of another lock.
func (f *artifactFlags) settle(data string) error {
	if err := os.MkdirAll(data, 0o777); err != nil {
		return err
	}
	file := filepath.Join(f.dir, "command.json")
	if text, err := os.ReadFile(file); err == nil {
		var was artifactFlags
		if json.Unmarshal(text, &was) != nil || was.Alg != f.Alg || was.Pkg != f.Pkg || was.New != f.New || was.Against != f.Against {
			return fmt.Errorf("-o %s has the artifact of another command: name another folder, or remove it first", f.dir)
		}
		return nil
	}
	text, err := json.MarshalIndent(f, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(file, append(text, '\n'), 0o666)
}

// make runs the parts that are not there yet. A file is there under its name only when it is
// complete.
func (f *artifactFlags) make(ctx context.Context, e env, data string) error {
	parts := f.parts()
	left := time.Duration(0)
	for _, p := range parts {
		left += p.takes
	}
	for i, p := range parts {
		file := filepath.Join(data, p.file)
		left -= p.takes
		if _, err := os.Stat(file); err == nil {
			fmt.Fprintf(e.Stderr, "%d of %d, %s: done before\n", i+1, len(parts), p.about)
			continue
		}
		fmt.Fprintf(e.Stderr, "%d of %d, %s; about %s left\n", i+1, len(parts), p.about, left+p.takes)
		if err := makePart(ctx, e, p, file); err != nil {
			return err
		}
	}
	return nil
}

// makePart runs a part into a file beside its own, and renames it when it is complete.
func makePart(ctx context.Context, e env, p part, file string) error {
	unfinished := filepath.Join(filepath.Dir(file), "unfinished-"+p.file)
	os.Remove(unfinished)
	words := append([]string{}, p.args...)
	if p.flag != "" {
		words = append(words, "-"+p.flag, unfinished)
	}
	var printed bytes.Buffer
	shmbench := cli.Program{Name: "shmbench", Grace: grace}
	code := shmbench.RunVerb(ctx, p.verb, env{Stdout: &printed, Stderr: e.Stderr}, words)
	if ctx.Err() != nil {
		return interrupted(ctx, "what is done is kept, and the same command continues")
	}
	if p.flag == "" && printed.Len() > 0 {
		if err := os.WriteFile(unfinished, printed.Bytes(), 0o666); err != nil {
			return err
		}
	}
	if _, err := os.Stat(unfinished); err != nil {
		fmt.Fprintf(e.Stderr, "shmbench %s has made no file, and ended with status %d\n", p.verb.Name, code)
		return nil // a lock that fails can stop its measurement, and still gets its verdicts
	}
	return os.Rename(unfinished, file)
}

// finish writes what is made of the data.
func (f *artifactFlags) finish(ctx context.Context) (artifact.State, error) {
	in, err := f.read(ctx, filepath.Join(f.dir, "data"))
	if err != nil {
		return 0, err
	}
	in.Sources, err = f.sources(ctx)
	if err != nil {
		return 0, err
	}
	cited := append(strings.Split(f.Against, ","), f.Alg)
	for _, name := range cited {
		if a, err := locks().Get(name); err == nil && a.Source != (shm.Source{}) {
			in.Cited = append(in.Cited, a.Source)
		}
	}
	return artifact.Write(f.dir, in)
}

// read reads the data of a folder.
func (f *artifactFlags) read(ctx context.Context, data string) (artifact.Input, error) {
	var in artifact.Input
	text, err := os.ReadFile(filepath.Join(data, "check.json"))
	if err != nil {
		return in, err
	}
	if in.Claims, err = artifact.ReadClaims(text); err != nil {
		return in, err
	}
	in.Lock = f.Alg
	if f.Pkg != "" && len(in.Claims) > 0 {
		in.Lock = fmt.Sprint(in.Claims[0]["algorithm"])
	}
	results, err := benchfile.Open(ctx, filepath.Join(data, "run.txt"), nil)
	if err == nil {
		in.Costs = artifact.Costs(results.Results)
	} else if !errors.Is(err, os.ErrNotExist) {
		return in, err
	}
	if own := ownName(in.Costs, strings.Split(f.Against, ",")); f.Pkg != "" && own != "" {
		in.Lock = own
	}
	in.Command = f.command("-o", "DIR")
	return in, nil
}

// ownName is the lock of the results that is not compared with.
func ownName(costs []artifact.Cost, against []string) string {
	for _, c := range costs {
		if !slices.Contains(against, c.Lock) && !bench.IsNull(c.Lock) {
			return c.Lock
		}
	}
	return ""
}

// command is the command line of the artifact.
func (f *artifactFlags) command(more ...string) string {
	words := []string{"shmbench", "artifact"}
	if f.Pkg != "" {
		words = append(words, "-pkg", f.Pkg, "-new", f.New)
	} else {
		words = append(words, "-alg", f.Alg)
	}
	return strings.Join(append(append(words, "-against", f.Against), more...), " ")
}
