package main

import (
	"context"
	"flag"
	"io"

	"shmbench/distributed/survey"
	"shmbench/internal/tty"
)

var distScale = verb{
	name:    "dist scale",
	summary: "measure messages an entry against the number of nodes",
	example: "shmbench dist scale -svg scale.svg\nshmbench dist scale -alg raymond,naimi-trehel,mueller -nodes 100,1000,10000",
	setup: func(fs *flag.FlagSet) body {
		algs := fs.String("alg", "", "algorithms with commas between them (default all)")
		nodes := fs.String("nodes", "4,10,31,100,316,1000,3162,10000", "numbers of nodes, the lowest first")
		seed := fs.Uint64("seed", 1, "seed of all randomness")
		asJSON := fs.Bool("json", false, "print one object a point")
		svg := fs.String("svg", "", "also draw it, both axes logarithmic, into this `file`")
		return func(ctx context.Context, e env, _ []string) error {
			chosen, err := parseAlgorithms(*algs)
			if err != nil {
				return err
			}
			ns, err := parseInts("-nodes", *nodes)
			if err != nil {
				return err
			}
			bar := tty.NewProgress(e.stderr, 0)
			points, err := survey.Scale(ctx, chosen, ns, *seed, func(done, of int) { bar.Of(done, of, "algorithms") })
			bar.Clear()
			if err := unlessStopped(e, "dist scale", err); err != nil {
				return err
			}
			if *svg != "" {
				err := writeFile(*svg, func(w io.Writer) error { return survey.WriteScaleFigure(w, points) })
				if err != nil {
					return err
				}
			}
			if *asJSON {
				return writeObjects(e.stdout, points)
			}
			return survey.ScalePoints(points).WriteText(e.stdout)
		}
	},
}
