package trace

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"reflect"
	"slices"

	"shmbench/check/internal/compiled"
	"shmbench/check/internal/execution"
	"shmbench/check/internal/explore"
	"shmbench/check/internal/replay"
	"shmbench/check/internal/source"
	"shmbench/internal/results/document"
)

// rounds is how often the cycle of a trace is run.
const rounds = 100

// Format is the format of a file of traces: its document has it beside
// the traces, which are its results.
const Format = document.Trace

// Read reads a file of traces, as shmbench check -o FILE.json writes them.
func Read(file string) ([]*Trace, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var document struct {
		Format  string
		Results []*Trace
	}
	if err := json.Unmarshal(text, &document); err != nil {
		return nil, fmt.Errorf("%s is not a file of traces: %v", file, err)
	}
	if document.Format != Format {
		return nil, fmt.Errorf("%s is not a file of traces that this version reads: its format is %q, not %q", file, document.Format, Format)
	}
	traces := document.Results
	for _, t := range traces {
		if t.N < 1 || t.N > source.MaxProcs || t.Cycle < -1 || t.Cycle > len(t.Steps) || len(t.Steps) == 0 && (t.Property == "" || t.Cycle >= 0) {
			return nil, fmt.Errorf("%s is not a file of traces: the one for %q has n = %d and %d steps", file, t.Property, t.N, len(t.Steps))
		}
		for i, s := range t.Steps {
			if s.Process < 0 || s.Process >= t.N {
				return nil, fmt.Errorf("%s is not a file of traces: step %d is by process %d of %d", file, i+1, s.Process, t.N)
			}
		}
	}
	return traces, nil
}

// Replay runs a trace's schedule on the compiled code, and its cycle many times. It prints
// each step to w as the code makes it, and the end. It returns an error if the code does
// anything else than the trace says.
func (t *Trace) Replay(ctx context.Context, w io.Writer) error {
	if t.RegisterModel != "" {
		return fmt.Errorf("a trace on %s registers cannot be run: those of compiled Go are atomic", t.RegisterModel)
	}
	s, err := t.Origin.Lock(ctx, t.Mixed)
	if err != nil {
		return err
	}
	if t.Crashes != "" {
		s = s.Crash(explore.Crashes{System: slices.ContainsFunc(t.Steps, func(s execution.Step) bool { return s.Op == execution.CrashAll })})
	}
	code, err := s.Compiled(ctx)
	if err != nil {
		return err
	}
	defer code.Close()
	return t.replay(ctx, w, s, code)
}

func (t *Trace) replay(ctx context.Context, w io.Writer, s *source.Lock, code *replay.Program) error {
	lock, err := s.LearnSome(ctx, t.N)
	if err != nil {
		return err
	}
	sim := execution.NewFollower(lock.Learner, s.Crashes)
	m := compiled.NewMirror(ctx, s, lock, sim.Again, code)
	if err := m.Stoppable(); err != nil {
		return fmt.Errorf("%s cannot be replayed: %w", s.Name, err)
	}
	var schedule []byte
	run := *t
	run.Steps = nil
	for i, want := range t.Steps {
		step, err := sim.Step(want)
		if err != nil {
			return err
		}
		if !reflect.DeepEqual(step, want) {
			return fmt.Errorf("the code has changed since the trace was written: step %d is %s at %s:%d, not %s",
				i+1, step.What(), step.File, step.Line, want.What())
		}
		run.Steps = append(run.Steps, step)
		schedule = append(schedule, byte(want.Actor(sim.Actors())))
	}
	t.Code, t.texts = s.Code(lock)
	var whole []byte
	for _, at := range inRounds(len(schedule), t.Cycle) {
		whole = append(whole, schedule[at])
	}
	return run.confirm(w, m, whole)
}

// inRounds returns which of n steps come one after another if the steps from cycle on are made
// in so many rounds. A negative cycle is none.
func inRounds(n, cycle int) (all []int) {
	for at := range n {
		all = append(all, at)
	}
	if cycle < 0 {
		return all
	}
	round := all[cycle:]
	for range rounds - 1 {
		all = append(all, round...)
	}
	return all
}

// confirm runs a trace on the compiled code, and prints it. The schedule has all rounds of the cycle.
func (t *Trace) confirm(w io.Writer, m *compiled.Mirror, schedule []byte) error {
	if err := m.Same(schedule); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "%s\nThe compiled code of %s makes the same %d accesses", t, m.Lock.Name, len(schedule))
	if err == nil && t.Cycle >= 0 {
		_, err = fmt.Fprintf(w, ", %d times around the cycle", rounds)
	}
	if err == nil {
		_, err = fmt.Fprintf(w, ", and ends in the same way:\n%s.\n", t.End)
	}
	return err
}
