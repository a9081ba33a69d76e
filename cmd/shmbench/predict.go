package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"shmbench/bench"
	"shmbench/catalog"
	"shmbench/internal/benchfile"
	"shmbench/internal/cli"
	"shmbench/internal/foreign"
	"shmbench/internal/gocmd"
	"shmbench/internal/isolate"
	"shmbench/internal/overlay"
	"shmbench/internal/scratch"
	"shmbench/internal/sources"
	"shmbench/internal/topo"
	"shmbench/internal/tty"
	"shmbench/internal/twin"
	"shmbench/predict"
	"shmbench/predict/compiled"
	"shmbench/shm"
)

var predictVerb = verb{
	Name:    "predict",
	Summary: "predict what locks cost on a modelled machine",
	Stands:  "alg",
	Example: "shmbench predict -machine epyc-7742\n" +
		"shmbench predict -machine xeon-8275cl -alg '^queue/(mcs|ticket)$' -procs 8 -explain\n" +
		"shmbench predict -pkg ./mylock -procs 1,2,4,8,16,32,64\n" +
		"shmbench predict -fit points.tsv -topology sockets=2,cores=22,threads=2 -o machine.json",
	Setup: setupPredict,
}

// predictFlags are the flags of the verb.
type predictFlags struct {
	fs              *flag.FlagSet
	selection       selection
	pkg             string
	constructor     string
	machine         string
	procs           intList
	cs, ncs         time.Duration
	csLines         int
	rate            float64
	passages        int
	accesses        int64
	seed            uint64
	explain, asJSON bool
	out             string
	list            bool
	making          machineFlags
}

func setupPredict(fs *flag.FlagSet) body {
	f := &predictFlags{fs: fs}
	f.selection.declare(fs, "default some twenty: shmbench list -short")
	fs.StringVar(&f.pkg, "pkg", "", "the lock of the Go package at this `path` instead of the catalogue")
	fs.StringVar(&f.constructor, "new", "New", "with -pkg: the specification, or the `function` that builds the lock, func(n int) T or (T, error)")
	fs.StringVar(&f.machine, "machine", "epyc-7742", "the modelled machine: a preset (-machines lists them), or a `file`")
	fs.BoolVar(&f.list, "machines", false, "list the presets instead")
	fs.Var(&f.procs, "procs", "numbers of processes, as a `list` (default 1, 2, 4, 8, … 64 and all of the machine's processors, as far as it has so many)")
	procsLimit(fs)
	fs.DurationVar(&f.cs, "cs", 0, "`time` of work in the critical section")
	fs.DurationVar(&f.ncs, "ncs", 0, "`time` of work between critical sections")
	fs.IntVar(&f.csLines, "cs-lines", 0, "shared cache `lines` that a critical section writes")
	loadLimits(fs)
	fs.Float64Var(&f.rate, "rate", 0, "open loop: `arrivals` a second of each process (default 0, a closed loop)")
	cli.Between(fs, "rate", 0.0, bench.MaxRate, "the number of arrivals")
	fs.IntVar(&f.passages, "passages", 20, "`passages` of each process that count")
	cli.Between(fs, "passages", 1, 1_000_000, "the number of passages")
	fs.Int64Var(&f.accesses, "accesses", 1_000_000, "most accesses to shared memory of a point; one that ends there is marked")
	cli.AtLeast(fs, "accesses", int64(1000), "the number of accesses")
	seedFlag(fs, &f.seed)
	fs.BoolVar(&f.explain, "explain", false, "say which line of source moved which register's cache line, how often and how far")
	fs.StringVar(&f.out, "o", "", "write every point to this `file`, in the Go benchmark format, as soon as it is known")
	jsonFlag(fs, &f.asJSON)
	f.making.declare(fs)
	cli.Writes(fs, "o")
	cli.MayRead(fs, "machine")
	cli.Reads(fs, "fit", "validate")
	return f.run
}

func (f *predictFlags) run(ctx context.Context, e env, _ []string) error {
	if f.list {
		if err := only(f.fs, "-machines lists the presets, and predicts nothing", "machines"); err != nil {
			return err
		}
		return listMachines(e)
	}
	if f.making.wanted() {
		return f.making.run(ctx, e, f.fs, f.seed, f.out, f.asJSON)
	}
	if err := inapplicable(f.fs, "it goes with -fit or -validate", "host", "topology", "order", "family"); err != nil {
		return err
	}
	m, err := predict.Find(f.machine)
	if err != nil {
		return cli.Of(f.fs, "machine", err)
	}
	algorithms, err := f.check(m)
	if err != nil {
		return err
	}
	p := &prediction{machine: m, explain: f.explain, points: f.points(e, m, algorithms)}
	if f.out != "" {
		if p.file, err = benchfile.Create(f.out, f.config(m)); err != nil {
			return err
		}
	}
	err = f.work(ctx, e, p)
	if ctx.Err() != nil {
		err = nil // what is missing says so
	}
	if p.file != nil {
		err = first(err, p.file.End(p.missing()))
	}
	switch {
	case err != nil && p.done() == 0:
	case f.asJSON:
		err = first(err, p.writeJSON(e.Stdout))
	default:
		err = first(err, p.writeText(e.Stdout))
	}
	if err == nil && p.violated {
		return errViolated
	}
	if err == nil && p.missing() != "" {
		err = first(interrupted(ctx, "%s", p.missing()), cutShort("%s", p.missing()))
	}
	return err
}

