package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"time"

	"shmbench/distributed/natsnet/history"
	"shmbench/internal/cli"
)

var judgeVerb = cli.Verb{
	Name:    "judge",
	Summary: "judge a run from outside, by the histories that its nodes have left",
	Args:    "FILE...",
	Example: "dmebench judge node0.history node1.history node2.history\ndmebench judge -one-machine *.history",
	Setup: func(fs *flag.FlagSet) cli.Body {
		one := fs.Bool("one-machine", false, "all nodes were on one machine: their times are of one clock, and are compared")
		within := fs.Duration("within", time.Minute, "leave it undecided after that")
		asJSON := fs.Bool("json", false, "print one JSON document")
		return func(_ context.Context, e cli.Env, args []string) error {
			if len(args) == 0 {
				return errors.New("it wants the files that -history of \"dmebench node\" has written, one a node")
			}
			var entries []history.Entry
			for _, name := range args {
				f, err := os.Open(name)
				if err != nil {
					return err
				}
				entries, err = history.Read(f, entries)
				f.Close()
				if err != nil {
					return fmt.Errorf("%s: %w", name, err)
				}
			}
			v := history.CheckTokens(entries)
			if *one && v.Holds {
				v = history.Check(entries, *within)
			}
			if err := say(e, v, *asJSON); err != nil {
				return err
			}
			switch {
			case !v.Holds:
				return cli.ErrViolated
			case !v.Decided:
				return cli.CutShort("not decided within %v", *within)
			case v.Entries == 0:
				return cli.CutShort("nobody has entered: there is nothing to judge by")
			}
			return nil
		}
	},
}

// say prints a verdict.
func say(e cli.Env, v history.Verdict, asJSON bool) error {
	if asJSON {
		return cli.WriteJSON(e.Stdout, "dmebench", "judge", v.Decided, v)
	}
	word := "holds"
	if !v.Holds {
		word = v.Detail
	}
	_, err := fmt.Fprintf(e.Stdout, "%d entries: %s\n", v.Entries, word)
	return err
}
