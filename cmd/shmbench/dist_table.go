package main

import (
	"context"
	"flag"

	"shmbench/distributed/survey"
	"shmbench/internal/tty"
)

var distTable = verb{
	name:    "dist table",
	summary: "measure messages, delays, fairness and crashes of all algorithms against the textbook",
	example: "shmbench dist table -nodes 31\nshmbench dist table -alg 'raymond|naimi-trehel' -nodes 100 -json",
	setup: func(fs *flag.FlagSet) body {
		choose := chooseSome(fs, algorithms)
		nodes := fs.Int("nodes", 31, "how many nodes")
		var seed uint64
		var asJSON bool
		seedFlag(fs, &seed)
		jsonFlag(fs, &asJSON)
		return func(ctx context.Context, e env, _ []string) error {
			if choose.list {
				return choose.writeList(e.stdout)
			}
			chosen, err := choose.mutexes()
			if err != nil {
				return err
			}
			bar := tty.NewProgress(e.stderr, 0)
			rows, err := survey.Table(ctx, chosen, *nodes, seed, func(done, of int) { bar.Of(done, of, "algorithms") })
			bar.Clear()
			if err != nil && ctx.Err() == nil {
				return err
			}
			missing := interrupted(ctx, "%d of %d algorithms are complete", len(rows), len(chosen))
			if asJSON {
				return first(writeJSON(e.stdout, "dist table", missing == nil, rows), missing)
			}
			return first(survey.Rows(rows).WriteText(e.stdout), missing)
		}
	},
}
