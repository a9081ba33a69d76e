package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"strconv"
	"strings"

	"shmbench/internal/benchfile"
	"shmbench/internal/cli"
	"shmbench/internal/tty"
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
		units := fs.String("unit", "", "units to compare, as a `list` (default ns/op, and mean-ns of open loops)")
		var limit percentage
		fs.Var(&limit, "fail-over", "exit with status 1 if something is significantly worse than in the first file by more than this `percentage`")
		var asJSON bool
		jsonFlag(fs, &asJSON)
		return func(ctx context.Context, e env, paths []string) error {
			paths, err := toCompare(paths)
			if err != nil {
				return err
			}
			bar := tty.NewProgress(e.Stderr, 0)
			defer bar.Clear()
			var files []*benchfile.File
			for _, path := range paths {
				f, err := benchfile.Open(ctx, path, func(done, of int64) { bar.Of(int(done>>20), int(of>>20), "MB of "+printable(path)) })
				if err != nil {
					return err
				}
				files = append(files, f)
			}
			bar.Clear()
			var chosen []string
			if given(fs, "unit") {
				chosen = strings.Split(*units, ",")
			}
			report, err := compare.Files(files, chosen)
			if err != nil && chosen != nil && len(files) > 1 {
				err = cli.Of(fs, "unit", err)
			}
			if err != nil {
				return err
			}
			if asJSON {
				err = writeJSON(e.Stdout, "compare", true, report)
			} else {
				err = report.WriteText(e.Stdout)
			}
			if !limit.given {
				return err
			}
			if err != nil {
				return err
			}
			worse := report.Regressions(limit.part)
			for _, name := range worse {
				fmt.Fprintf(e.Stderr, "worse by more than %s: %s\n", &limit, printable(name))
			}
			if len(worse) > 0 {
				return errViolated
			}
			if open := report.Undecided(); len(open) > 0 {
				return cutShort("not decided, as they are missing from a file or have too few samples: %s", strings.Join(open, ", "))
			}
			return nil
		}
	},
}

// percentage is the flag value of a part of a hundred: "5%" is 0.05.
type percentage struct {
	part  float64
	given bool
}

func (p *percentage) Set(s string) error {
	v, err := strconv.ParseFloat(strings.TrimSuffix(s, "%"), 64)
	if err != nil || !strings.HasSuffix(s, "%") || !(v >= 0 && v <= 1e6) {
		return errors.New("a percentage is like 5%, and not negative")
	}
	*p = percentage{v / 100, true}
	return nil
}

func (p *percentage) String() string {
	if !p.given {
		return ""
	}
	return strconv.FormatFloat(100*p.part, 'g', -1, 64) + "%"
}
