package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"shmbench/distributed/explore"
	"shmbench/distributed/mutants"
	"shmbench/internal/cli"
	"shmbench/internal/cli/table"
	"shmbench/internal/cli/tty"
)

var mutantsVerb = cli.Verb{
	Name:    "mutants",
	Summary: "explore the broken algorithms; each must get its known verdict",
	Example: "dmesim mutants\ndmesim mutants -alg ^ring-",
	Setup: func(fs *flag.FlagSet) cli.Body {
		var asJSON bool
		var alg string
		cli.AlgFlag(fs, &alg)
		cli.JSONFlag(fs, &asJSON)
		return guarded(fs, func(ctx context.Context, e cli.Env, _ []string) error {
			chosen, err := brokenNodes().Match(alg)
			if err != nil {
				return err
			}
			bar := tty.NewProgress(e.Stderr, len(chosen))
			kills, err := killAll(ctx, chosen, bar)
			bar.Clear()
			if err != nil {
				return err
			}
			var violated error
			if slices.ContainsFunc(kills, func(k kill) bool { return !k.AsExpected }) {
				violated = cli.ErrViolated
			}
			return printed(e, "mutants", asJSON, kills, func(w io.Writer) error { return writeKills(w, kills) },
				cli.Interrupted(ctx, "%d of %d mutants were explored", len(kills), len(chosen)), violated)
		})
	},
}

// kill is what became of one mutant.
type kill struct {
	Name          string           `json:"name"`
	Flaw          string           `json:"flaw"`
	Expected      explore.Property `json:"expected"` // "": equivalent, must hold
	ExpectedSteps int              `json:"expected_steps"`
	Found         explore.Property `json:"found"`
	Steps         int              `json:"steps"`                // of the trace, its loop not counted
	Invariants    map[string]int   `json:"invariants,omitempty"` // of the algorithm's that break, with the steps of their traces
	States        int              `json:"states"`
	AsExpected    bool             `json:"as_expected"`
}

func brokenNodes() cli.Named[mutants.Mutant] {
	return cli.Named[mutants.Mutant]{Kind: "mutant", All: mutants.All, Name: func(m mutants.Mutant) string { return m.Name }}
}

// killAll explores mutants, as many as it can before ctx ends.
func killAll(ctx context.Context, chosen []mutants.Mutant, bar *tty.Progress) ([]kill, error) {
	kills := []kill{}
	for i, m := range chosen {
		bar.At(i, m.Name)
		model, err := m.Model()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m.Name, err)
		}
		r, err := explore.Explore(ctx, model)
		if err != nil {
			return nil, err
		}
		if ctx.Err() != nil {
			break
		}
		k := kill{Name: m.Name, Flaw: m.Flaw, Expected: m.Breaks, ExpectedSteps: m.Steps, States: r.States, Invariants: m.Broken(r), AsExpected: m.Confirms(r)}
		if v := r.Broken(m.Breaks); v != nil {
			k.Found, k.Steps = v.Property, v.Steps()
		} else if len(r.Violations) > 0 {
			k.Found, k.Steps = r.Violations[0].Property, r.Violations[0].Steps()
		}
		kills = append(kills, k)
	}
	return kills, nil
}

func writeKills(w io.Writer, kills []kill) error {
	t := table.New(w, "mutant", "breaks", "steps", "states", "invariants broken", "flaw")
	for _, k := range kills {
		breaks := string(k.Found)
		if breaks == "" {
			breaks = "nothing"
		}
		if !k.AsExpected {
			breaks += fmt.Sprintf(" (NOT AS EXPECTED: %q in %d steps)", k.Expected, k.ExpectedSteps)
		}
		fmt.Fprintf(t, "%s\t%s\t%d\t%d\t%s\t%s\n", k.Name, breaks, k.Steps, k.States, invariantSteps(k.Invariants), k.Flaw)
	}
	return t.Flush()
}

// invariantSteps lists invariants with the steps of their traces: "one token (3)".
func invariantSteps(invariants map[string]int) string {
	var list []string
	for _, name := range slices.Sorted(maps.Keys(invariants)) {
		list = append(list, fmt.Sprintf("%s (%d)", name, invariants[name]))
	}
	return strings.Join(list, ", ")
}
