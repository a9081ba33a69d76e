package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"shmbench/catalog"
	"shmbench/check"
	"shmbench/internal/build/edit"
	"shmbench/internal/cli"
	"shmbench/internal/cli/tty"
	"shmbench/internal/machine/affinity"
	"shmbench/shm"
)

var checkVerb = verb{
	Name:    "check",
	Summary: "prove or refute the claims of a lock over all interleavings of its source",
	Example: "shmbench check queue/mcs\nshmbench check -alg peterson -procs 2,3\nshmbench check ./mylock -procs 2 -o trace.json\nshmbench check -replay trace.json\nshmbench check dekker/dekker -procs 2 -replay 0,1,1,0 -o steps.html\nshmbench check -known-broken -alg hyman\nshmbench check -mutants -alg mutants/mcs-\nshmbench check peterson/peterson -edit 'delete 2'\nshmbench check queue/mcs -procs 2 -witness rmr-cc",
	Groups: []cli.Group{
		{Heading: "model", Flags: []string{"memory", "registers", "crashes", "topology"}},
		{Heading: cli.Output, Flags: []string{"json", "o", "witness"}},
		{Heading: cli.Bounds, Flags: []string{"safety", "checkpoint", "passages", "max-states", "mem", "replays"}},
	},
	Rules: []cli.Rule{
		withEvery,
		{Flag: "memory", Value: "tso", Without: []string{"registers"}},
		{Flag: "crashes", Without: []string{"memory", "registers", "witness"}},
		{Flag: "checkpoint", With: "safety"},
		{Flag: "safety", Without: []string{"memory", "crashes", "registers", "witness"}},
		{Flag: "replay", Why: "-replay checks nothing", Only: []string{"o", "alg", "variants", "known-broken", "procs", "topology", "memory"}},
		{Flag: "mutants", Without: []string{"known-broken"}},
		{Flag: "mutants", Why: "the entry of a mutant says for how many processes it shows its fault",
			Only: []string{"alg", "json", "o", "max-states", "mem", "replays"}},
		{Flag: "known-broken", Unless: "replay", Why: "the specification of a known-broken lock says for how many processes and on which memory it fails",
			Only: []string{"alg", "json", "o", "max-states", "mem", "replays"}},
	},
	NotWithPackage: []string{"alg", "variants", "topology", "edit", "mutants", "known-broken"},
	Args:           lockOrPackage,
	About:          readArgument,
	Stands:         "alg",
	Setup: func(fs *flag.FlagSet) body {
		c := &checkFlags{fs: fs}
		c.selection.declare(fs, "default all")
		fs.BoolVar(&c.knownBroken, "known-broken", false, "check the published locks that are wrong instead: compare each with its specification, and print how it fails")
		fs.BoolVar(&c.mutants, "mutants", false, "check the mutants instead, and compare each verdict with the one in mutants/")
		fs.Var(collected(c.addEdit), "edit", "check a copy of the lock with this `change` of its source, such as 'delete 4', 'move 2 before 1' or 'replace 3: a => b'; may be repeated")
		c.topology.declare(fs)
		fs.Var(&c.n, "procs", "numbers of processes, as a `list`; numbers that a specification does not allow are left out (default 2,3); every proves mutual exclusion for every number of processes, where it can")
		cli.Between(fs, "procs", 1, check.MaxProcs, "the number of processes")
		fs.BoolVar(&c.o.Safety, "safety", false, "decide only mutual exclusion, deadlock freedom, freedom from data races and panics, and invariants; hundreds of millions of states then fit in memory, because no edges are kept")
		fs.StringVar(&c.o.Checkpoint, "checkpoint", "", "keep the search of one lock and one n in this `file`, and continue the search that the file has")
		fs.IntVar(&c.o.Passages, "passages", 0, "passages of each process, and more stay undecided; 0 is any number, or 2 where a register grows and does more than count")
		cli.Between(fs, "passages", 0, check.MaxPassages, "the number of passages")
		fs.StringVar(&c.memory, "memory", "sc", "memory `model`: sc keeps the lock as written, so that only its release stores go through store buffers; tso removes the fence of every store")
		cli.OneOf(fs, "memory", "the memory model", "sc", "tso")
		fs.Func("crashes", "let processes crash at each access and begin again with Recover: any, or a largest number of `crashes`, such as 1; system or system:1 crashes all processes at once", func(text string) error {
			crashes, err := check.ParseCrashes(text)
			c.o.Crashes = &crashes
			return err
		})
		fs.StringVar(&c.registers, "registers", "atomic", "the strength of the `registers` that processes only read and write: atomic, regular or safe, as Lamport defines them")
		registersLimit(fs)
		fs.IntVar(&c.o.MaxStates, "max-states", 0, "stop after this many states (default no bound)")
		cli.AtLeast(fs, "max-states", 1, "the number of states")
		fs.StringVar(&c.mem, "mem", "16G", "stop when visited states and edges take this much memory, a `size` such as 500M or 16G; the learned automata may use a quarter of this memory")
		jsonFlag(fs, &c.json)
		fs.Var(collected(c.addWitness), "witness", "show an execution that attains this `bound`: "+strings.Join(check.Witnesses, ", ")+"; may be repeated")
		fs.Var(&c.out, "o", "write to this `file`, whose ending says what: .html is a page that steps through the executions; .json has the counterexamples and witnesses, and with -procs every the certificate of a proof; "+
			".dot is the graph of all states of one lock and one n, for Graphviz, and FILE.dot:1 the automaton of process 1; may be repeated")
		fs.StringVar(&c.replay, "replay", "", "check nothing; run the traces in this `file` on the compiled code, or, for one lock and one n, a schedule such as 0,1,1,0")
		fs.IntVar(&c.o.Replays, "replays", check.DefaultReplays, "compare the interpreter with the compiled code over this number of accesses for each lock and n; 0 omits the comparison, and accepts locks whose compiled code cannot be replayed")
		cli.AtLeast(fs, "replays", 0, "the number of accesses")
		cli.Writes(fs, "o", "checkpoint")
		cli.MayRead(fs, "replay")
		return c.run
	},
}

