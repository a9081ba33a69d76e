package main

import (
	"context"
	"flag"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"shmbench/bench"
	"shmbench/bench/benchfile"
	"shmbench/catalog"
	"shmbench/internal/build/gocmd"
	"shmbench/internal/build/overlay"
	"shmbench/internal/build/sources"
	"shmbench/internal/build/twin"
	"shmbench/internal/cli"
	"shmbench/internal/machine/topo"
	"shmbench/predict"
	"shmbench/predict/compiled"
	"shmbench/shm"
)

var predictVerb = verb{
	Name:    "predict",
	Summary: "predict what locks cost on a modeled machine",
	Args:    lockOrPackage,
	About:   lockArgument,
	Stands:  "alg",
	Example: "shmbench predict -machine epyc-7742\n" +
		"shmbench predict -machine xeon-8275cl -alg '^queue/(mcs|ticket)$' -procs 8 -explain\n" +
		"shmbench predict ./mylock -procs 1,2,4,8,16,32,64",
	Groups: []cli.Group{
		{Heading: "workload", Flags: []string{"cs", "ncs", "cs-lines", "rate"}},
		{Heading: cli.Bounds, Flags: []string{"passages", "accesses", "seed"}},
		{Heading: cli.Output, Flags: []string{"json", "o"}},
	},
	NotWithPackage: []string{"alg", "variants"},
	Setup:          setupPredict,
}

// predictFlags are the flags of the verb.
type predictFlags struct {
	fs              *flag.FlagSet
	selection       selection
	pkg             *cli.Package // of the user's lock; nil: the locks of the catalog
	machine         string
	procs           cli.IntList
	cs, ncs         time.Duration
	csLines         int
	rate            float64
	passages        int
	accesses        int64
	seed            uint64
	explain, asJSON bool
	out             string
}

func setupPredict(fs *flag.FlagSet) body {
	f := &predictFlags{fs: fs}
	f.selection.declare(fs, "default some twenty: shmbench list -short")
	fs.StringVar(&f.machine, "machine", "epyc-7742", "the modeled machine: a preset (shmbench predict machines lists them), or a `file`")
	fs.Var(&f.procs, "procs", "numbers of processes, as a `list` (default 1, 2, 4, 8, … 64 and all of the machine's processors, as far as the machine has them)")
	procsLimit(fs)
	fs.DurationVar(&f.cs, "cs", 0, "`time` of work in the critical section")
	fs.DurationVar(&f.ncs, "ncs", 0, "`time` of work between critical sections")
	fs.IntVar(&f.csLines, "cs-lines", 0, "shared cache `lines` that each critical section writes")
	loadLimits(fs)
	fs.Float64Var(&f.rate, "rate", 0, "open loop: `arrivals` per second of each process (default 0, a closed loop)")
	cli.Between(fs, "rate", 0.0, bench.MaxRate, "the number of arrivals")
	fs.IntVar(&f.passages, "passages", 20, "`passages` of each process that count")
	cli.Between(fs, "passages", 1, 1_000_000, "the number of passages")
	fs.Int64Var(&f.accesses, "accesses", 1_000_000, "stop a point after this number of accesses to shared memory, and mark the point")
	cli.AtLeast(fs, "accesses", int64(1000), "the number of accesses")
	seedFlag(fs, &f.seed)
	fs.BoolVar(&f.explain, "explain", false, "say which line of source moved which register's cache line, how often and how far")
	fs.StringVar(&f.out, "o", "", "write every point to this `file`, in the Go benchmark format, as soon as it is known")
	jsonFlag(fs, &f.asJSON)
	cli.Writes(fs, "o")
	cli.MayRead(fs, "machine")
	return f.run
}

