package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"slices"

	"shmbench/distributed"
	"shmbench/distributed/survey"
	"shmbench/internal/cli"
)

var scaleVerb = cli.Verb{
	Name:    "scale",
	Summary: "measure messages per entry against the number of nodes",
	Example: "dmesim scale -o scale.svg\ndmesim scale -alg 'raymond|naimi-trehel|mueller' -nodes 100,1000,10000",
	Setup: func(fs *flag.FlagSet) cli.Body {
		choose := chooseSome(fs, algorithms)
		nodes := cli.Numbers[int]{4, 10, 31, 100, 316, 1000, 3162, 10000}
		fs.Var(&nodes, "nodes", "`numbers` of nodes, the lowest first")
		nodesLimit(fs, distributed.MaxNodes)
		var asJSON bool
		cli.JSONFlag(fs, &asJSON)
		svg := fs.String("o", "", "also draw it, both axes logarithmic, into this `file`")
		cli.WritesKind(fs, cli.Drawing, "o")
		return apart(fs, func(ctx context.Context, e cli.Env, _ []string) error {
			chosen, err := choose.mutexes()
			if err != nil {
				return err
			}
			if len(nodes) < 2 || !slices.IsSorted(nodes) {
				return fmt.Errorf("-nodes %v: write at least two numbers, the lowest first", &nodes)
			}
			points, err := measured(ctx, e, "algorithms", func(progress func(done, of int)) ([]survey.ScalePoint, error) {
				return survey.Scale(ctx, chosen, nodes, firstSeed, progress)
			})
			if err != nil {
				return err
			}
			missing := cli.Interrupted(ctx, "%d of %d points are complete", len(points), len(chosen)*len(nodes))
			if *svg != "" {
				err := cli.WriteFile(*svg, missing, func(w io.Writer) error { return survey.WriteScaleFigure(w, points) })
				if err != nil {
					return err
				}
			}
			return printed(e, "scale", asJSON, points, survey.ScalePoints(points).WriteText, missing)
		})
	},
}