type checkFlags struct {
	n                          procsList
	fs                         *flag.FlagSet
	selection                  selection
	mem, replay                string
	memory, registers          string
	pkg                        *cli.Package // of the user's lock; nil: the locks of the catalog
	out                        outputs
	edits                      []edit.Edit
	topology                   topology
	json, knownBroken, mutants bool
	o                          check.Options
}

func (c *checkFlags) run(ctx context.Context, e env, args []string) (err error) {
	if c.pkg, err = packageOf(args); err != nil {
		return err
	}
	if err := c.out.check(c.fs, c.n); err != nil {
		return err
	}
	if c.replay != "" {
		return c.replayed(ctx, e)
	}
	if err := first(c.parse(), nativeOS()); err != nil {
		return err
	}
	if c.n.every {
		return c.checkEvery(ctx, e)
	}
	if c.knownBroken {
		return c.checkKnownBroken(ctx, e)
	}
	if c.mutants {
		return c.checkMutants(ctx, e)
	}
	algorithms, err := c.chosen()
	if err != nil {
		return err
	}
	c.o.Dot = c.out.dot()
	c.o.Sources = c.json || c.out.page != ""
	show := tty.NewProgress(e.Stderr, 0)
	if tty.Is(e.Stderr) {
		c.o.Progress = func(p check.Progress) { showStates(e.Stderr, p) }
	}
	var mu sync.Mutex
	var finished []*check.Report
	c.o.Each = func(r *check.Report) {
		mu.Lock()
		defer mu.Unlock()
		finished = append(finished, r)
	}
	defer collectSeldom(c.o.MaxBytes)()
	err = within(ctx, func() error { return c.check(ctx, algorithms) })
	show.Clear()
	faults := check.InternalErrors(err)
	if err != nil && ctx.Err() == nil && faults == nil {
		return err
	}
	if err == nil {
		if err := c.out.writeGraph(); err != nil {
			return err
		}
	}
	mu.Lock()
	defer mu.Unlock()
	return c.conclude(ctx, e, inOrder(finished), faults)
}