// points are what is to be worked out.
func (f *predictFlags) points(e env, m *predict.Machine, algorithms []shm.Algorithm) (points []*point) {
	for _, n := range f.procs {
		var not []string
		for _, a := range algorithms {
			if n < a.MinProcs || n > a.MaxProcs {
				not = append(not, a.Name)
				continue
			}
			points = append(points, &point{trial: compiled.Trial{Lock: a.Name, Machine: m,
				Workload: compiled.Workload{Procs: n, CS: f.cs, NCS: f.ncs, Lines: f.csLines, Rate: f.rate},
				Options:  compiled.Options{Passages: f.passages, Accesses: f.accesses, Seed: f.seed, Explain: f.explain}}})
		}
		if not != nil {
			fmt.Fprintf(e.Stderr, "not for %d processes, and skipped there: %s\n", n, strings.Join(not, ", "))
		}
	}
	return points
}

// work builds the program that answers, and asks it.
func (f *predictFlags) work(ctx context.Context, e env, p *prediction) error {
	dir, remove, err := scratch.Folder("", "shmbench-predict-")
	if err != nil {
		return err
	}
	defer remove()
	program := filepath.Join(dir, "predict.exe")
	if f.pkg == "" {
		err = buildLocks(ctx, program)
	} else {
		var name string
		name, err = foreignProgram{pkg: f.pkg, constructor: f.constructor, main: "shmbench/predict/compiled", replace: twin.Waiting,
			hooks: "twin.Before = func(a twin.Access) { driver.Before(uint8(a.Op), a.Addr, a.Type) }; twin.Paused = driver.Paused"}.build(ctx, dir, program)
		if err == nil {
			name, err = foreign.NameIn(ctx, program, name)
		}
		if err != nil {
			err = fmt.Errorf("-pkg %s: %w", f.pkg, err)
		}
		for _, x := range p.points {
			x.trial.Lock = name
		}
	}
	if err != nil {
		return err
	}
	return p.run(ctx, e, program)
}

// buildLocks builds the program that has the locks of the catalogue.
func buildLocks(ctx context.Context, program string) error {
	if err := native(); err != nil {
		return err
	}
	tree, err := sources.Dir(ctx)
	if err != nil {
		return err
	}
	err = overlay.Build(ctx, overlay.Options{Place: gocmd.In(tree), Packages: catalog.Families(), Replace: twin.Waiting("shmbench/internal/twin"),
		Target: "shmbench/predict/compiled/locks", Output: program})
	return gocmd.OneLine(err)
}

// check refuses what makes no sense, completes what was not given, and returns the
// locks that are asked for.
func (f *predictFlags) check(m *predict.Machine) ([]shm.Algorithm, error) {
	given := map[string]bool{}
	f.fs.Visit(func(fl *flag.Flag) { given[fl.Name] = true })
	most := m.Processors()
	if f.procs == nil {
		for n := 1; n <= min(most, 64); n *= 2 {
			f.procs = append(f.procs, n)
		}
		if !slices.Contains(f.procs, most) {
			f.procs = append(f.procs, most)
		}
	}
	w := bench.Workload{Procs: 1, CS: f.cs, NCS: f.ncs, Lines: f.csLines, Rate: f.rate}
	switch {
	case f.procs[len(f.procs)-1] > most:
		return nil, fmt.Errorf("-procs %v: %s has %d processors, and more processes than processors are out of the model", f.procs, m.Name, most)
	case f.pkg != "" && given["alg"]:
		return nil, errors.New("-pkg goes without -alg: the lock of a package, or those of the catalogue")
	case given["new"] && f.pkg == "":
		return nil, errors.New("-new goes with -pkg")
	case f.pkg != "":
		return []shm.Algorithm{{Name: f.pkg, MinProcs: 1, MaxProcs: shm.MaxProcs}}, w.Validate()
	}
	if err := w.Validate(); err != nil {
		return nil, err
	}
	algorithms, err := f.selection.locks()
	if err != nil {
		return nil, err
	}
	if !given["alg"] {
		algorithms = nil
		for _, a := range catalog.Short() {
			algorithms = append(algorithms, a.Algorithm)
		}
	}
	modelled := slices.DeleteFunc(slices.Clone(algorithms), func(a shm.Algorithm) bool { return a.Class&shm.Opaque != 0 })
	if len(modelled) == 0 {
		return nil, fmt.Errorf("-alg %s: its accesses are inside the Go runtime, where no model sees them", f.selection.alg)
	}
	return modelled, nil
}

