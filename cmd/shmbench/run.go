package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"time"

	"shmbench/bench"
	"shmbench/catalog"
	"shmbench/internal/affinity"
	"shmbench/internal/benchfile"
	"shmbench/internal/cli"
	"shmbench/internal/topo"
	"shmbench/shm"
	"shmbench/spin"
)

var runVerb = verb{
	Name:    "run",
	Summary: "measure locks side by side and rank them",
	Stands:  "alg",
	Example: "shmbench run\n" +
		"shmbench run -alg 'peterson|queue/mcs' -procs 1,2 -cs 100ns -o results.txt\n" +
		"shmbench run -alg 'queue/(mcs|ticket)$' -rate sweep -o sweep.txt\n" +
		"shmbench run -pkg ./mylock -new Spec -alg 'queue/(mcs|ticket)$'",
	Output:  runColumns,
	Renamed: map[string]string{"trace": "-exectrace"},
	Setup:   setupRun,
}

// defaultCount is a number of samples whose median has an interval that is
// symmetric, and as near to 95 % as there are: 96.1 %.
const defaultCount = 9

// runFlags are the flags of run as given.
type runFlags struct {
	fs          *flag.FlagSet
	selection   selection
	pkg         string
	constructor string // builds the lock of pkg
	procs       intList
	cs, ncs     lengthFlag
	csLines     int
	rate        rateFlag
	readers     float64
	d           time.Duration
	count       int
	forks       int
	aa          bool
	reruns      int
	selfcheck   bool
	pin         pinning
	topology    topology
	json, long  bool
	wait        string
	out         string
	cpuprofile  string
	exectrace   string
	// own is the lock of pkg, nil if there is none.
	own *ownLock
}

func setupRun(fs *flag.FlagSet) body {
	f := &runFlags{fs: fs}
	f.declare()
	return f.run
}

func (f *runFlags) declare() {
	fs := f.fs
	f.selection.declare(fs, "default some twenty: shmbench list -short")
	fs.StringVar(&f.pkg, "pkg", "", "measure the lock of the Go package at this `path` too, beside those of the catalogue")
	fs.StringVar(&f.constructor, "new", "New", "with -pkg: the lock's specification, which the file of -o then has, or the `function` that builds it, func(n int) T or (T, error)")
	fs.Var(&f.procs, "procs", "numbers of processes, as a `list` (default 1, 2, one for each core, twice and four times as many; of a sweep, one for each core)")
	procsLimit(fs)
	fs.Var(&f.cs, "cs", "`time` of work in the critical section, or sweep: from 0 to 5µs in steps (default 0)")
	fs.Var(&f.ncs, "ncs", "`time` of work between critical sections, or sweep, as -cs (default 0)")
	fs.IntVar(&f.csLines, "cs-lines", 0, "shared cache `lines` that a critical section writes")
	loadLimits(fs)
	fs.Var(&f.rate, "rate", "open loop: `arrivals` a second of each process, or sweep: from a hundredth of what the lock can do in steps up to saturation (default 0, a closed loop)")
	fs.Float64Var(&f.readers, "readers", 0, "`share` of passages that read only: by RLock where the lock has it, by Lock elsewhere")
	cli.Between(fs, "readers", 0.0, 1.0, "the share of readers")
	fs.DurationVar(&f.d, "d", bench.DefaultDuration, "counted `time` of a sample; up to ten times as long until every process has made 20 passages")
	cli.Between(fs, "d", time.Millisecond, time.Minute, "the time of a sample")
	fs.IntVar(&f.count, "count", defaultCount, "samples of each algorithm and number of processes")
	cli.Between(fs, "count", 1, 1000, "the number of samples")
	fs.IntVar(&f.forks, "forks", 1, "take the samples in this many fresh `programs`, one after another; each counts as one sample")
	cli.Between(fs, "forks", 1, 1000, "the number of programs")
	fs.BoolVar(&f.aa, "aa", false, "measure six locks, or those of -alg, again and again, each under two names, and compare them with themselves")
	fs.IntVar(&f.reruns, "reruns", 20, "with -aa: the `number` of reruns")
	cli.Between(fs, "reruns", 2, 1000, "the number of reruns")
	fs.BoolVar(&f.selfcheck, "selfcheck", false, "first measure locks whose answer is known, which takes some seconds")
	fs.Var(&f.pin, "pin", "pin each process to a processor of its own: to `cores`, one on each while there are any, or -pin=threads, to fill the hardware threads of a core first")
	f.topology.declare(fs)
	fs.StringVar(&f.wait, "wait", spin.PauseYield.String(), "waiting `policy`: pause-yield, busy, pause, yield or turns")
	cli.OneOf(fs, "wait", "the waiting policy", spin.PolicyNames()...)
	fs.StringVar(&f.out, "o", "", "write every sample to this `file`, in the Go benchmark format, as soon as it is taken (default a file in the user's cache folder, which the last line names)")
	jsonFlag(fs, &f.json)
	fs.BoolVar(&f.long, "long", false, "print every column of every table, also where that is more than a screen")
	fs.StringVar(&f.cpuprofile, "cpuprofile", "", "write a CPU profile to this `file`")
	fs.StringVar(&f.exectrace, "exectrace", "", "write an execution trace to this `file`")
	cli.Writes(fs, "o", "cpuprofile", "exectrace")
}

