package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"shmbench/catalog"
	"shmbench/internal/cli"
	"shmbench/report"
)

var reportVerb = verb{
	Name:    "report",
	Summary: "build one HTML page from results, specifications, verdicts and predictions",
	Args:    "FILE...",
	Example: "shmbench report -o report.html results\n" +
		"shmbench report -o report.html results/*/run.txt verdicts.json\n" +
		"shmbench report -o report.html results/*/run.txt course.html\n" +
		"shmbench report last\n" +
		"shmbench report -o docs/charts/ -alg '^(queue/mcs|tas/tas)$' results/amd-epyc-2\n" +
		"with shmbench check -json >verdicts.json and shmbench play -course -o course.html; last is the latest result of shmbench run without -o",
	Setup: setupReport,
}

// reportFlags are the flags of the verb.
type reportFlags struct {
	path, alg string
	asJSON    bool
	fs        *flag.FlagSet
}

func setupReport(fs *flag.FlagSet) body {
	f := &reportFlags{fs: fs}
	fs.StringVar(&f.path, "o", "report.html", "write the page to this `file`; or, to a folder, whose name then ends with a slash, three charts of the first machine as SVG files: cost, latency and waiting")
	fs.StringVar(&f.alg, "alg", "", "with -o FOLDER/: only these `locks`: the name of a lock or of a family, or else a regular expression")
	jsonFlag(fs, &f.asJSON)
	cli.WritesFileOrFolder(fs, cli.Page, "o")
	return f.run
}

func (f *reportFlags) run(ctx context.Context, e env, paths []string) error {
	charts := cli.IsFolder(f.path)
	switch {
	case charts && f.asJSON:
		return fmt.Errorf("-o %s writes charts, and cannot be combined with -json", f.path)
	case !charts && f.alg != "":
		return inapplicable(f.fs, "it chooses the locks of the charts that -o FOLDER/ writes", "alg")
	}
	paths, err := withLast(paths)
	if err != nil {
		return err
	}
	if err := f.apart(paths); err != nil {
		return err
	}
	in, err := report.Read(ctx, paths)
	if err != nil {
		return err
	}
	for _, m := range in.Missing {
		fmt.Fprintf(e.Stderr, "shmbench report: %s: %s\n", printable(m.File), printable(m.What))
	}
	know(in)
	if charts {
		return first(f.writeCharts(e.Stderr, in), missing(in))
	}
	in.Dir = filepath.Dir(f.path)
	if err := writeFile(f.path, nil, in.Write); err != nil {
		return err
	}
	if f.asJSON {
		return first(writeJSON(e.Stdout, "report", in.Complete(), struct {
			Recommendations []report.Recommendation `json:"recommendations,omitempty"`
			*report.Input
		}{in.Recommendations(), in}), missing(in))
	}
	writeRecommendations(e.Stdout, in.Recommendations())
	info, err := os.Stat(f.path)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(e.Stdout, "%s: files of results: %d; specifications: %d; verdicts: %d; %.1f MB\n",
		f.path, len(in.Runs), len(in.Specs), len(in.Checks)+len(in.Stresses)+len(in.Mutants), float64(info.Size())/1e6)
	return first(err, missing(in))
}

// missing ends a report that does not have everything of its files; nil: it has.
func missing(in *report.Input) error {
	if in.Complete() {
		return nil
	}
	return cutShort("the page does not have everything of these files")
}

// know gives a page the specifications of this program's locks, so that no user has to
// name a file of them. What a file says about a lock comes first.
func know(in *report.Input) { in.Know(listed(catalog.All())) }

// apart refuses a page among the files that are read, now or the next time.
func (f *reportFlags) apart(paths []string) error {
	files, err := report.Files(paths)
	if err != nil {
		return err
	}
	for _, file := range files {
		if err := cli.NotWritten(f.fs, file); err != nil {
			return err
		}
	}
	for _, path := range paths {
		if info, err := os.Stat(path); err == nil && info.IsDir() && report.IsData(f.path) && inside(path, f.path) {
			return fmt.Errorf("-o %s: the command reads the .txt and .json files in %s: name the page .html", f.path, path)
		}
	}
	return nil
}

// inside reports whether a file, which need not be there, is in a folder at any depth.
func inside(folder, file string) bool {
	folder, err := real(folder)
	dir, err2 := real(filepath.Dir(file))
	if err != nil || err2 != nil {
		return false
	}
	way, err := filepath.Rel(folder, dir)
	return err == nil && way != ".." && !strings.HasPrefix(way, ".."+string(filepath.Separator))
}

// real returns the absolute name of a folder, without symbolic links.
func real(folder string) (string, error) {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(folder)
}

// writeCharts writes each chart to a file of its name in the folder.
func (f *reportFlags) writeCharts(stderr io.Writer, in *report.Input) error {
	all := in.Measured()
	if len(all) == 0 {
		return errors.New("there is nothing measured to draw")
	}
	measured := cli.Named[string]{Kind: "measured lock", All: all, Name: func(name string) string { return name }, VariantOf: func(string) string { return "" }, List: fmt.Sprintf("there are %s and others", all[0])}
	names, err := selected(selection{alg: f.alg}, measured)
	if err != nil {
		return err
	}
	charts := in.Charts(regexp.MustCompile(exactly(names)))
	if len(charts) == 0 {
		return fmt.Errorf("-alg %s: the first machine has no results of these locks", f.alg)
	}
	if err := os.MkdirAll(f.path, 0o777); err != nil {
		return err
	}
	for _, name := range []string{"cost", "latency", "waiting"} {
		chart, ok := charts[name]
		if !ok {
			fmt.Fprintf(stderr, "shmbench report: no chart %s: it was not measured\n", name)
			continue
		}
		if err := writeFile(filepath.Join(f.path, name+".svg"), nil, chart.WriteSVG); err != nil {
			return err
		}
	}
	return nil
}
