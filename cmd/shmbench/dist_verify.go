package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"text/tabwriter"

	"shmbench/dist"
	"shmbench/dist/catalog"
	"shmbench/dist/verify"
)

var distVerify = verb{
	name:    "dist verify",
	summary: "hold each message-passing algorithm against its claims, with and without faults",
	example: "shmbench dist verify\nshmbench dist verify -alg raymond -json",
	setup: func(fs *flag.FlagSet) body {
		name := fs.String("alg", "", "only this `algorithm`; all otherwise")
		asJSON := fs.Bool("json", false, "print the verdicts as JSON")
		maxStates := fs.Int("max-states", 300_000, "leave a trial undecided beyond this many states")
		return func(ctx context.Context, e env, _ []string) error {
			if *maxStates < 1 {
				return fmt.Errorf("-max-states %d: at least 1", *maxStates)
			}
			algorithms := catalog.All
			if *name != "" {
				a, err := catalog.Find(*name)
				if err != nil {
					return err
				}
				algorithms = []*dist.Algorithm{a}
			}
			rows, err := verifyAll(ctx, algorithms, *maxStates)
			write := writeVerified
			if *asJSON {
				write = writeVerifiedJSON
			}
			if err := write(e.stdout, rows); err != nil {
				return err
			}
			if err != nil {
				return err
			}
			for _, r := range rows {
				for _, v := range r.Verdicts {
					if v.Refuted() {
						return errViolated
					}
				}
			}
			return nil
		}
	},
}

// verified is one algorithm's row.
type verified struct {
	Algorithm string           `json:"algorithm"`
	Verdicts  []verify.Verdict `json:"verdicts"`
}

// verifyAll returns the rows that were finished, with an error if ctx ended
// before all were.
func verifyAll(ctx context.Context, algorithms []*dist.Algorithm, maxStates int) ([]verified, error) {
	rows := []verified{}
	for _, a := range algorithms {
		vs, err := verify.Algorithm(ctx, a, maxStates)
		if ctx.Err() != nil {
			return rows, fmt.Errorf("interrupted at %s", a.Name)
		}
		if err != nil {
			return rows, err
		}
		rows = append(rows, verified{a.Name, vs})
	}
	return rows, nil
}

func writeVerified(w io.Writer, rows []verified) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprint(t, "algorithm")
	for _, trial := range verify.Trials {
		fmt.Fprintf(t, "\t%s", trial.Name)
	}
	fmt.Fprintln(t)
	for _, r := range rows {
		fmt.Fprint(t, r.Algorithm)
		for _, v := range r.Verdicts {
			cell := v.String()
			if v.Refuted() {
				cell += " (REFUTED)"
			} else if v.Claimed {
				cell += "*"
			}
			fmt.Fprintf(t, "\t%s", cell)
		}
		fmt.Fprintln(t)
	}
	fmt.Fprint(t, "\n* claimed\n")
	for _, trial := range verify.Trials {
		fmt.Fprintf(t, "%s: %s\n", trial.Name, describeTrial(trial))
	}
	return t.Flush()
}

func describeTrial(t verify.Trial) string {
	s := fmt.Sprintf("%d nodes of %d threads, each asks %d times", t.Nodes, t.Threads, t.Requests)
	if t.Requests == 0 {
		s = fmt.Sprintf("%d nodes of %d threads, each asks again and again", t.Nodes, t.Threads)
	}
	f := t.Faults
	switch {
	case t.AnyOrder:
		s += "; messages of a pair may overtake each other"
	case t.AnyTime:
		s += "; timers may expire while messages are under way"
	case f.Crash > 0:
		s += "; a node may crash"
	case f.Lose > 0:
		s += "; a message may be lost"
	case f.Duplicate > 0:
		s += "; a message may arrive twice"
	case f.Partition > 0:
		s += "; the nodes may fall apart in two, and come together again or not"
	}
	return s
}

func writeVerifiedJSON(w io.Writer, rows []verified) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(rows)
}
