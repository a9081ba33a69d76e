package main

import (
	"context"
	"flag"
	"fmt"
	"slices"

	"shmbench/distributed"
	"shmbench/distributed/survey"
	"shmbench/internal/cli"
)

var tableVerb = cli.Verb{
	Name:    "table",
	Summary: "compare messages, delays, fairness and crashes of all algorithms with the textbook",
	Example: "dmesim table -nodes 31\ndmesim table -alg 'raymond|naimi-trehel' -nodes 100 -json\ndmesim table -alg 'raymond|alien' -shape star",
	Setup: func(fs *flag.FlagSet) cli.Body {
		choose := chooseSome(fs, algorithms)
		nodes := fs.Int("nodes", 31, "how many nodes")
		nodesLimit(fs, distributed.MaxNodes)
		var shape string
		shapeFlag(fs, &shape)
		var asJSON bool
		cli.JSONFlag(fs, &asJSON)
		return apart(fs, func(ctx context.Context, e cli.Env, _ []string) error {
			chosen, err := choose.mutexes()
			if err != nil {
				return err
			}
			subjects, err := tableOf(chosen, *nodes, shape)
			if err != nil {
				return err
			}
			rows, err := measured(ctx, e, "algorithms", func(progress func(done, of int)) ([]survey.Row, error) {
				return survey.Table(ctx, subjects, firstSeed, progress)
			})
			if err != nil {
				return err
			}
			missing := cli.Interrupted(ctx, "%d of %d algorithms are complete", len(rows), len(chosen))
			return printed(e, "table", asJSON, rows, survey.Rows(rows).WriteText, missing)
		})
	},
}

// firstSeed is the seed of experiments whose intervals say how much chance does.
const firstSeed = 1

// tableOf returns each algorithm on so many nodes, in the shape asked for if it has such a
// one; one of them must.
func tableOf(chosen []*distributed.Algorithm, nodes int, text string) ([]survey.Subject, error) {
	kind, err := kindOf(text)
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(chosen, kind.takes) {
		return nil, fmt.Errorf("-shape %s: none of the algorithms has %v", text, kind)
	}
	var subjects []survey.Subject
	for _, a := range chosen {
		s := survey.Subject{Algorithm: a, System: distributed.Config{Nodes: nodes, Threads: 1}, Resources: 1}
		if err := s.System.Check(); err != nil {
			return nil, err
		}
		if kind.takes(a) {
			if err := shape(a, &s.System, text); err != nil {
				return nil, err
			}
		}
		subjects = append(subjects, s)
	}
	return subjects, nil
}
