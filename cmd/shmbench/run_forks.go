package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"

	"shmbench/bench"
	"shmbench/internal/isolate"
	"shmbench/spin"
)

// forkMarker is the environment variable that holds what a fork is to measure.
const forkMarker = "SHMBENCH_FORK"

// fork is what one of several programs measures.
type fork struct {
	Flags  []string // of run
	Rounds int
}

// event is something that a fork tells its parent's listener.
type event struct {
	Begin  bool
	Case   int // number of the case, where one begins or has failed
	Round  int
	Line   *bench.Line
	Failed string
	Broken *bench.BrokenError
	Error  string // the last event of a run that ended early
}

// forked takes the samples in several programs, one after another, among which
// the rounds are divided.
func (f *runFlags) forked(ctx context.Context, e env, suite bench.Suite, l bench.Listener) error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	task := fork{}
	f.fs.Visit(func(given *flag.Flag) {
		if !slices.Contains([]string{"o", "json", "forks", "count", "selfcheck", "cpuprofile", "exectrace", "reruns"}, given.Name) {
			task.Flags = append(task.Flags, "-"+given.Name+"="+given.Value.String())
		}
	})
	begun := 0
	for i := range f.forks {
		task.Rounds = (i+1)*f.count/f.forks - i*f.count/f.forks
		if err := task.run(ctx, e, program, suite, i+1, begun, l); err != nil {
			return err
		}
		begun += task.Rounds
	}
	return nil
}

// run runs one fork and passes on what it tells.
func (t fork) run(ctx context.Context, e env, program string, suite bench.Suite, number, begun int, l bench.Listener) error {
	text, err := json.Marshal(t)
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	cmd, err := isolate.Command(ctx, program)
	if err != nil {
		return err
	}
	cmd.Env = append(cmd.Env, forkMarker+"="+string(text))
	cmd.Stderr = e.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	told := passOn(json.NewDecoder(out), suite, number, begun, l)
	ended := ctx.Err()
	if told != nil {
		stop()
		io.Copy(io.Discard, out)
	}
	err = cmd.Wait()
	return first(ended, told, err)
}

func passOn(events *json.Decoder, suite bench.Suite, number, begun int, l bench.Listener) error {
	cases, _ := suite.Cases()
	for {
		var ev event
		if err := events.Decode(&ev); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		switch {
		case ev.Error != "":
			return errors.New(ev.Error)
		case ev.Begin:
			l.Begin(cases[ev.Case], begun+ev.Round)
		case ev.Broken != nil:
			l.Failed(cases[ev.Case], fmt.Errorf("%s: %w", cases[ev.Case].Algorithm.Name, ev.Broken))
		case ev.Failed != "":
			l.Failed(cases[ev.Case], errors.New(ev.Failed))
		case ev.Line != nil:
			ev.Line.Fork = number
			if err := l.Line(*ev.Line); err != nil {
				return err
			}
		}
	}
}

// forkedChild measures for a parent, if there is one, and then does not return.
func forkedChild(ctx context.Context) {
	text, ok := os.LookupEnv(forkMarker)
	if !ok {
		return
	}
	t := teller{out: json.NewEncoder(os.Stdout)}
	if err := t.measure(ctx, text); err != nil && ctx.Err() == nil {
		t.out.Encode(event{Error: err.Error()})
	}
	os.Exit(exitHolds)
}

// teller tells a parent what a suite does.
type teller struct {
	out   *json.Encoder
	cases []bench.Case
}

func (t *teller) measure(ctx context.Context, text string) error {
	var task fork
	if err := json.Unmarshal([]byte(text), &task); err != nil {
		return err
	}
	fs := flag.NewFlagSet("run", flag.ContinueOnError)
	f := &runFlags{fs: fs}
	f.declare()
	if err := fs.Parse(append(task.Flags, fmt.Sprintf("-count=%d", task.Rounds))); err != nil {
		return err
	}
	suite, err := f.suite()
	if err != nil {
		return err
	}
	policy, err := spin.ParsePolicy(f.wait)
	if err != nil {
		return err
	}
	spin.Use(policy)
	if counters, err := bench.OpenCounters(); err == nil {
		defer counters.Close()
		suite.Options.Counters = counters
	}
	t.cases, _ = suite.Cases()
	return suite.Run(ctx, t)
}

func (t *teller) number(c bench.Case) int {
	return slices.IndexFunc(t.cases, func(o bench.Case) bool {
		return o.Procs == c.Procs && o.Algorithm.Name == c.Algorithm.Name
	})
}

func (t *teller) Begin(c bench.Case, round int) {
	t.out.Encode(event{Begin: true, Case: t.number(c), Round: round})
}

func (t *teller) Line(l bench.Line) error { return t.out.Encode(event{Line: &l}) }

func (t *teller) Failed(c bench.Case, err error) {
	ev := event{Case: t.number(c), Failed: err.Error()}
	errors.As(err, &ev.Broken)
	t.out.Encode(ev)
}
