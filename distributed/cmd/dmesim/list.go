package main

import (
	"context"
	"flag"
	"fmt"
	"io"

	"shmbench/distributed/scenario"
	"shmbench/internal/cli"
)

var listVerb = cli.Verb{
	Name:    "list",
	Summary: "list the algorithms, the elections, their mutants, and the worked examples",
	Example: "dmesim list",
	Setup: func(*flag.FlagSet) cli.Body {
		return func(_ context.Context, e cli.Env, _ []string) error {
			for _, part := range []struct {
				heading string
				kinds   int
			}{{"algorithms", algorithms}, {"elections", elections}, {"mutants", algorithms | elections | broken}} {
				if err := writeSubjects(e.Stdout, part.heading, part.kinds); err != nil {
					return err
				}
			}
			return writeScenarios(e.Stdout)
		}
	},
}

// writeSubjects writes the subjects of some kinds: mutants only if they are among them.
func writeSubjects(w io.Writer, heading string, kinds int) error {
	fmt.Fprintf(w, "%s:\n", heading)
	for _, s := range subjects(kinds).All {
		if s.mutant != (kinds&broken != 0) {
			continue
		}
		if _, err := fmt.Fprintf(w, "  %-34s %s\n", s.name, s.title); err != nil {
			return err
		}
	}
	return nil
}

// writeScenarios writes the shipped scenarios.
func writeScenarios(w io.Writer) error {
	fmt.Fprintln(w, "worked examples, for dmesim replay:")
	for _, name := range scenario.Names() {
		s, err := scenario.Shipped(name)
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(w, "  %-34s %s\n", name, s.Title); err != nil {
			return err
		}
	}
	return nil
}
