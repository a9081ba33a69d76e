package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"slices"

	"shmbench/distributed"
	"shmbench/distributed/survey"
	"shmbench/internal/cli"
	"shmbench/internal/tty"
)

var tableVerb = cli.Verb{
	Name:    "table",
	Summary: "compare messages, delays, fairness and crashes of all algorithms with the textbook",
	Example: "dmesim table -nodes 31\ndmesim table -alg 'raymond|naimi-trehel' -nodes 100 -json\ndmesim table -alg 'raymond|alien' -tree star\ndmesim table -resources 4",
	Setup: func(fs *flag.FlagSet) cli.Body {
		choose := chooseSome(fs, algorithms)
		nodes := fs.Int("nodes", 31, "how many nodes")
		nodesLimit(fs, distributed.MaxNodes)
		var tree, quorums string
		shapeFlags(fs, &tree, &quorums)
		var resources int
		resourcesFlag(fs, &resources)
		var server bool
		serverFlag(fs, &server)
		var seed uint64
		var asJSON bool
		cli.SeedFlag(fs, &seed)
		cli.JSONFlag(fs, &asJSON)
		return apart(fs, func(ctx context.Context, e cli.Env, _ []string) error {
			if choose.list {
				return choose.writeList(e.Stdout)
			}
			chosen, err := choose.mutexes()
			if err != nil {
				return err
			}
			subjects, err := tableOf(chosen, *nodes, tree, quorums, resources, server)
			if err != nil {
				return err
			}
			bar := tty.NewProgress(e.Stderr, 0)
			rows, err := survey.Table(ctx, subjects, seed, func(done, of int) { bar.Of(done, of, "algorithms") })
			bar.Clear()
			if err != nil && ctx.Err() == nil {
				return err
			}
			missing := cli.Interrupted(ctx, "%d of %d algorithms are complete", len(rows), len(chosen))
			if asJSON {
				return cli.First(writeJSON(e.Stdout, "table", missing == nil, rows), missing)
			}
			return cli.First(survey.Rows(rows).WriteText(e.Stdout), missing)
		})
	},
}

// tableOf returns each algorithm on so many nodes, in the shape asked for if it
// has such a one; one of them must.
func tableOf(chosen []*distributed.Algorithm, nodes int, tree, quorums string, resources int, server bool) ([]survey.Subject, error) {
	if err := someRoute(chosen, tree); err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(chosen, func(a *distributed.Algorithm) bool { return a.Quorums }) && quorums != "" {
		return nil, fmt.Errorf("-quorums %s: none of the algorithms has quorums", quorums)
	}
	if server && !slices.ContainsFunc(chosen, func(a *distributed.Algorithm) bool { return a.Server }) {
		return nil, errors.New("-server: none of the algorithms has a server")
	}
	var subjects []survey.Subject
	for _, a := range chosen {
		s := survey.Subject{System: distributed.Config{Nodes: nodes, Threads: 1, Server: server && a.Server}, Resources: resources}
		err := s.System.Check()
		if err != nil {
			return nil, err
		}
		its := func(applies bool, shape string) string {
			if applies {
				return shape
			}
			return ""
		}
		if err := shape(a, &s.System, its(a.Tree, tree), its(a.Quorums, quorums)); err != nil {
			return nil, err
		}
		if s.Algorithm, err = ofResources(a, resources); err != nil {
			return nil, err
		}
		subjects = append(subjects, s)
	}
	return subjects, nil
}
