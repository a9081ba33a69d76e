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
	"shmbench/internal/cli"
	"shmbench/internal/cli/tty"
	"shmbench/predict"
	"shmbench/predict/lockhammer"
)

var predictFitVerb = verb{
	Name:    "predict fit",
	Summary: "fit the model of a machine to measured points, and print it",
	Args:    "FILE [HOST]",
	Example: "shmbench predict fit points.tsv -topology sockets=2,cores=22,threads=2 >machine.json\n" +
		"shmbench predict fit run.txt -topology cores=8,threads=2 -order cores-first >machine.json\n" +
		"with FILE a table with the columns host lock cs_ns ncs_ns threads ns, or what shmbench run -o wrote",
	Setup: func(fs *flag.FlagSet) body {
		f := hostFlags{fs: fs}
		f.declare()
		return func(ctx context.Context, e env, args []string) error { return f.fit(ctx, e, args) }
	},
}

var predictValidateVerb = verb{
	Name:    "predict validate",
	Summary: "fit a machine to two programs, predict the others and print the errors",
	Args:    "FILE [HOST]",
	Example: "shmbench predict validate points.tsv -topology cores=24,threads=2 -family intel",
	Setup: func(fs *flag.FlagSet) body {
		f := hostFlags{fs: fs}
		f.declare()
		var asJSON bool
		jsonFlag(fs, &asJSON)
		return func(ctx context.Context, e env, args []string) error { return f.validate(ctx, e, args, asJSON) }
	},
}

// hostFlags are the flags and arguments about measured points and the host that they are of.
type hostFlags struct {
	fs                      *flag.FlagSet
	file, host              string
	topology, order, family string
}

func (f *hostFlags) declare() {
	f.fs.StringVar(&f.topology, "topology", "", "the host's `levels` from the outside in, as in sockets=1,dies=4,complexes=2,cores=4,threads=2")
	f.fs.StringVar(&f.order, "order", predict.SMTFirst, "the hardware threads in the `order` in which they got threads: smt-first, cores-first, or all numbers, counted from the outside in")
	f.fs.StringVar(&f.family, "family", "", "the `family` of processors, which says how long a pause is: "+strings.Join(predict.FamilyNames(), ", "))
	cli.OneOf(f.fs, "family", "the family of processors", predict.FamilyNames()...)
}

// read reads the arguments, and reports whether the file is one of "shmbench run".
func (f *hostFlags) read(args []string) (run bool, err error) {
	switch len(args) {
	case 1:
	case 2:
		f.host = args[1]
	default:
		return false, errors.New("give one file of points, and the name of one of its hosts if it has several")
	}
	f.file = args[0]
	if err := cli.Readable(f.file); err != nil {
		return false, fmt.Errorf("%s: %w", f.file, err)
	}
	if f.topology == "" {
		return false, errors.New("-topology: it must be the host's, as in -topology sockets=2,cores=22,threads=2")
	}
	if run, err = isRun(f.file); run && f.host != "" {
		err = fmt.Errorf("%s: %s has the results of one machine", f.host, f.file)
	}
	return run, err
}

// machine is that of the host, without figures.
func (f *hostFlags) machine(host string) (*predict.Machine, error) {
	m, err := predict.New(host, f.topology, f.order, f.family)
	if err != nil && strings.HasPrefix(err.Error(), "order") {
		return nil, cli.Of(f.fs, "order", err)
	}
	if err != nil {
		err = errors.New(strings.TrimPrefix(err.Error(), fmt.Sprintf("topology %q: ", f.topology)))
	}
	return m, cli.Of(f.fs, "topology", err)
}

// fit fits a machine and prints it.
func (f *hostFlags) fit(ctx context.Context, e env, args []string) error {
	run, err := f.read(args)
	if err != nil {
		return err
	}
	var fitted *predict.Machine
	var residuals []predict.Residual
	var open error
	if run {
		file, err := openResults(ctx, e.Stderr, f.file)
		if err != nil {
			return err
		}
		open = unfinished(file)
		fitted, residuals, err = f.toRun(ctx, e, file)
		if err != nil {
			return err
		}
	} else {
		o := lockhammer.Defaults
		o.Any = true
		fitted, residuals, _, err = f.toPoints(ctx, e, o)
	}
	if err != nil {
		return err
	}
	return first(writeMachine(e, fitted, residuals), open)
}

