package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"shmbench/bench"
	"shmbench/internal/affinity"
	"shmbench/internal/cli"
	"shmbench/internal/topo"
	"shmbench/internal/tty"
	"shmbench/predict"
	"shmbench/predict/lockhammer"
)

// machineFlags are the flags of the verb that make a machine, or compare one with
// measurements, instead of predicting.
type machineFlags struct {
	fit, validate   string
	host            string
	topology, order string
	family          string
	measure         bool
}

func (f *machineFlags) declare(fs *flag.FlagSet) {
	fs.StringVar(&f.fit, "fit", "", "fit a machine to the measured points of this `file`, a table with the columns host lock cs_ns ncs_ns threads ns or what run -o wrote, and write it to -o")
	fs.StringVar(&f.validate, "validate", "", "fit to two programs of this `file` of points, predict all others and print the errors")
	fs.BoolVar(&f.measure, "measure", false, "measure the machine at hand and write its file to -o")
	fs.StringVar(&f.host, "host", "", "with -fit or -validate: the `host` whose points count, if the file has several")
	fs.StringVar(&f.topology, "topology", "", "with -fit or -validate: the host's `levels` from the outside in, as in sockets=1,dies=4,complexes=2,cores=4,threads=2")
	fs.StringVar(&f.order, "order", predict.SMTFirst, "with -fit or -validate: the hardware threads in the `order` in which they got threads: smt-first, cores-first, or all numbers, counted from the outside in")
	fs.StringVar(&f.family, "family", "", "with -fit or -validate: the `family` of processors, which says how long a pause is: "+strings.Join(predict.FamilyNames(), ", "))
	cli.OneOf(fs, "family", "the family of processors", predict.FamilyNames()...)
}

// wanted reports whether a machine is made or judged.
func (f *machineFlags) wanted() bool { return f.fit != "" || f.validate != "" || f.measure }

// check refuses flags that could change nothing.
func (f *machineFlags) check(fs *flag.FlagSet) error {
	switch {
	case f.measure:
		return only(fs, "-measure measures the machine at hand, and nothing else", "measure", "o")
	case f.fit != "":
		return only(fs, "-fit fits a machine, and does nothing else", "fit", "o", "host", "topology", "order", "family", "seed")
	}
	return only(fs, "-validate prints the errors of a fitted machine, and does nothing else", "validate", "json", "host", "topology", "order", "family", "seed")
}

