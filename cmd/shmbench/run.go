package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"time"

	"shmbench/bench"
	"shmbench/bench/benchfile"
	"shmbench/bench/forks"
	"shmbench/internal/cli"
	"shmbench/internal/machine/topo"
	"shmbench/shm/spin"
)

var runVerb = verb{
	Name:    "run",
	Summary: "measure locks side by side and rank them",
	Args:    lockOrPackage,
	About:   lockArgument + " The lock is measured beside those of -alg.",
	Stands:  "alg",
	Example: "shmbench run\n" +
		"shmbench run -alg 'peterson|queue/mcs' -procs 1,2 -cs 100ns -o results.txt\n" +
		"shmbench run -alg 'queue/(mcs|ticket)$' -rate sweep -o sweep.txt\n" +
		"shmbench run -kill-rate 20 -d 1s -count 5 recoverable/rtas\n" +
		"shmbench run ./mylock:Spec -alg 'queue/(mcs|ticket)$'",
	Output: runColumns,
	Groups: []cli.Group{
		{Heading: "workload", Flags: []string{"cs", "ncs", "cs-body", "cs-lines", "rate", "readers"}},
		{Heading: "samples", Flags: []string{"d", "count", "forks"}},
		{Heading: cli.Output, Flags: []string{"json", "long"}},
		{Heading: cli.Experts, Flags: []string{"between", "kill-rate", "topology", "wait"}},
	},
	Rules: []cli.Rule{
		{Flag: "kill-rate", Without: []string{"between", "pin", "rate", "readers"}},
		{Flag: "rate", Value: "sweep", Without: []string{"forks", "ncs", "readers"}},
		{Flag: "cs", Value: "sweep", Without: []string{"rate"}},
		{Flag: "cs-body", Value: bodyTouches, Without: []string{"kill-rate", "rate", "readers"}},
		{Flag: "ncs", Value: "sweep", Without: []string{"rate"}},
	},
	NotWithPackage: []string{"between", "kill-rate"},
	Setup:          setupRun,
}

// defaultCount is a number of samples whose median has an interval that is
// symmetric, and as near to 95 % as there are: 96.1 %. A ranking of so many locks that no
// difference between nine samples each is significant takes more.
const defaultCount = 9

// The values of -cs-body: what a critical section does beside its work.
const (
	bodyChecks  = "check"
	bodyTouches = "touch"
)

// runFlags are the flags of run as given.
type runFlags struct {
	fs         *flag.FlagSet
	selection  selection
	pkg        *cli.Package // of the user's lock; nil: there is none
	procs      cli.IntList
	cs, ncs    lengthFlag
	body       string // of the critical section
	rate       rateFlag
	pin        pinning
	topology   topology
	between    string
	json, long bool
	out        string
	// x has the other flags at once, and what these make in the end.
	x forks.Experiment
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
	fs.Var(&f.procs, "procs", "numbers of processes, as a `list` (default 1, 2, one for each core, twice and four times as many; with a sweep, one for each core)")
	procsLimit(fs)
	fs.Var(&f.cs, "cs", "`time` of work in the critical section, or sweep: from 0 to 5µs in steps (default 0)")
	fs.Var(&f.ncs, "ncs", "`time` of work between critical sections, or sweep, as -cs (default 0)")
	fs.StringVar(&f.body, "cs-body", bodyChecks, "what a critical section does beside its work: `check` mutual exclusion, or touch, which writes one word and detects no violation in the counted window of a closed loop")
	cli.OneOf(fs, "cs-body", "the body of the critical section", bodyChecks, bodyTouches)
	fs.IntVar(&f.x.Workload.Lines, "cs-lines", 0, "shared cache `lines` that each critical section writes")
	loadLimits(fs)
	fs.Var(&f.rate, "rate", "open loop: `arrivals` per second of each process; or sweep: in steps from a hundredth of the lock's throughput up to saturation (default 0, a closed loop)")
	fs.Float64Var(&f.x.Workload.Readers, "readers", 0, "`share` of the passages that only read; they use RLock where the lock has it, and Lock elsewhere. Without -alg, run then measures all reader-writer locks too")
	cli.Between(fs, "readers", 0.0, 1.0, "the share of readers")
	sampleFlags(fs, &f.x.Duration, &f.x.Count)
	fs.IntVar(&f.x.Forks, "forks", 1, "take the samples in this many fresh `programs`, one after another; each counts as one sample")
	cli.Between(fs, "forks", 1, 1000, "the number of programs")
	fs.Var(&f.pin, "pin", "pin each process to a processor of its own: a core each while `cores` are left, or with -pin=threads the hardware threads of one core first")
	fs.Float64Var(&f.x.Workload.Kills, "kill-rate", 0, "measure recoverable locks between processes of the operating system, while this many `kills` each second end a process, which is started again")
	cli.Between(fs, "kill-rate", 0.1, bench.MaxKills, "the rate of kills")
	f.topology.declare(fs)
	betweenFlag(fs, &f.between, "measure locks between goroutines; or `processes`: each lock that can be shared also between processes of the operating system, as LOCK-processes")
	fs.StringVar(&f.x.Wait, "wait", spin.PauseYield.String(), "waiting `policy`: pause-yield, busy, pause, yield, turns or, on Linux, os-yield, which processes of the operating system use in place of pause-yield")
	cli.OneOf(fs, "wait", "the waiting policy", spin.PolicyNames()...)
	fs.StringVar(&f.out, "o", "", "write every sample to this `file`, in the Go benchmark format, as soon as it is taken (default a file in the user's cache folder, which the last line names)")
	jsonFlag(fs, &f.json)
	fs.BoolVar(&f.long, "long", false, "print every column of every table, also where that is more than a screen")
	cli.Writes(fs, "o")
}

// sampleFlags declares the time of a sample and the number of samples.
func sampleFlags(fs *flag.FlagSet, d *time.Duration, count *int) {
	fs.DurationVar(d, "d", bench.DefaultDuration, "counted `time` of a sample; up to ten times as long until every process has made 20 passages")
	cli.Between(fs, "d", time.Millisecond, time.Minute, "the time of a sample")
	fs.IntVar(count, "count", defaultCount, "samples of each algorithm and number of processes")
	cli.Between(fs, "count", 1, 1000, "the number of samples")
}

func (f *runFlags) run(ctx context.Context, e env, args []string) (err error) {
	if f.pkg, err = packageOf(args); err != nil {
		return err
	}
	suite, err := f.experiment(e.Stderr)
	if err != nil {
		return err
	}
	if f.pkg != nil {
		remove, err := f.build(ctx)
		if err != nil {
			return err
		}
		defer remove()
		if suite, err = f.withOwn(); err != nil {
			return err
		}
	}
	policy, err := spin.ParsePolicy(f.x.Wait)
	if err != nil {
		return err
	}
	defer spin.Use(spin.InUse())
	spin.Use(policy)

	counting, closeCounters := openCounters(&suite.Options)
	defer closeCounters()
	f.sayMissing(e.Stderr, suite.Algorithms)
	f.sayForks(e.Stderr)
	program, err := f.program()
	if err != nil {
		return err
	}
	config := append(topo.Describe(), f.config(counting, args)...)
	rec := newRecorder(e.Stderr, suite, f.x.Sweep.Steps(), "")
	path, err := f.open(rec, config, e.Stderr)
	if err != nil {
		return err
	}
	err = f.x.Run(ctx, suite, program, rec)
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