func (f *runFlags) run(ctx context.Context, e env, _ []string) (err error) {
	suite, err := f.suite()
	if err != nil {
		return err
	}
	if f.pkg != "" {
		own, remove, err := f.build(ctx, suite.Procs)
		if err != nil {
			return err
		}
		defer remove()
		f.own = own
		if suite, err = f.suite(own.algorithm()); err != nil {
			return err
		}
	}
	policy, err := spin.ParsePolicy(f.wait)
	if err != nil {
		return err
	}
	defer spin.Use(spin.InUse())
	spin.Use(policy)

	counting, closeCounters := openCounters(&suite.Options)
	defer closeCounters()
	f.sayMissing(e.Stderr, suite.Algorithms)
	config := append(topo.Describe(), f.config(counting)...)
	if f.selfcheck {
		verdict, err := selfCheck(ctx, e)
		if ctx.Err() != nil {
			fmt.Fprintln(e.Stderr, "interrupted in the self-check")
			return nil
		}
		if err != nil {
			return err
		}
		config = append(config, topo.Pair{Key: "selfcheck", Value: verdict})
	}

	// Whatever can go wrong with the outputs goes wrong before measuring.
	stop, err := profile(f.cpuprofile, f.exectrace)
	if err != nil {
		return err
	}
	defer func() { err = first(err, stop()) }()
	rec := newRecorder(e.Stderr, suite)
	switch {
	case f.rate.sweep:
		rec.sweeping(sweepSteps + 1)
	case f.swept():
		rec.sweeping(len(sweptLengths))
	}
	path, err := f.open(rec, config, e.Stderr)
	if err != nil {
		return err
	}
	if f.aa {
		return f.agree(ctx, e, suite, rec)
	}

	err = f.measure(ctx, suite, rec)
	rec.progress.Clear()
	// What was measured is printed and kept also if something went wrong.
	err = first(rec.end(ctx, err), f.print(ctx, e.Stdout, config, rec), rec.verdict(ctx))
	if path != "" {
		fmt.Fprintf(e.Stderr, "The results are in %s: shmbench compare last, shmbench report last\n", printable(path))
	}
	return err
}

// open creates the file of the samples. Without -o it is one of the kept results, whose
// name is returned; if that cannot be, the run goes on without a file.
func (f *runFlags) open(rec *recorder, config []topo.Pair, stderr io.Writer) (path string, err error) {
	if f.out != "" {
		rec.file, err = benchfile.Create(f.out, config)
		return "", err
	}
	if f.aa { // two names for each lock, which no other verb knows
		return "", nil
	}
	path, err = newKept(time.Now())
	if err == nil {
		rec.file, err = benchfile.Create(path, config)
	}
	if err != nil {
		fmt.Fprintf(stderr, "the results are not kept: %v; -o names a file\n", err)
		return "", nil
	}
	return path, nil
}

// openCounters gives a suite the hardware counters, and says what they count, or why there
// are none.
func openCounters(o *bench.Options) (counting string, done func()) {
	counters, err := bench.OpenCounters()
	o.Counters = counters
	if err != nil {
		return err.Error(), func() {}
	}
	return "cycles, instructions and cache misses, user mode", func() { counters.Close() }
}

// sayMissing says which locks have no count of atomics or no mode for readers.
func (f *runFlags) sayMissing(stderr io.Writer, algorithms []shm.Algorithm) {
	if names := f.uncounted(algorithms); len(names) > 0 {
		fmt.Fprintf(stderr, "no atomics/op for %s: \"go generate ./bench\" counts the atomics of a new lock\n", strings.Join(names, ", "))
	}
	if names := f.withoutReaders(algorithms); f.readers > 0 && len(names) > 0 {
		fmt.Fprintf(stderr, "no RLock, so that readers too enter by Lock: %s\n", strings.Join(names, ", "))
	}
}

// measure takes all samples.
func (f *runFlags) measure(ctx context.Context, suite bench.Suite, rec *recorder) error {
	if f.rate.sweep {
		return f.sweep(suite.Procs, suite.Algorithms, func(algorithms []shm.Algorithm, procs int, rate float64) error {
			step := suite
			step.Algorithms, step.Procs, step.Workload.Rate = algorithms, []int{procs}, rate
			rec.next(step)
			return f.take(ctx, step, rec)
		}, rec.rated)
	}
	if f.swept() {
		return f.lengths(ctx, suite, rec)
	}
	return f.take(ctx, suite, rec)
}

