package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"shmbench/distributed/explore"
	"shmbench/distributed/verify"
	"shmbench/internal/cli"
	"shmbench/internal/cli/table"
	"shmbench/internal/cli/words"
)

var verifyVerb = cli.Verb{
	Name:    "verify",
	Summary: "check the claims of each message-passing algorithm, with and without faults",
	Example: "dmesim verify\ndmesim verify -alg raymond -json\ndmesim verify -alg bully",
	Setup: func(fs *flag.FlagSet) cli.Body {
		choose := chooseSome(fs, algorithms|elections)
		var asJSON bool
		cli.JSONFlag(fs, &asJSON)
		maxStates := fs.Int("max-states", 300_000, "leave a trial undecided beyond this many states, three times as many where a claim has no smaller system to be decided in")
		cli.AtLeast(fs, "max-states", 1, "the number of states")
		return guarded(fs, func(ctx context.Context, e cli.Env, _ []string) error {
			chosen, err := choose.from.Match(choose.alg)
			if err != nil {
				return err
			}
			rows, err := verifyAll(ctx, chosen, *maxStates)
			if ctx.Err() == nil && err != nil {
				return err
			}
			refuted, undecided := claims(rows, *maxStates)
			if err != nil { // not all claims were tried
				undecided = nil
			}
			return printed(e, "verify", asJSON, rows, func(w io.Writer) error { return writeVerified(w, rows) }, err, refuted, undecided)
		})
	},
}

// verified is one algorithm's row.
type verified struct {
	Algorithm  string           `json:"algorithm"`
	Election   bool             `json:"election"`
	Invariants []string         `json:"invariants"` // held in each state of each trial
	Verdicts   []verify.Verdict `json:"verdicts"`
}

// verifyAll returns the rows that were finished, with an error if ctx ended
// before all were.
func verifyAll(ctx context.Context, chosen []subject, maxStates int) ([]verified, error) {
	rows := []verified{}
	for _, s := range chosen {
		var vs []verify.Verdict
		var err error
		invariants := []string{}
		if s.election != nil {
			vs, err = verify.Election(ctx, s.election, maxStates)
		} else {
			vs, err = verify.Algorithm(ctx, s.algorithm, maxStates)
			invariants = invariantNames(s.algorithm.Invariants)
		}
		if ctx.Err() != nil {
			return rows, cli.CutShort("interrupted at %s", s.name)
		}
		if err != nil {
			return rows, err
		}
		rows = append(rows, verified{s.name, s.election != nil, invariants, vs})
	}
	return rows, nil
}

// claims returns the error of a refuted claim, and that of claims that were not decided.
func claims(rows []verified, maxStates int) (refuted, undecided error) {
	var open []string
	for _, r := range rows {
		for _, v := range r.Verdicts {
			switch {
			case v.Refuted():
				refuted = cli.ErrViolated
			case v.Claimed && !v.Decided:
				open = append(open, r.Algorithm+" "+v.Trial)
			}
		}
	}
	if len(open) > 0 {
		undecided = cli.CutShort("claimed and not decided within -max-states %d, nor in a smaller system: %s", maxStates, strings.Join(open, ", "))
	}
	return refuted, undecided
}

func writeVerified(w io.Writer, rows []verified) error {
	at := slices.IndexFunc(rows, func(r verified) bool { return r.Election })
	if at < 0 {
		at = len(rows)
	}
	t := table.New(w)
	writeTrials(t, "algorithm", verify.Trials, rows[:at])
	writeTrials(t, "election", verify.ElectionTrials, rows[at:])
	for _, r := range rows {
		if len(r.Invariants) > 0 {
			fmt.Fprintf(t, "in each state of %s: %s\n", r.Algorithm, strings.Join(r.Invariants, ", "))
		}
	}
	fmt.Fprintln(t, "* claimed")
	return t.Flush()
}

// writeTrials writes one table and what its columns mean.
func writeTrials(w io.Writer, what string, trials []verify.Trial, rows []verified) {
	if len(rows) == 0 {
		return
	}
	fmt.Fprint(w, what)
	for _, trial := range trials {
		fmt.Fprintf(w, "\t%s", trial.Name)
	}
	fmt.Fprintln(w)
	for _, r := range rows {
		fmt.Fprint(w, r.Algorithm)
		for _, trial := range trials {
			fmt.Fprintf(w, "\t%s", cell(trial, r.Verdicts))
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintln(w)
	for _, trial := range trials {
		fmt.Fprintf(w, "%s: %s\n", trial.Name, describeTrial(trial))
	}
	fmt.Fprintln(w)
}

// cell is the verdict of a trial, "-" where there was none.
func cell(t verify.Trial, verdicts []verify.Verdict) string {
	for _, v := range verdicts {
		switch {
		case v.Trial != t.Name:
		case v.Refuted():
			return v.String() + " (REFUTED)"
		case v.Claimed:
			return v.String() + "*"
		default:
			return v.String()
		}
	}
	return "-"
}

func describeTrial(t verify.Trial) string {
	s := fmt.Sprintf("%d nodes", t.Nodes)
	switch {
	case t.Threads == 0:
	case t.Requests == explore.Forever:
		s += fmt.Sprintf(" of %s, each asks again and again", words.Counted(t.Threads, "thread", "threads"))
	default:
		s += fmt.Sprintf(" of %s, each asks %s", words.Counted(t.Threads, "thread", "threads"), words.Counted(t.Requests, "time", "times"))
	}
	if t.First {
		s += "; no node leads yet"
	}
	if t.InOrder {
		s += "; messages of a pair in order"
	}
	if t.AnyOrder {
		s += "; messages of a pair may overtake each other"
	}
	if t.Ticks {
		s += "; timeouts as long as they say, in ticks; a message takes at most one tick"
	}
	if t.AnyTime {
		s += "; timers may expire while messages are under way"
	}
	heals, heal := "partition, which may heal", "partitions, which may heal"
	if t.Faults.CutsLast {
		heals, heal = "partition, which does not heal", "partitions, which do not heal"
	}
	for _, f := range []struct {
		n            int
		one, several string
	}{
		{t.Faults.Crash, "crash", "crashes"}, {t.Faults.Recover, "restart", "restarts"}, {t.Faults.Suspicions, "false alarm", "false alarms"},
		{t.Faults.Lose, "lost message", "lost messages"}, {t.Faults.Duplicate, "duplicated message", "duplicated messages"},
		{t.Faults.Hang, "hung thread", "hung threads"}, {t.Faults.Partition, heals, heal},
	} {
		if f.n > 0 {
			s += "; up to " + words.Counted(f.n, f.one, f.several)
		}
	}
	for k, size := range t.Smaller {
		if k == 0 {
			s += "; a claim for which that is too large is decided in the first that is not of"
		}
		s += " " + size.String()
		if k < len(t.Smaller)-1 {
			s += ","
		}
	}
	if t.Smaller != nil {
		s += " (nodes × times)"
	}
	return s
}