func (f *machineFlags) run(ctx context.Context, e env, fs *flag.FlagSet, seed uint64, out string, asJSON bool) error {
	if err := f.check(fs); err != nil {
		return err
	}
	if f.measure {
		m, err := measured(ctx)
		if err != nil {
			return err
		}
		if out != "" { // as a preset is named
			m.Name = strings.TrimSuffix(filepath.Base(out), ".json")
		}
		return writeMachine(e, m, nil, out)
	}
	if f.topology == "" {
		return errors.New("-topology: -fit and -validate need the host's, as in -topology sockets=2,cores=22,threads=2")
	}
	name := f.fit + f.validate
	run, err := isRun(name)
	switch {
	case err != nil:
		return err
	case run && f.validate != "":
		return fmt.Errorf("-validate %s: these are results of shmbench run, and not points of the two programs that it fits to; -fit takes them, and compare compares predictions with them", name)
	case run && f.host != "":
		return fmt.Errorf("-host %s: %s has the results of one machine", f.host, name)
	}
	var points []lockhammer.Point
	host := strings.TrimSuffix(filepath.Base(name), filepath.Ext(name))
	if !run {
		if points, err = f.points(name); err != nil {
			return err
		}
		host = points[0].Host
	}
	m, err := predict.New(host, f.topology, f.order, f.family)
	if err != nil && strings.HasPrefix(err.Error(), "order") {
		return cli.Of(fs, "order", err)
	}
	if err != nil {
		return cli.Of(fs, "topology", err)
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
	o := lockhammer.Defaults
	o.Seed, o.Any = seed, f.fit != ""
	progress := tty.NewProgress(e.Stderr, 1)
	defer func() { progress.Clear() }()
	o.Tell = progress.Of
	var fitted *predict.Machine
	var residuals []predict.Residual
	if run {
		fitted, residuals, err = f.fitRun(ctx, m, name, seed, o.Tell)
	} else {
		fitted, residuals, err = lockhammer.Host(ctx, m, points, o)
	}
	progress.Clear()
	if ctx.Err() != nil {
		return interrupted(ctx, "the fit had not ended")
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	fitted.Source = strings.TrimPrefix(fitted.Source+"; points: "+filepath.Base(name), "; ")
	if f.fit != "" {
		return writeMachine(e, fitted, residuals, out)
	}
	progress = tty.NewProgress(e.Stderr, 1)
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
		err = writeJSON(e.Stdout, fs.Name(), true, report)
	} else {
		err = report.WriteText(e.Stdout)
	}
	if err == nil && report.Missed() {
		err = errViolated
	}
	return err
}

// points reads those of the host.
func (f *machineFlags) points(name string) ([]lockhammer.Point, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	points, err := lockhammer.ReadPoints(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	hosts := lockhammer.Hosts(points)
	if f.host == "" && len(hosts) > 1 {
		return nil, fmt.Errorf("%s has points of %s: -host says whose count", name, strings.Join(hosts, ", "))
	}
	if f.host != "" && !slices.Contains(hosts, f.host) {
		return nil, fmt.Errorf("-host %s: %s has points of %s", f.host, name, strings.Join(hosts, ", "))
	}
	return slices.DeleteFunc(points, func(p lockhammer.Point) bool { return f.host != "" && p.Host != f.host }), nil
}

// writeMachine writes a machine's file, and tells of it.
func writeMachine(e env, m *predict.Machine, residuals []predict.Residual, out string) error {
	if err := m.Validate(); err != nil {
		return err
	}
	if out == "" {
		return m.Write(e.Stdout)
	}
	file, err := os.Create(out)
	if err != nil {
		return err
	}
	if err := first(m.Write(file), file.Close()); err != nil {
		return err
	}
	if _, err := fmt.Fprintf(e.Stdout, "a model of %s: %s\n", m.Name, m.Fit); err != nil {
		return err
	}
	if err := m.WriteParameters(e.Stdout); err != nil || residuals == nil {
		return err
	}
	return predict.WriteResiduals(e.Stdout, residuals)
}

// measured makes a machine of the one at hand, from bench's own measurements.
func measured(ctx context.Context) (*predict.Machine, error) {
	places, err := affinity.Places(affinity.ByThread)
	if err != nil || len(places) == 0 {
		places = make([]affinity.Place, runtime.NumCPU())
		for i := range places {
			places[i] = affinity.Place{CPU: i, Core: i}
		}
	}
	m, err := predict.New("here", levelsOf(places), predict.CoresFirst, "")
	if err != nil {
		return nil, err
	}
	costs := map[string]float64{}
	for _, c := range bench.Machine(ctx) {
		costs[c.Op] = c.NS
	}
	if ctx.Err() != nil {
		return nil, interrupted(ctx, "the machine was not measured")
	}
	m.Measured(predict.Costs{RMW: costs["swap-uint32"], Load: costs["load-uint32"], Release: costs["release-uint32"], Pause: costs["spin-pause"], Answer: costs[bench.Transfer]})
	for _, pair := range topo.Describe() {
		if pair.Key == "cpu" {
			m.Source = "shmbench predict -measure on " + pair.Value
		}
	}
	return m, nil
}

// levelsOf returns the topology of processors, by thread; where packages or cores
// differ in size, all that is said is how many processors there are.
func levelsOf(places []affinity.Place) string {
	packages, cores := map[int]int{}, map[[2]int]int{}
	for _, p := range places {
		packages[p.Package]++
		cores[[2]int{p.Package, p.Core}]++
	}
	each := len(places) / len(packages)
	threads := len(places) / len(cores)
	for _, n := range packages {
		if n != each {
			threads = 0
		}
	}
	for _, n := range cores {
		if n != threads {
			threads = 0
		}
	}
	if threads == 0 {
		return fmt.Sprintf("cores=%d", len(places))
	}
	return fmt.Sprintf("sockets=%d,cores=%d,threads=%d", len(packages), each/threads, threads)
}
