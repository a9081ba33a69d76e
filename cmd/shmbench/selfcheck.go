package main

import (
	"context"
	"flag"
	"fmt"

	"golang.org/x/perf/benchfmt"

	"shmbench/bench"
	"shmbench/bench/forks"
	"shmbench/internal/cli"
	"shmbench/report/compare"
)

var selfcheckVerb = verb{
	Name:    "selfcheck",
	Summary: "check the measurements themselves: locks with a known answer, and reruns that must agree",
	Stands:  "alg",
	Example: "shmbench selfcheck\n" +
		"shmbench selfcheck -reruns 0\n" +
		"shmbench selfcheck queue/mcs -procs 2 -reruns 5",
	Setup: func(fs *flag.FlagSet) body {
		c := selfcheck{fs: fs}
		c.selection.declareAlg(fs, "default six locks")
		fs.Var(&c.procs, "procs", "numbers of processes, as a `list` (default 1,2)")
		procsLimit(fs)
		sampleFlags(fs, &c.x)
		fs.IntVar(&c.reruns, "reruns", 20, "measure the locks this `number` of times, each under two names, and compare them with themselves; 0: only the locks with a known answer")
		cli.Between(fs, "reruns", 0, 1000, "the number of reruns")
		return c.run
	},
}

// sixLocks are measured again and again unless -alg names others.
const sixLocks = "^(baseline/mutex|tas/ttas|queue/ticket|queue/mcs|queue/clh|bakery/lamport)$"

// selfcheck is one use of the verb.
type selfcheck struct {
	fs        *flag.FlagSet
	selection selection
	procs     intList
	reruns    int
	x         forks.Experiment
}

func (c *selfcheck) run(ctx context.Context, e env, _ []string) error {
	if c.reruns == 0 {
		for _, name := range []string{"alg", "procs", "d", "count"} {
			if given(c.fs, name) {
				return fmt.Errorf("-reruns 0: -%s is for reruns, and there is none", name)
			}
		}
		return c.known(ctx, e)
	}
	suite, err := c.suite()
	if err != nil {
		return err
	}
	if err := c.known(ctx, e); err != nil {
		return err
	}
	return c.agree(ctx, e, suite)
}

// known measures the locks with a known answer. It is errViolated if a figure is wrong.
func (c *selfcheck) known(ctx context.Context, e env) error {
	checks, err := bench.SelfCheck(ctx)
	switch {
	case ctx.Err() != nil:
		return cutShort("interrupted among the locks with a known answer")
	case err != nil:
		return err
	}
	if wrong := bench.Wrong(checks); wrong != "" {
		fmt.Fprintln(e.Stderr, "shmbench selfcheck: a figure is wrong, and no figure of this program is to be believed: "+wrong)
		return errViolated
	}
	_, err = fmt.Fprintf(e.Stdout, "%d figures of locks with a known answer are right\n", len(checks))
	return err
}

// suite has each lock under two names.
func (c *selfcheck) suite() (bench.Suite, error) {
	if !c.selection.given() {
		c.selection.alg = sixLocks
	}
	algorithms, err := c.selection.locks()
	if err != nil {
		return bench.Suite{}, err
	}
	for _, a := range algorithms {
		algorithms = append(algorithms, bench.MeasuredAgain(a))
	}
	s := bench.Suite{Algorithms: algorithms, Procs: c.procs, Count: c.x.Count, Options: bench.Options{Duration: c.x.Duration}}
	if s.Procs == nil {
		s.Procs = []int{1, 2}
	}
	return s, s.Validate()
}

// agree measures again and again, and says whether the reruns agree.
func (c *selfcheck) agree(ctx context.Context, e env, suite bench.Suite) error {
	var reruns [][]*benchfmt.Result
	var rec *recorder
	for i := range c.reruns {
		rec = newRecorder(e.Stderr, suite, 1, fmt.Sprintf("rerun %d of %d, ", i+1, c.reruns))
		err := suite.Run(ctx, rec)
		rec.progress.Clear()
		if err = rec.end(ctx, err); err != nil {
			return err
		}
		if ctx.Err() != nil || rec.violated {
			break
		}
		reruns = append(reruns, rec.results())
	}
	agreement := compare.Agree(reruns)
	if len(reruns) > 0 {
		if err := agreement.WriteText(e.Stdout); err != nil {
			return err
		}
	}
	if err := rec.verdict(ctx); err != nil {
		return err
	}
	if !agreement.Names.Holds() || !agreement.Reruns.Holds() {
		return errViolated
	}
	return nil
}
