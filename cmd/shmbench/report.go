package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"

	"shmbench/internal/plot"
	"shmbench/report"
)

var reportVerb = verb{
	Name:    "report",
	Summary: "make one page, to look at, of results, cards, verdicts and predictions",
	Args:    "FILE...",
	Example: "shmbench report -o report.html results\n" +
		"shmbench report -o report.html results/*/run.txt cards.json verdicts.json\n" +
		"shmbench report -charts docs/charts -alg '^(queue/mcs|tas/tas)$' results/amd-epyc-2\n" +
		"with shmbench list -json >cards.json and shmbench check -json >verdicts.json",
	Setup: func(fs *flag.FlagSet) body {
		path := fs.String("o", "", "write the page to this `file`")
		charts := fs.String("charts", "", "write three charts as SVG files to this `folder` instead: cost, latency and waiting, of the first machine")
		alg := fs.String("alg", "", "with -charts: only the locks whose names match this `regexp`")
		var asJSON bool
		jsonFlag(fs, &asJSON)
		return func(ctx context.Context, e env, paths []string) error {
			switch {
			case *charts != "" && (*path != "" || asJSON):
				return errors.New("-charts goes without -o and -json")
			case *charts == "" && *alg != "":
				return errors.New("-alg goes with -charts")
			case *charts == "" && *path == "":
				return errors.New("say with -o what file to write the page to")
			}
			wanted, err := regexp.Compile(*alg)
			if err != nil {
				return fmt.Errorf("-alg: %w", err)
			}
			in, err := report.Read(ctx, paths)
			if err != nil {
				return err
			}
			if *charts != "" {
				return writeCharts(*charts, in.Charts(wanted))
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

// writeCharts writes each chart to a file of its name.
func writeCharts(dir string, charts map[string]plot.Figure) error {
	if len(charts) == 0 {
		return errors.New("there is nothing measured to draw")
	}
	for name, f := range charts {
		if err := writeFile(filepath.Join(dir, name+".svg"), nil, f.WriteSVG); err != nil {
			return err
		}
	}
	return nil
}
