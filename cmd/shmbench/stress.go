package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"time"

	"shmbench/internal/cli"
	"shmbench/internal/cli/tty"
	"shmbench/internal/machine/affinity"
	"shmbench/shm"
	"shmbench/stress"
)

var stressVerb = verb{
	Name:    "stress",
	Summary: "stress-test the locks on real cores, and look for violations",
	Args:    lockOrPackage,
	About:   lockArgument,
	Stands:  "alg",
	Example: "shmbench stress -alg queue -procs 4 -d 5s\nshmbench stress ./mylock -perturb\nshmbench stress queue/mcs -race\nshmbench stress queue/mcs -between processes\nshmbench stress -mutants\nshmbench stress -kill 200 recoverable/rtas",
	Groups: []cli.Group{
		{Heading: cli.Output, Flags: []string{"json"}},
		{Heading: cli.Experts, Flags: []string{"between", "seed", "topology"}},
	},
	Rules: []cli.Rule{
		{Flag: "mutants", Without: []string{"variants", "topology", "between"}},
		{Flag: "between", Without: []string{"perturb", "race"}},
		{Flag: "kill", Without: []string{"d", "mutants", "perturb", "race", "topology", "between"}},
	},
	NotWithPackage: []string{"alg", "variants", "mutants", "topology", "between", "kill"},
	Setup:          setupStress,
}

// stressFlags are the flags of the verb.
type stressFlags struct {
	d         time.Duration
	passages  uint64 // to make at least, which may take five times d
	procs     cli.IntList
	seed      uint64
	selection selection
	pkg       *cli.Package // of the user's lock; nil: the locks of the catalog
	topology  topology
	between   string
	mutants   bool
	perturb   bool
	race      bool
	kill      killing
	json      bool
	deadline  time.Duration // without progress, after which a lock hangs
	// program is the one that has the locks: see stressApart.
	program string
}

func setupStress(fs *flag.FlagSet) body {
	var f stressFlags
	fs.DurationVar(&f.d, "d", 0, "how long to stress each lock (default 1s; with -mutants, the most: 8s)")
	cli.Between(fs, "d", time.Millisecond, 24*time.Hour, "the time for each lock")
	fs.Var(&f.procs, "procs", "numbers of processes to draw from, as a `list` (default 2,4,5,8, as far as the lock allows; with -mutants, from the least number that shows the fault)")
	procsLimit(fs)
	fs.Uint64Var(&f.seed, "seed", 0, "seed of the plan of phases (default drawn, and reported)")
	cli.AtLeast(fs, "seed", uint64(1), "the seed")
	f.selection.declare(fs, "default all")
	f.topology.declare(fs)
	betweenFlag(fs, &f.between, "stress each lock that can be shared between `processes` of the operating system, in memory that they share, and not between goroutines")
	fs.BoolVar(&f.mutants, "mutants", false, "stress-test the mutants instead, and print which of them were caught")
	fs.BoolVar(&f.perturb, "perturb", false, "first rebuild the locks with atomic operations that sometimes yield or delay")
	fs.BoolVar(&f.race, "race", false, "first rebuild the locks and the stress harness with Go's race detector")
	fs.Var(&f.kill, "kill", "run each lock between processes of the operating system, and kill this `number` of them with SIGKILL; system:NUMBER kills all of them at once (default locks: those that recover)")
	jsonFlag(fs, &f.json)
	return func(ctx context.Context, e env, args []string) (err error) {
		if f.pkg, err = packageOf(args); err != nil {
			return err
		}
		f.complete()
		switch {
		case f.pkg != nil:
			return stressPackage(ctx, e, f)
		case f.mutants:
			return stressMutants(ctx, e, f)
		case f.kill.most > 0:
			return stressKills(ctx, e, f)
		case f.perturb || f.race:
			return stressRebuilt(ctx, e, f)
		}
		return stressCatalogue(ctx, e, f)
	}
}

// complete gives the values that were not given, and the bounds of a trial.
func (f *stressFlags) complete() {
	usual := time.Second
	f.deadline = 20 * time.Second
	if f.mutants {
		usual, f.passages, f.deadline = 8*time.Second, 2_000_000, 3*time.Second
	}
	f.d = cmp.Or(f.d, usual)
}

func (f *stressFlags) options() stress.Options {
	return stress.Options{Procs: f.procs, Duration: f.d, Passages: f.passages, Seed: f.seed, Deadline: f.deadline, Processes: f.between == betweenProcesses}
}

// stressCatalogue stresses the correct locks.
func stressCatalogue(ctx context.Context, e env, f stressFlags) error {
	locks, err := f.selection.locks()
	if err != nil {
		return err
	}
	if err := f.topology.applies(locks); err != nil {
		return err
	}
	if locks, err = f.topology.placed(locks, affinity.ByCore); err != nil {
		return err
	}
	if f.between == betweenProcesses {
		if locks, err = movable(e.Stderr, locks); err != nil {
			return err
		}
	}
	locks, err = allowing(e, locks, f.procs)
	if err != nil {
		return err
	}
	reports, err := inTurn(ctx, e.Stderr, locks, func(a shm.Algorithm) string { return a.Name }, func(a shm.Algorithm) (*stress.Report, error) {
		return stressApart(ctx, f.program, a, f.topology, f.options())
	})
	if err != nil && len(reports) == 0 {
		return err
	}
	if err := cmp.Or(printReports(e, f, err == nil && ctx.Err() == nil, reports), err); err != nil {
		return err
	}
	return first(stressVerdict(reports), interrupted(ctx, "%d of %d locks were stressed", len(reports), len(locks)))
}

// inTurn does something with each of the things, and shows on a terminal which is its turn. An
// interruption is no error: then it returns the results so far.
func inTurn[T, R any](ctx context.Context, stderr io.Writer, all []T, name func(T) string, do func(T) (*R, error)) (results []*R, err error) {
	progress := tty.NewProgress(stderr, len(all))
	defer progress.Clear()
	for i, x := range all {
		progress.At(i, name(x))
		r, err := do(x)
		if r != nil {
			results = append(results, r)
		}
		if ctx.Err() != nil {
			return results, nil
		}
		if err != nil {
			return results, err
		}
	}
	return results, nil
}

// stressVerdict returns errViolated if a report has a forbidden outcome.
func stressVerdict(reports []*stress.Report) error {
	for _, r := range reports {
		if r.Found != nil {
			return errViolated
		}
	}
	return nil
}

// allowing returns the locks that can be built for all the numbers of processes,
// and says which it leaves out.
func allowing(e env, locks []shm.Algorithm, procs []int) ([]shm.Algorithm, error) {
	var can []shm.Algorithm
	var refused []error
	for _, a := range locks {
		err := error(nil)
		for _, n := range procs {
			err = cmp.Or(err, shm.CheckProcs(a.Name, n, a.MinProcs, a.MaxProcs))
		}
		if err != nil {
			refused = append(refused, err)
		} else {
			can = append(can, a)
		}
	}
	if len(can) == 0 {
		return nil, refused[0]
	}
	for _, err := range refused {
		fmt.Fprintf(e.Stderr, "left out: %v\n", err)
	}
	return can, nil
}