// showStates shows on a terminal how far a search is.
func showStates(w io.Writer, p check.Progress) {
	if p.Learning {
		fmt.Fprintf(w, "\r%s, n=%d: %d states visited to find the values of the registers, %v\x1b[K", p.Algorithm, p.N, p.States, p.Elapsed.Round(time.Second))
		return
	}
	if p.Frontier == 0 {
		fmt.Fprintf(w, "\r%s, n=%d: %d states explored in %v; now their properties are decided\x1b[K", p.Algorithm, p.N, p.States, p.Elapsed.Round(time.Second))
		return
	}
	rate := float64(p.States) / max(p.Elapsed.Seconds(), 1e-3)
	fmt.Fprintf(w, "\r%s, n=%d: %d states, %d of them to expand, depth %d, %.1f million/s, %d MB, %v\x1b[K",
		p.Algorithm, p.N, p.States, p.Frontier, p.Depth, rate/1e6, p.Bytes>>20, p.Elapsed.Round(time.Second))
}

// conclude writes what was found, and returns what that means. Internal errors mean
// more than the verdicts on other locks.
func (c *checkFlags) conclude(ctx context.Context, e env, reports []*check.Report, faults []*check.InternalError) error {
	result := c.outcome(reports)
	if ctx.Err() != nil && !errors.Is(result, errViolated) {
		finished := slices.DeleteFunc(slices.Clone(reports), func(r *check.Report) bool { return !r.Exhausted && r.Refused == "" })
		result = cutShort("interrupted; %d reports were finished", len(finished))
	}
	complete := result == nil || errors.Is(result, errViolated) && ctx.Err() == nil
	if len(faults) > 0 {
		for _, fault := range faults[1:] {
			fmt.Fprintln(e.Stderr, "shmbench check:", fault)
		}
		complete, result = false, faults[0]
	}
	traces := []*check.Trace{}
	for _, r := range reports {
		if !r.Exhausted && r.Refused == "" && r.States > 0 {
			fmt.Fprintf(e.Stderr, "shmbench check: %s, n=%d: not fully explored: stopped after %d states, %d steps deep\n", r.Algorithm, r.N, r.States, r.Depth)
		}
		traces = append(append(traces, r.Counterexamples...), r.Witnesses...)
	}
	if complete && c.leavesOutThree(reports) {
		fmt.Fprintf(e.Stderr, "shmbench check: three processes are left out, because %s(3) returns an error\n", c.pkg.Constructor)
	}
	return first(c.out.write(e.Stderr, traces, textsOf(reports)), c.print(e.Stdout, complete, reports), result)
}

// leavesOutThree reports whether a constructor refused the second of the numbers of processes
// for which a lock is checked unless -procs says otherwise.
func (c *checkFlags) leavesOutThree(reports []*check.Report) bool {
	return c.pkg != nil && len(c.o.N) == 0 && !slices.ContainsFunc(reports, func(r *check.Report) bool { return r.N == 3 })
}

// inOrder returns reports in the order of the catalog: locks are checked side by
// side, and come in as they are done.
func inOrder(reports []*check.Report) []*check.Report {
	place := map[string]int{}
	for i, a := range catalog.All() {
		place[a.Name] = i
	}
	return slices.SortedStableFunc(slices.Values(reports), func(a, b *check.Report) int {
		return cmp.Compare(place[a.Algorithm], place[b.Algorithm])
	})
}

func (c *checkFlags) check(ctx context.Context, algorithms []shm.Algorithm) (err error) {
	if c.pkg != nil {
		_, err = check.Package(ctx, c.pkg.Path, c.pkg.Constructor, c.o)
		err = c.pkg.Of(err)
	} else if len(c.edits) > 0 {
		err = c.checkEdited(ctx, algorithms[0])
	} else {
		err = c.checkCatalogue(ctx, algorithms)
	}
	return err
}

