package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"

	"shmbench/report"
)

var reportVerb = verb{
	Name:    "report",
	Summary: "make one page, to look at, of results, cards, verdicts and predictions",
	Args:    "FILE...",
	Example: "shmbench report -o report.html results\n" +
		"shmbench report -o report.html results/*/run.txt cards.json verdicts.json\n" +
		"with shmbench list -json >cards.json and shmbench check -json >verdicts.json",
	Setup: func(fs *flag.FlagSet) body {
		path := fs.String("o", "", "write the page to this `file`")
		var asJSON bool
		jsonFlag(fs, &asJSON)
		return func(ctx context.Context, e env, paths []string) error {
			if *path == "" {
				return errors.New("say with -o what file to write the page to")
			}
			in, err := report.Read(ctx, paths)
			if err != nil {
				return err
			}
			if err := writeFile(*path, nil, in.Write); err != nil {
				return err
			}
			for _, m := range in.Missing {
				fmt.Fprintf(e.Stderr, "shmbench report: %s: %s\n", printable(m.File), printable(m.What))
			}
			if asJSON {
				return writeJSON(e.Stdout, "report", len(in.Missing) == 0, in)
			}
			info, err := os.Stat(*path)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(e.Stdout, "%s: %d files of results, %d cards, %d verdicts, %.1f MB\n",
				*path, len(in.Runs), len(in.Cards), len(in.Checks)+len(in.Stresses)+len(in.Mutants), float64(info.Size())/1e6)
			return err
		}
	},
}
