package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"shmbench/check"
	"shmbench/check/lockstep"
	"shmbench/internal/cli"
	"shmbench/internal/results/document"
)

var lockstepVerb = verb{
	Name:    "lockstep",
	Args:    "[NAME]",
	About:   "NAME is a lock of the catalog (default tournament/priority).",
	Summary: "execute a lock synchronously: every process takes one line of pseudo-code at a time",
	Example: "shmbench lockstep queue/mcs -procs 3\n" +
		"shmbench lockstep tournament/priority -procs 8 -ask 1:0,1,3,5,6 -ask 2:2,4,7 -lines 7 -cs 1",
	Setup: func(fs *flag.FlagSet) body {
		l := &lockstepFlags{run: lockstep.Execution{Ask: map[int][]int{}}}
		fs.IntVar(&l.run.N, "procs", 8, "number of processes")
		cli.Between(fs, "procs", 1, check.MaxProcs, "the number of processes")
		fs.Var(collected(l.ask), "ask", "processes that begin their entry section in one round, as `round:id,id,...`; may be repeated (default all processes in round 1)")
		fs.IntVar(&l.run.Lines, "lines", 7, "lines after which a process in its entry section ends a round")
		cli.AtLeast(fs, "lines", 1, "the number of lines")
		fs.IntVar(&l.run.CS, "cs", 1, "rounds from the entry to the beginning of the exit section")
		cli.AtLeast(fs, "cs", 1, "the number of rounds")
		fs.StringVar(&l.page, "o", "", "write a page to this `file`, which ends with .html, that steps through the execution")
		cli.Ending(fs, "o", pageEnding)
		cli.Writes(fs, "o")
		jsonFlag(fs, &l.json)
		return l.execute
	},
}

type lockstepFlags struct {
	page string
	json bool
	run  lockstep.Execution
}

// ask reads "2:0,3".
func (l *lockstepFlags) ask(s string) error {
	bad := errors.New("write it as round:id,id,... such as 1:0,3")
	before, after, ok := strings.Cut(s, ":")
	round, err := strconv.Atoi(before)
	if !ok || err != nil || round < 1 {
		return bad
	}
	for word := range strings.SplitSeq(after, ",") {
		pid, err := strconv.Atoi(word)
		if err != nil {
			return bad
		}
		if slices.Contains(l.run.Ask[round], pid) {
			return fmt.Errorf("process %d asks twice in round %d", pid, round)
		}
		l.run.Ask[round] = append(l.run.Ask[round], pid)
	}
	return nil
}

func (l *lockstepFlags) execute(ctx context.Context, e env, args []string) error {
	name := "tournament/priority"
	switch len(args) {
	case 0:
	case 1:
		name = args[0]
	default:
		return fmt.Errorf("unexpected argument %q: give one name", args[1])
	}
	a, err := locks().Get(name)
	if err := first(err, native()); err != nil {
		return err
	}
	if len(l.run.Ask) == 0 {
		for pid := range l.run.N {
			l.run.Ask[1] = append(l.run.Ask[1], pid)
		}
	}
	r, err := l.run.Run(ctx, a)
	if err != nil {
		return err
	}
	if l.page != "" {
		if err := writeSteps(e.Stderr, l.page, document.Lockstep, r, r.Texts()); err != nil {
			return err
		}
	}
	if l.json {
		err = writeSourced(e.Stdout, document.Lockstep, true, r, r.Texts())
	} else {
		err = r.WriteText(e.Stdout)
	}
	if err == nil && len(r.Waiting) > 0 {
		return cutShort("given up, while processes %s still wait", cli.Joined(r.Waiting))
	}
	return err
}
