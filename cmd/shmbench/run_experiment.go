package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"

	"shmbench/bench"
	"shmbench/bench/forks"
	"shmbench/catalog"
	"shmbench/internal/cli"
	"shmbench/internal/machine/affinity"
	"shmbench/internal/machine/topo"
	"shmbench/internal/results/stat"
	"shmbench/shm"
	"shmbench/shm/spin"
)

// experiment makes the experiment of the flags, without the user's lock, and returns its
// suite. It says which locks cannot be shared between processes.
func (f *runFlags) experiment(stderr io.Writer) (bench.Suite, error) {
	if f.x.Workload.Kills > 0 {
		return f.killed(stderr)
	}
	algorithms, err := f.selection.locksOrShort()
	if err != nil {
		return bench.Suite{}, err
	}
	byDefault := !f.selection.given() && !f.selection.variants
	if byDefault && f.x.Workload.Readers > 0 {
		algorithms = append(algorithms, catalog.ReaderWriter()...)
	}
	if byDefault && f.topology == "" && severalNodes(topo.Machine(bench.Pinning(f.pin).Order()), runtime.NumCPU()) {
		algorithms, f.topology = append(algorithms, catalog.ShortNUMA()...), "machine"
	}
	if err := f.topology.applies(algorithms); err != nil {
		return bench.Suite{}, err
	}
	if _, err := f.topology.placed(algorithms, bench.Pinning(f.pin).Order()); err != nil {
		return bench.Suite{}, err
	}
	if f.between == betweenProcesses {
		if algorithms, err = movable(stderr, algorithms); err != nil {
			return bench.Suite{}, err
		}
	}
	names := namesOf(algorithms)
	if f.between == betweenProcesses {
		names = besideProcesses(names)
	}
	return f.suite(names)
}

// killed is experiment where processes are killed. It says which locks do not recover.
func (f *runFlags) killed(stderr io.Writer) (bench.Suite, error) {
	algorithms, err := f.selection.locks()
	if err != nil {
		return bench.Suite{}, err
	}
	var names, not []string
	for _, a := range algorithms {
		switch {
		case a.Recovers():
			names = append(names, bench.BetweenProcesses(a).Name)
		case f.selection.given():
			not = append(not, a.Name)
		}
	}
	if names == nil {
		return bench.Suite{}, fmt.Errorf("-kill-rate: %s has no Recover: name a recoverable lock, such as recoverable/rtas", not[0])
	}
	if not != nil {
		fmt.Fprintf(stderr, "left out, because they have no Recover: %s\n", strings.Join(not, ", "))
	}
	return f.suite(names)
}

// suite completes the experiment with the other flags, and returns its suite.
func (f *runFlags) suite(names []string) (_ bench.Suite, err error) {
	x := &f.x
	if !cli.Given(f.fs, "count") {
		x.Count = max(defaultCount, stat.Enough(len(names)))
	}
	if x.Forks > x.Count {
		return bench.Suite{}, fmt.Errorf("-forks %d: the number of programs must be at most %d, the number of samples", x.Forks, x.Count)
	}
	if x.Sweep, err = f.sweep(); err != nil {
		return bench.Suite{}, err
	}
	x.Algorithms = names
	x.Topology, x.Pin, x.Procs = string(f.topology), bench.Pinning(f.pin), f.procs
	x.Workload.Touch = f.body == bodyTouches
	x.Workload.CS, x.Workload.NCS, x.Workload.Rate = f.cs.Duration, f.ncs.Duration, f.rate.rate
	switch {
	case x.Procs != nil:
	case x.Sweep != bench.NoSweep:
		x.Procs = []int{runtime.GOMAXPROCS(0)}
	default:
		x.Procs = defaultProcs(f.pin != "")
	}
	return x.Suite()
}

// sweep returns what is swept, which is one thing at most.
func (f *runFlags) sweep() (over bench.Sweep, err error) {
	for _, s := range []struct {
		over bench.Sweep
		on   bool
	}{{bench.Rates, f.rate.sweep}, {bench.SweepCS, f.cs.sweep}, {bench.SweepNCS, f.ncs.sweep}} {
		switch {
		case s.on && over != bench.NoSweep:
			return over, errors.New("-" + string(over) + " sweep cannot be combined with another sweep")
		case s.on:
			over = s.over
		}
	}
	return over, nil
}