// toRun fits a machine to results of "shmbench run".
func (f *hostFlags) toRun(ctx context.Context, e env, file *benchfile.File) (*predict.Machine, []predict.Residual, error) {
	m, err := f.machine(strings.TrimSuffix(filepath.Base(f.file), filepath.Ext(f.file)))
	if err != nil {
		return nil, nil, err
	}
	progress := tty.NewProgress(e.Stderr, 1)
	defer progress.Clear()
	fitted, residuals, err := fitRun(ctx, m, file, progress.Of)
	return f.fitted(ctx, fitted, residuals, err)
}

// toPoints fits a machine to the points of a table.
func (f *hostFlags) toPoints(ctx context.Context, e env, o lockhammer.Options) (*predict.Machine, []predict.Residual, []lockhammer.Point, error) {
	points, err := f.points()
	if err != nil {
		return nil, nil, nil, err
	}
	m, err := f.machine(points[0].Host)
	if err != nil {
		return nil, nil, nil, err
	}
	beyond := 0
	for _, p := range points {
		if p.Threads > m.Processors() {
			beyond++
		}
	}
	if beyond > 0 {
		fmt.Fprintf(e.Stderr, "%d points have more threads than the %d processors of %s, and are left out\n", beyond, m.Processors(), f.topology)
	}
	progress := tty.NewProgress(e.Stderr, 1)
	defer progress.Clear()
	o.Tell = progress.Of
	fitted, residuals, err := lockhammer.Host(ctx, m, points, o)
	fitted, residuals, err = f.fitted(ctx, fitted, residuals, err)
	return fitted, residuals, points, err
}

// fitted completes a fit: the machine names the file.
func (f *hostFlags) fitted(ctx context.Context, m *predict.Machine, residuals []predict.Residual, err error) (*predict.Machine, []predict.Residual, error) {
	if ctx.Err() != nil {
		return nil, nil, interrupted(ctx, "the fit had not ended")
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", f.file, err)
	}
	m.Source = strings.TrimPrefix(m.Source+"; points: "+filepath.Base(f.file), "; ")
	return m, residuals, nil
}

// validate fits to two programs, and prints the errors of the others.
func (f *hostFlags) validate(ctx context.Context, e env, args []string, asJSON bool) error {
	run, err := f.read(args)
	if err == nil && run {
		err = fmt.Errorf("%s: these are results of shmbench run, and not points of the two programs that it fits to; predict fit takes them, and compare compares predictions with them", f.file)
	}
	if err != nil {
		return err
	}
	o := lockhammer.Defaults
	fitted, residuals, points, err := f.toPoints(ctx, e, o)
	if err != nil {
		return err
	}
	progress := tty.NewProgress(e.Stderr, 1)
	defer progress.Clear()
	o.Tell = progress.Of
	report, err := lockhammer.Validate(ctx, fitted, points, o)
	if ctx.Err() != nil {
		return interrupted(ctx, "not all points were predicted")
	}
	if err != nil {
		return err
	}
	progress.Clear()
	report.Residuals = residuals
	if asJSON {
		err = writeJSON(e.Stdout, "predict", true, report)
	} else {
		err = report.WriteText(e.Stdout)
	}
	if err == nil && report.Missed() {
		err = errViolated
	}
	return err
}

// points reads those of the host.
func (f *hostFlags) points() ([]lockhammer.Point, error) {
	file, err := os.Open(f.file)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	points, err := lockhammer.ReadPoints(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.file, err)
	}
	hosts := lockhammer.Hosts(points)
	if f.host == "" && len(hosts) > 1 {
		return nil, fmt.Errorf("%s has points of %s: name one after the file", f.file, strings.Join(hosts, ", "))
	}
	if f.host != "" && !slices.Contains(hosts, f.host) {
		return nil, fmt.Errorf("%s: %s has points of %s", f.host, f.file, strings.Join(hosts, ", "))
	}
	return slices.DeleteFunc(points, func(p lockhammer.Point) bool { return f.host != "" && p.Host != f.host }), nil
}
