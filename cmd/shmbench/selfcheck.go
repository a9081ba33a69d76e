package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"time"

	"golang.org/x/perf/benchfmt"

	"shmbench/bench"
	"shmbench/internal/cli"
	"shmbench/internal/results/stat"
	"shmbench/report/compare"
)

var selfcheckVerb = verb{
	Name:    "selfcheck",
	Summary: "check the measurements themselves: locks with a known answer, and reruns that must agree",
	Stands:  "alg",
	Example: "shmbench selfcheck\n" +
		"shmbench selfcheck -reruns 0\n" +
		"shmbench selfcheck queue/mcs -reruns 5",
	Rules: []cli.Rule{{Flag: "reruns", Value: "0", Without: []string{"alg", "d", "count"}}},
	Setup: func(fs *flag.FlagSet) body {
		c := selfcheck{fs: fs}
		c.selection.declareAlg(fs, "default six locks")
		sampleFlags(fs, &c.d, &c.count)
		fs.IntVar(&c.reruns, "reruns", 20, "measure the locks this `number` of times, each under two names, and compare them with themselves; 0: only the locks with a known answer")
		cli.Between(fs, "reruns", 0, 1000, "the number of reruns")
		jsonFlag(fs, &c.json)
		return c.run
	},
}

// sixLocks are measured again and again unless -alg names others.
const sixLocks = "^(baseline/mutex|tas/ttas|queue/ticket|queue/mcs|queue/clh|bakery/lamport)$"

// selfcheck is one use of the verb.
type selfcheck struct {
	fs        *flag.FlagSet
	selection selection
	reruns    int
	json      bool
	d         time.Duration
	count     int
}

// selfchecked is what selfcheck found.
type selfchecked struct {
	Figures int `json:"figures"` // of locks with a known answer
	// Wrong says which figure is wrong; empty: all are right.
	Wrong              string `json:"wrong,omitempty"`
	*compare.Agreement        // nil without reruns
}

func (c *selfcheck) run(ctx context.Context, e env, _ []string) error {
	suite, err := c.suite()
	if err != nil {
		return err
	}
	var found selfchecked
	if err = found.known(ctx); err == nil && found.Wrong == "" && c.reruns > 0 {
		found.Agreement, err = c.agree(ctx, e, suite)
	}
	switch {
	case err != nil && !c.json:
		return first(found.writeText(e.Stdout), err)
	case c.json:
		return first(writeJSON(e.Stdout, "selfcheck", err == nil, found), err, found.verdict())
	}
	return first(found.writeText(e.Stdout), found.verdict())
}

// writeText prints as much as was found.
func (s *selfchecked) writeText(w io.Writer) error {
	switch {
	case s.Figures == 0:
		return nil
	case s.Wrong != "":
		_, err := fmt.Fprintln(w, "A figure is wrong, and no figure of this program is to be believed: "+s.Wrong)
		return err
	}
	if _, err := fmt.Fprintf(w, "%d figures of locks with a known answer are right\n", s.Figures); err != nil || s.Agreement == nil {
		return err
	}
	return s.Agreement.WriteText(w)
}

// verdict is errViolated if a figure is wrong, or reruns do not agree.
func (s *selfchecked) verdict() error {
	if s.Wrong != "" || s.Agreement != nil && !(s.Names.Holds() && s.Reruns.Holds()) {
		return errViolated
	}
	return nil
}

// known measures the locks with a known answer.
func (s *selfchecked) known(ctx context.Context) error {
	checks, err := bench.SelfCheck(ctx)
	if ctx.Err() != nil {
		return cutShort("interrupted among the locks with a known answer")
	}
	s.Figures, s.Wrong = len(checks), bench.Wrong(checks)
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
	s := bench.Suite{Algorithms: algorithms, Procs: []int{1, 2}, Options: bench.Options{Duration: c.d}}
	if s.Count, err = c.samples(len(s.Algorithms) * len(s.Procs)); err != nil {
		return bench.Suite{}, err
	}
	return s, s.Validate()
}

// samples is the number of samples for a comparison of so many benchmarks, which fails only if
// some difference can be significant.
func (c *selfcheck) samples(benchmarks int) (int, error) {
	enough := stat.Enough(benchmarks)
	switch {
	case !cli.Given(c.fs, "count"):
		return max(c.count, enough), nil
	case c.count < enough:
		return 0, fmt.Errorf("-count %d: with fewer than %d samples, no difference among %d benchmarks can be significant, so reruns would always agree", c.count, enough, benchmarks)
	}
	return c.count, nil
}

// agree measures again and again, and compares the reruns that were completed.
func (c *selfcheck) agree(ctx context.Context, e env, suite bench.Suite) (*compare.Agreement, error) {
	var reruns [][]*benchfmt.Result
	for i := range c.reruns {
		rec := newRecorder(e.Stderr, suite, 1, fmt.Sprintf("rerun %d of %d, ", i+1, c.reruns))
		err := suite.Run(ctx, rec)
		rec.progress.Clear()
		if err = first(rec.end(ctx, err), rec.verdict(ctx)); err != nil {
			return compare.Agree(reruns), err
		}
		reruns = append(reruns, rec.results())
	}
	return compare.Agree(reruns), nil
}