// checkCatalogue checks algorithms of the catalog against their specifications.
func (c *checkFlags) checkCatalogue(ctx context.Context, algorithms []shm.Algorithm) error {
	if len(c.o.Paths) > 0 {
		source, err := check.Open(ctx, "", catalog.Path)
		if err != nil {
			return err
		}
		_, err = source.Algorithms(ctx, "At", algorithms, c.o)
		return err
	}
	source, err := check.OpenFor(ctx, catalog.Path, algorithms)
	if err != nil {
		return err
	}
	_, err = source.Algorithms(ctx, "All", algorithms, c.o)
	return err
}

// chosen returns the locks of the catalog that are to be checked: none if a package is named.
func (c *checkFlags) chosen() ([]shm.Algorithm, error) {
	if c.pkg != nil {
		return nil, nil
	}
	algorithms, err := c.selection.locks()
	if err != nil {
		return nil, err
	}
	if err := allowProcs(c.o.N, algorithms); err != nil {
		return nil, err
	}
	if len(c.edits) > 0 {
		if algorithms, err = c.oneEdited(algorithms); err != nil {
			return nil, err
		}
	}
	if c.out.graph != "" && len(algorithms) > 1 {
		return nil, fmt.Errorf("-o %s draws one lock, and -alg %s matches %d", c.out.graph, c.selection.alg, len(algorithms))
	}
	if c.o.Checkpoint != "" && len(algorithms) > 1 {
		return nil, fmt.Errorf("-checkpoint keeps the search of one lock, and -alg %s matches %d", c.selection.alg, len(algorithms))
	}
	if err := c.topology.applies(algorithms); err != nil {
		return nil, err
	}
	return c.topology.placed(algorithms, affinity.ByCore)
}

func (c *checkFlags) parse() (err error) {
	if c.o.Paths, err = c.topology.paths(); err != nil {
		return err
	}
	c.o.TSO = c.memory == "tso"
	c.o.Registers = shm.RegisterModel(c.registers)
	c.o.N = c.n.IntList
	if c.o.Checkpoint != "" && len(c.o.N) != 1 {
		return errors.New("-checkpoint keeps the search of one lock for one number of processes: give -procs with one")
	}
	c.o.MaxBytes, err = parseSize(c.mem)
	return err
}

const leastMem = 1 << 20

// native refuses a GOOS or GOARCH of another machine, which the environment or
// "go env -w" may have set: what is built is run here.
func native() error { return first(nativeOS(), runsHere("GOARCH", "GOHOSTARCH")) }

// nativeOS refuses a GOOS of another machine alone: a lock is checked as it is
// built for GOARCH.
func nativeOS() error { return runsHere("GOOS", "GOHOSTOS") }

func runsHere(target, host string) error {
	out, err := exec.Command("go", "env", target, host).Output()
	words := strings.Fields(string(out))
	if err != nil || len(words) != 2 || words[0] == words[1] {
		return nil // if there is no toolchain, that is said where it is needed
	}
	return fmt.Errorf("%s is %s, and what is built has to run here, on %s: unset %s", target, words[0], words[1], target)
}

// parseSize reads a number of bytes with an optional K, M or G (powers of
// 1024).
func parseSize(s string) (int64, error) {
	digits, unit := s, int64(1)
	if i := strings.IndexAny(s, "KMG"); i >= 0 && i == len(s)-1 {
		digits, unit = s[:i], map[byte]int64{'K': 1 << 10, 'M': 1 << 20, 'G': 1 << 30}[s[i]]
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err == nil && n > 0 && n < leastMem/unit {
		return 0, fmt.Errorf("-mem %s: the size must be at least 1M", s)
	}
	if err != nil || n <= 0 || n > math.MaxInt64/unit {
		return 0, fmt.Errorf("-mem %q is not a size; write one like 500M or 16G", s)
	}
	return n * unit, nil
}
