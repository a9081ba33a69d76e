package main

import (
	"context"
	"errors"
	"flag"
	"fmt"

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
			complete := err == nil
			if err := unlessStopped(e, "dist table", err); err != nil {
				return err
			}
			if asJSON {
				return writeJSON(e.stdout, "dist table", complete, rows)
			}
			return survey.Rows(rows).WriteText(e.stdout)
		}
	},
}

// unlessStopped returns err unless it is that the user has stopped the verb,
// which it says on standard error: what is complete is then printed.
func unlessStopped(e env, verb string, err error) error {
	if errors.Is(err, context.Canceled) {
		fmt.Fprintf(e.stderr, "shmbench %s: stopped; what is complete follows\n", verb)
		return nil
	}
	return err
}
