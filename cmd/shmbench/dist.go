package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
)

var distVerb = verb{
	name:    "dist",
	summary: "mutual exclusion and elections by messages: simulate, compare, explore",
	args:    "VERB [flags]",
	example: distExample(),
	setup: func(*flag.FlagSet) body {
		return distRun
	},
}

// distVerbs are the verbs of the wing, in the order in which help shows them.
var distVerbs = []verb{
	distStudy,
}

// distRun runs one verb of the wing.
func distRun(ctx context.Context, e env, args []string) error {
	names := make([]string, len(distVerbs))
	for i, v := range distVerbs {
		names[i] = v.name
	}
	if len(args) == 0 {
		return fmt.Errorf("want one of %s after it", strings.Join(names, ", "))
	}
	for _, v := range distVerbs {
		if v.name != args[0] {
			continue
		}
		err := v.runUnder(ctx, e, "dist", args[1:])
		if err != nil && !errors.Is(err, errViolated) {
			err = fmt.Errorf("%s: %w", v.name, err)
		}
		return err
	}
	return fmt.Errorf("no verb %q; there are %s", args[0], strings.Join(names, ", "))
}

// runUnder runs v as a verb of the verb parent.
func (v verb) runUnder(ctx context.Context, e env, parent string, args []string) error {
	fs := flag.NewFlagSet(v.name, flag.ContinueOnError)
	fs.SetOutput(io.Discard) // the caller prints errors, in one line
	do := v.setup(fs)
	switch err := fs.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		v.name = parent + " " + v.name
		v.help(e.stdout, fs)
		return nil
	case err != nil:
		return err
	}
	if v.args == "" && fs.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q: this verb takes flags only", fs.Arg(0))
	}
	return do(ctx, e, fs.Args())
}

func distExample() string {
	var b strings.Builder
	for i, v := range distVerbs {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "shmbench dist %-8s %s", v.name, v.summary)
	}
	return b.String()
}