// selfCheck returns what is to be said about the locks whose answer is known, or
// errViolated if a figure is wrong.
func selfCheck(ctx context.Context, e env) (string, error) {
	checks, err := bench.SelfCheck(ctx)
	if err != nil {
		return "", err
	}
	if wrong := bench.Wrong(checks); wrong != "" {
		fmt.Fprintln(e.Stderr, "shmbench run: the self-check failed, and no figure of this program is to be believed: "+wrong)
		return "", errViolated
	}
	return fmt.Sprintf("%d figures of locks with a known answer are right", len(checks)), nil
}

// suite turns the flags into an experiment, with a lock of the user's first, if there
// is one.
func (f *runFlags) suite(own ...shm.Algorithm) (bench.Suite, error) {
	chosen := f.selection
	if f.aa && !chosen.given() {
		chosen.alg = sixLocks
	}
	algorithms, err := chosen.locks()
	if err != nil {
		return bench.Suite{}, err
	}
	if !chosen.given() {
		algorithms = nil
		for _, a := range catalog.Short() {
			algorithms = append(algorithms, a.Algorithm)
		}
	}
	if err := f.topology.applies(algorithms); err != nil {
		return bench.Suite{}, err
	}
	if algorithms, err = f.topology.placed(algorithms, pinned(bench.Pinning(f.pin))); err != nil {
		return bench.Suite{}, err
	}
	algorithms = append(own, algorithms...)
	if f.aa {
		algorithms = twice(algorithms)
	}
	switch {
	case f.pkg == "" && cli.Given(f.fs, "new"):
		return bench.Suite{}, errors.New("-new goes with -pkg")
	case f.forks > f.count:
		return bench.Suite{}, fmt.Errorf("-forks %d: the number of programs must be at most %d, the number of samples", f.forks, f.count)
	case !f.aa && given(f.fs, "reruns"):
		return bench.Suite{}, fmt.Errorf("-reruns %d: it goes with -aa", f.reruns)
	case f.forks > 1 && f.cpuprofile+f.exectrace != "":
		return bench.Suite{}, errors.New("-cpuprofile and -exectrace go without -forks, which measures in other programs")
	case f.aa && f.json:
		return bench.Suite{}, errors.New("-json goes without -aa")
	}
	if err := f.sweeps(); err != nil {
		return bench.Suite{}, err
	}
	s := bench.Suite{
		Algorithms: algorithms,
		Procs:      f.procs,
		Workload:   bench.Workload{CS: f.cs.Duration, NCS: f.ncs.Duration, Lines: f.csLines, Rate: f.rate.rate, Readers: f.readers},
		Count:      f.count,
		Options:    bench.Options{Duration: f.d, Pin: bench.Pinning(f.pin)},
	}
	if f.procs == nil {
		s.Procs = defaultProcs(f.pin != "")
		if f.aa {
			s.Procs = []int{1, 2}
		}
		if f.swept() {
			s.Procs = []int{runtime.GOMAXPROCS(0)}
		}
	}
	return s, s.Validate()
}

// withoutReaders returns the names of the locks that have no mode for readers.
func (f *runFlags) withoutReaders(algorithms []shm.Algorithm) []string {
	var names []string
	for _, a := range algorithms {
		if !slices.Contains(f.modes(a), shm.Shared) {
			names = append(names, a.Name)
		}
	}
	return names
}

// defaultProcs are the numbers of processes that show most. Pinned processes cannot
// be more than processors.
func defaultProcs(pin bool) []int {
	return slices.DeleteFunc(bench.Procs(runtime.GOMAXPROCS(0)), func(n int) bool { return pin && affinity.Enough(n) != nil })
}

// config is what the file says about this run, beside the machine.
func (f *runFlags) config(counters string) []topo.Pair {
	command := []string{"shmbench", f.fs.Name()}
	f.fs.Visit(func(given *flag.Flag) {
		command = append(command, fmt.Sprintf("-%s=%s", given.Name, quote(given.Value.String())))
	})
	config := []topo.Pair{
		{Key: "pin", Value: cmp.Or(string(f.pin), "false")},
		{Key: "pair", Value: bench.TransferPair(bench.Pinning(f.pin))},
		{Key: "loop", Value: f.loop()},
		{Key: "wait", Value: f.wait},
		{Key: "duration", Value: f.d.String()},
		{Key: "counters", Value: counters},
		{Key: "command", Value: strings.Join(command, " ")},
	}
	if f.topology != "" {
		config = append(config, topo.Pair{Key: "topology", Value: string(f.topology)})
	}
	return append(config, f.own.facts()...)
}

// quote puts a word that a shell would not leave alone into quotes.
func quote(word string) string {
	if word != "" && strings.Trim(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./,:=") == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