func (f *predictFlags) run(ctx context.Context, e env, args []string) (err error) {
	if f.pkg, err = packageOf(args); err != nil {
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
	if names := readerWriters(algorithms); names != nil {
		fmt.Fprintf(e.Stderr, "the model has no readers, so that each process enters by Lock: %s\n", strings.Join(names, ", "))
	}
	p := &prediction{machine: m, explain: f.explain, points: f.points(e, m, algorithms)}
	if f.out != "" {
		if p.file, err = benchfile.Create(f.out, f.config(m, args)); err != nil {
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

// readerWriters names the locks with readers. A package's own lock is not built yet.
func readerWriters(algorithms []shm.Algorithm) (names []string) {
	for _, a := range algorithms {
		if a.New != nil && slices.Contains(a.Modes(), shm.Shared) {
			names = append(names, a.Name)
		}
	}
	return names
}

// points are what is to be worked out.
func (f *predictFlags) points(e env, m *predict.Machine, algorithms []shm.Algorithm) (points []*point) {
	names := skipped{}
	for _, n := range f.procs {
		for _, a := range algorithms {
			if n < a.MinProcs || n > a.MaxProcs {
				names[n] = append(names[n], a.Name)
				continue
			}
			points = append(points, &point{trial: compiled.Trial{Lock: a.Name, Machine: m,
				Workload: compiled.Workload{Procs: n, CS: f.cs, NCS: f.ncs, Lines: f.csLines, Rate: f.rate},
				Options:  compiled.Options{Passages: f.passages, Accesses: f.accesses, Seed: f.seed, Explain: f.explain}}})
		}
	}
	names.say(e.Stderr, f.procs)
	return points
}

// work builds the program that answers, and asks it.
func (f *predictFlags) work(ctx context.Context, e env, p *prediction) error {
	program, remove, err := f.program(ctx, p.points)
	if err != nil {
		return err
	}
	defer remove()
	return p.run(ctx, e, program)
}

// program builds the program that has the locks. The points get the name of the user's lock,
// which only its program knows.
func (f *predictFlags) program(ctx context.Context, points []*point) (program string, remove func(), err error) {
	if f.pkg == nil {
		return lockProgram(ctx)
	}
	own := foreignProgram{pkg: *f.pkg, main: "shmbench/predict/compiled", replace: twin.Waiting,
		hooks: "twin.Before = func(a twin.Access) { driver.Before(uint8(a.Op), a.Addr, a.Type) }; twin.Paused = driver.Paused"}
	program, name, remove, err := own.named(ctx)
	for _, x := range points {
		x.trial.Lock = name
	}
	return program, remove, err
}

// lockProgram builds the program that has the locks of the catalog.
func lockProgram(ctx context.Context) (program string, remove func(), err error) {
	return temporary(func(_, program string) error { return buildLocks(ctx, program) })
}

// buildLocks builds the program that has the locks of the catalog.
func buildLocks(ctx context.Context, program string) error {
	if err := native(); err != nil {
		return err
	}
	tree, err := sources.Dir(ctx)
	if err != nil {
		return err
	}
	err = overlay.Build(ctx, overlay.Options{Place: gocmd.In(tree), Packages: sources.Packages(catalog.Families()), Replace: twin.Waiting("shmbench/internal/build/twin"),
		Target: "shmbench/predict/compiled/locks", Output: program})
	return gocmd.OneLine(err)
}

// check refuses what makes no sense, completes what was not given, and returns the
// locks that are asked for.
func (f *predictFlags) check(m *predict.Machine) ([]shm.Algorithm, error) {
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
	case f.pkg != nil:
		return []shm.Algorithm{{Name: f.pkg.String(), MinProcs: 1, MaxProcs: shm.MaxProcs}}, w.Validate()
	}
	if err := w.Validate(); err != nil {
		return nil, err
	}
	algorithms, err := f.selection.locksOrShort()
	if err != nil {
		return nil, err
	}
	modeled := slices.DeleteFunc(slices.Clone(algorithms), func(a shm.Algorithm) bool { return a.Class.Sleeps() })
	if len(modeled) == 0 {
		return nil, fmt.Errorf("-alg %s: its processes sleep in the operating system or the Go runtime, which the model does not have", f.selection.alg)
	}
	return modeled, allowProcs(f.procs, modeled)
}

// config is what the file says before its points. Its processor is the modeled one,
// so that benchstat has it in a column beside processors that were measured.
func (f *predictFlags) config(m *predict.Machine, args []string) []topo.Pair {
	return []topo.Pair{
		{Key: "model", Value: m.Name},
		{Key: "topology", Value: m.Topology},
		{Key: "goos", Value: runtime.GOOS},
		{Key: "goarch", Value: runtime.GOARCH},
		{Key: "cpu", Value: m.Name + " (a model)"},
		{Key: "about", Value: about(m)},
		{Key: "command", Value: cli.CommandLine("shmbench", f.fs, args...)},
	}
}
