package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"time"

	"shmbench/distributed/natsnet/history"
	"shmbench/internal/cli"
)

var judgeVerb = cli.Verb{
	Name:    "judge",
	Summary: "decide from outside, by the histories that its nodes have left, whether a run kept mutual exclusion",
	Args:    "FILE...",
	Example: "dmebench judge -resource kv -run $DMEBENCH_RUN node0.history node1.history node2.history\ndmebench judge -one-machine *.history",
	Setup: func(fs *flag.FlagSet) cli.Body {
		j := &judgeFlags{}
		fs.BoolVar(&j.one, "one-machine", false, "all nodes ran on one machine: the judge compares their times")
		fs.DurationVar(&j.within, "within", time.Minute, "how long the judge may compare times")
		cli.AtLeast(fs, "within", time.Millisecond, "the time")
		fs.BoolVar(&j.json, "json", false, "print one JSON document")
		j.resource.flags(fs)
		return j.judge
	},
}

// judgeFlags is one use of the verb.
type judgeFlags struct {
	one, json bool
	within    time.Duration
	resource  resourceFlags
}

func (j *judgeFlags) judge(ctx context.Context, e cli.Env, names []string) error {
	if len(names) == 0 {
		return errors.New("it wants the files that -history of \"dmebench node\" has written, one a node")
	}
	evidence := history.Evidence{OneClock: j.one, Within: j.within}
	for _, name := range names {
		h, err := history.ReadFile(name)
		if err != nil {
			return err
		}
		evidence.Histories = append(evidence.Histories, h)
	}
	if err := history.Consistent(names, evidence.Histories, j.one); err != nil {
		return err
	}
	if j.resource.where != "" {
		state, err := j.resource.state(ctx)
		if err != nil {
			return err
		}
		evidence.Resource = &state
	}
	v := history.Judge(evidence)
	if err := j.print(e, v); err != nil {
		return err
	}
	return judged(v)
}

// judged returns the error of a verb that has printed v.
func judged(v history.Verdict) error {
	switch {
	case !v.Holds:
		return cli.ErrViolated
	case !v.Decided:
		return cli.CutShort("not decided: %s", v.Detail)
	}
	return nil
}

func (j *judgeFlags) print(e cli.Env, v history.Verdict) error {
	if j.json {
		return cli.WriteJSON(e.Stdout, "dmebench", "judge", v.Decided, v)
	}
	_, err := fmt.Fprintf(e.Stdout, "%d entries: %s\n", v.Entries, inWords(v))
	return err
}

// inWords returns the verdict on one line.
func inWords(v history.Verdict) string {
	switch {
	case !v.Holds:
		return "VIOLATED: " + v.Detail
	case !v.Decided:
		return "not decided: " + v.Detail
	}
	return "holds: " + v.Detail
}