// config is what the file says before its points. Its processor is the modelled one,
// so that benchstat has it in a column beside processors that were measured.
func (f *predictFlags) config(m *predict.Machine) []topo.Pair {
	return []topo.Pair{
		{Key: "model", Value: m.Name},
		{Key: "topology", Value: m.Topology},
		{Key: "goos", Value: runtime.GOOS},
		{Key: "goarch", Value: runtime.GOARCH},
		{Key: "cpu", Value: m.Name + " (a model)"},
		{Key: "about", Value: about(m)},
		{Key: "command", Value: cli.CommandLine("shmbench", f.fs)},
	}
}

// about says of a machine what a reader of its figures must know.
func about(m *predict.Machine) string {
	said := []string{"a model of " + m.Name + " (" + m.Topology + "), not a measurement"}
	if m.Fit != "" {
		said = append(said, "fitted: "+m.Fit)
	} else {
		said = append(said, "fitted to nothing")
	}
	if len(m.Assumed) > 0 {
		said = append(said, "not measured on this machine but assumed: "+strings.Join(m.Assumed, ", "))
	}
	return strings.Join(said, "; ")
}

// prediction is what a call of the verb works out.
type prediction struct {
	machine *predict.Machine
	explain bool
	points  []*point
	file    *benchfile.Writer // nil if there is none
	// violated says that a lock let two in, or stopped.
	violated bool
}

// point is one lock with one number of processes.
type point struct {
	trial  compiled.Trial
	result *compiled.Result // nil if there is none, yet
}

// load is the workload as run names it.
func (x *point) load() bench.Workload {
	w := x.trial.Workload
	return bench.Workload{Procs: w.Procs, CS: w.CS, NCS: w.NCS, Lines: w.Lines, Rate: w.Rate}
}

// line is the line of the point in a file of results.
func (x *point) line() bench.Line {
	l := bench.Line{Name: x.load().Name(x.trial.Lock), Iterations: x.result.Passages}
	for _, v := range x.result.Values {
		l.Values = append(l.Values, bench.Value{Value: v.Value, Unit: v.Unit})
	}
	return l
}

// run works out the points, as many at a time as there are processors here.
func (p *prediction) run(ctx context.Context, e env, program string) error {
	progress := tty.NewProgress(e.Stderr, len(p.points))
	defer progress.Clear()
	var mu sync.Mutex
	var group sync.WaitGroup
	var failed error
	done, next := 0, 0
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() {
			for {
				mu.Lock()
				if next == len(p.points) || ctx.Err() != nil || failed != nil {
					mu.Unlock()
					return
				}
				x := p.points[next]
				next++
				progress.At(done, fmt.Sprintf("%d processes, %s", x.trial.Workload.Procs, x.trial.Lock))
				mu.Unlock()
				r, err := isolate.Ask[compiled.Trial, *compiled.Result](ctx, program, compiled.Service, x.trial)
				mu.Lock()
				done++
				switch {
				case ctx.Err() != nil:
				case err != nil:
					progress.Clear()
					fmt.Fprintln(e.Stderr, crashed(x, err))
				case r.Violated != "":
					p.violated = true
					progress.Clear()
					fmt.Fprintf(e.Stderr, "%s with %d processes: %s\n", x.trial.Lock, x.trial.Workload.Procs, r.Violated)
				default:
					x.result = r
					if p.file != nil {
						failed = first(failed, p.file.Write(x.line()))
					}
				}
				mu.Unlock()
			}
		})
	}
	group.Wait()
	return failed
}

// crashed is the line that says why there is no point.
func crashed(x *point, err error) string {
	says := err.Error()
	if crash := new(isolate.Crash); errors.As(err, &crash) && crash.Stderr != "" {
		says = crash.Stderr
	}
	line, _, _ := strings.Cut(strings.TrimSpace(says), "\n")
	if strings.Contains(line, "deadlock") {
		line = "it blocks in something other than its atomic accesses, such as a channel or a mutex, which is out of the model"
	}
	if strings.HasPrefix(line, x.trial.Lock) {
		return line
	}
	return fmt.Sprintf("%s with %d processes: %s", x.trial.Lock, x.trial.Workload.Procs, line)
}

// missing says what is missing of what was asked for; empty: nothing.
func (p *prediction) missing() string {
	if p.done() == len(p.points) {
		return ""
	}
	return fmt.Sprintf("%d of %d points were worked out", p.done(), len(p.points))
}

// done is how many points there are results of.
func (p *prediction) done() (n int) {
	for _, x := range p.points {
		if x.result != nil {
			n++
		}
	}
	return n
}

// listMachines prints the presets.
func listMachines(e env) error {
	all, err := predict.Presets()
	if err != nil {
		return err
	}
	for _, m := range all {
		if _, err := fmt.Fprintf(e.Stdout, "%s: %d processors, %s\n    transfers: %s\n    %s\n", m.Name, m.Processors(), m.Topology, m.Source, about(m)); err != nil {
			return err
		}
	}
	return nil
}
