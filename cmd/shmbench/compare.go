package main

import (
	"context"
	"flag"
	"fmt"
	"strings"

	"shmbench/bench/benchfile"
	"shmbench/internal/cli"
	"shmbench/internal/cli/tty"
	"shmbench/report/compare"
)

var compareVerb = verb{
	Name:    "compare",
	Summary: "compare result files: differences, intervals and p-values",
	Args:    "FILE FILE...",
	Example: "shmbench compare old.txt new.txt\n" +
		"shmbench compare last\n" +
		"shmbench compare -unit ns/op,p99-ns -fail-over 5% old.txt new.txt\n" +
		"last is the latest result of shmbench run without -o; alone, it is compared with the one before",
	Setup: func(fs *flag.FlagSet) body {
		c := comparison{fs: fs}
		fs.StringVar(&c.units, "unit", "", "units to compare, as a `list` (default ns/op, and mean-ns of open loops)")
		fs.Var(&c.limit, "fail-over", "exit with status 1 if a figure is significantly worse than in the first file by more than this `percentage`")
		jsonFlag(fs, &c.json)
		return c.run
	},
}

// comparison is one use of the verb.
type comparison struct {
	fs    *flag.FlagSet
	units string
	limit cli.Percentage
	json  bool
}

func (c *comparison) run(ctx context.Context, e env, paths []string) error {
	files, err := c.read(ctx, e, paths)
	if err != nil {
		return err
	}
	var chosen []string
	if c.units != "" {
		chosen = strings.Split(c.units, ",")
	}
	report, err := compare.Files(files, chosen)
	if err != nil && chosen != nil && len(files) > 1 {
		err = cli.Of(c.fs, "unit", err)
	}
	open := unfinished(files...)
	if err != nil {
		if open != nil {
			err = cutShort("%v; %v", err, open)
		}
		return err
	}
	if c.json {
		err = writeJSON(e.Stdout, "compare", open == nil, report)
	} else {
		err = report.WriteText(e.Stdout)
	}
	return first(err, c.regressed(e, report), open, c.undecided(report))
}

// read reads the files of results.
func (c *comparison) read(ctx context.Context, e env, paths []string) (files []*benchfile.File, err error) {
	if paths, err = toCompare(paths); err != nil {
		return nil, err
	}
	bar := tty.NewProgress(e.Stderr, 0)
	defer bar.Clear()
	for _, path := range paths {
		f, err := benchfile.Open(ctx, path, func(done, of int64) { bar.Of(int(done>>20), int(of>>20), "MB of "+printable(path)) })
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	return files, nil
}

// regressed is errViolated if something is worse by more than -fail-over allows.
func (c *comparison) regressed(e env, report *compare.Report) error {
	if !c.limit.Given {
		return nil
	}
	worse := report.Regressions(c.limit.Part)
	for _, name := range worse {
		fmt.Fprintf(e.Stderr, "worse by more than %s: %s\n", &c.limit, printable(name))
	}
	if len(worse) > 0 {
		return errViolated
	}
	return nil
}

// undecided says what -fail-over cannot judge.
func (c *comparison) undecided(report *compare.Report) error {
	if open := report.Undecided(); c.limit.Given && len(open) > 0 {
		return cutShort("not decided, as they are missing from a file or have too few samples: %s", strings.Join(open, ", "))
	}
	return nil
}