// withOwn puts the user's lock before the others, and returns the suite.
func (f *runFlags) withOwn() (bench.Suite, error) {
	if err := allowProcs(f.x.Procs, []shm.Algorithm{f.own.algorithm()}); err != nil {
		return bench.Suite{}, err
	}
	f.x.Own, f.x.Algorithms = f.own.Name, append([]string{f.own.Name}, f.x.Algorithms...)
	return f.x.Suite(f.own.algorithm())
}

// defaultProcs are the numbers of processes that show most. Pinned processes cannot
// be more than processors.
func defaultProcs(pin bool) []int {
	return slices.DeleteFunc(bench.Procs(runtime.GOMAXPROCS(0)), func(n int) bool { return pin && affinity.Enough(n) != nil })
}

// program returns the program that measures: that of the user's lock, this one if there
// are forks, or none.
func (f *runFlags) program() (forks.Program, error) {
	if f.own != nil {
		return f.own.program, nil
	}
	if f.x.Forks == 1 {
		return "", nil
	}
	path, err := os.Executable()
	return forks.Program(path), err
}

// sayMissing says which locks have no count of atomics or no mode for readers, and which are
// measured by Execute.
func (f *runFlags) sayMissing(stderr io.Writer, algorithms []shm.Algorithm) {
	catalogued := slices.DeleteFunc(slices.Clone(algorithms), f.own.is)
	if names := bench.Uncounted(catalogued); len(names) > 0 {
		fmt.Fprintf(stderr, "no atomics/op for %s: \"go generate ./bench\" counts the atomics of a new lock\n", strings.Join(names, ", "))
	}
	var names, delegates []string
	for _, a := range algorithms {
		if !f.own.is(a) && a.Delegates() { // the user's lock is built in its own program
			delegates = append(delegates, a.Name)
		}
		if !slices.Contains(f.own.modes(a), shm.Shared) {
			names = append(names, a.Name)
		}
	}
	if w := f.x.Workload; delegates != nil && w.Rate == 0 && !f.rate.sweep && w.Readers == 0 {
		fmt.Fprintf(stderr, "measured by Execute, where a critical section is a function that any process may run: %s\n", strings.Join(delegates, ", "))
	}
	if f.x.Workload.Readers > 0 && names != nil {
		fmt.Fprintf(stderr, "no RLock, so that readers too enter by Lock: %s\n", strings.Join(names, ", "))
	}
}

// sayForks says how many samples the programs make, and whether a median of so many has
// an interval.
func (f *runFlags) sayForks(stderr io.Writer) {
	n := f.x.Forks
	if n == 1 {
		return
	}
	note := ""
	if n < stat.LeastForInterval {
		note = fmt.Sprintf("; a median of fewer than %d samples has no interval", stat.LeastForInterval)
	}
	fmt.Fprintf(stderr, "%d measurements in %d programs: %d samples%s\n", f.x.Count, n, n, note)
}

// config is what the file says about this run, beside the machine.
func (f *runFlags) config(counters string, args []string) []topo.Pair {
	config := []topo.Pair{
		{Key: "pin", Value: cmp.Or(string(f.pin), "false")},
		{Key: "pair", Value: bench.TransferPair(f.x.Pin)},
		{Key: "loop", Value: f.own.loop()},
		{Key: "wait", Value: f.x.Wait},
		{Key: "duration", Value: f.x.Duration.String()},
		{Key: "counters", Value: counters},
		{Key: "command", Value: cli.CommandLine("shmbench", f.fs, args...)},
	}
	if f.between == betweenProcesses || f.x.Workload.Kills > 0 {
		policy, _ := spin.ParsePolicy(f.x.Wait)
		config = append(config, topo.Pair{Key: "between", Value: "processes, which wait by " + bench.ProcessPolicy(policy).String()})
	}
	if f.topology != "" {
		config = append(config, topo.Pair{Key: "topology", Value: string(f.topology)})
	}
	return append(config, f.own.facts()...)
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
