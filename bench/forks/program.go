package forks

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"shmbench/bench"
	"shmbench/internal/run/isolate"
	"shmbench/shm"
)

// service is the name of the service of a program that measures.
const service = "measure"

// question is a question to a program. One of the two fields is set.
type question struct {
	Measure  *Experiment `json:",omitempty"`
	Describe *about      `json:",omitempty"`
}

// about is a question about the user's lock.
type about struct {
	Name  string // for a lock without a specification
	Procs []int  // the numbers of processes that matter
}

// event is a message of a program to its parent.
type event struct {
	Begin  bool
	Case   int // number of the case that begins or has failed
	Round  int
	Line   *bench.Line
	Failed string
	Broken *bench.BrokenError
	Stuck  *bench.StuckError
	Lock   *Description
}

// Description is the answer of a program about the user's lock.
type Description struct {
	Name               string
	MinProcs, MaxProcs int
	Modes              []shm.Mode
	// Specification is the specification of the lock, as a bench.Specification in JSON.
	// It is nil for a lock that is only a function.
	Specification json.RawMessage `json:",omitempty"`
	// Loop is the place of the measured loop in the program: see bench.LoopPlace.
	Loop string
}

// Program is the path of a program that calls Serve or Main.
type Program string

// Describe asks the program about the user's lock, for some numbers of processes. A
// lock without a specification gets the given name.
func (p Program) Describe(ctx context.Context, name string, procs []int) (*Description, error) {
	var lock *Description
	err := p.ask(ctx, question{Describe: &about{name, procs}}, func(ev event) error {
		lock = ev.Lock
		return nil
	})
	if err == nil && lock == nil {
		err = errors.New("the program has said nothing")
	}
	return lock, err
}

// Measure lets the program measure, and tells l about each sample. The cases are those of the
// experiment, and begun rounds came before. If several programs measure, number is the number
// of this one; otherwise it is 0.
func (p Program) Measure(ctx context.Context, x Experiment, cases []bench.Case, number, begun int, l bench.Listener) error {
	var now *bench.Case // the one that is being measured
	err := p.ask(ctx, question{Measure: &x}, func(ev event) error {
		switch {
		case ev.Begin:
			now = &cases[ev.Case]
			l.Begin(cases[ev.Case], begun+ev.Round)
		case ev.Broken != nil:
			l.Failed(cases[ev.Case], fmt.Errorf("%s: %w", cases[ev.Case].Algorithm.Name, ev.Broken))
		case ev.Stuck != nil:
			l.Failed(cases[ev.Case], fmt.Errorf("%s: %w", cases[ev.Case].Algorithm.Name, ev.Stuck))
		case ev.Failed != "":
			l.Failed(cases[ev.Case], errors.New(ev.Failed))
		case ev.Line != nil:
			ev.Line.Fork = number
			return l.Line(*ev.Line)
		}
		return nil
	})
	var crashed *PanicError
	if now != nil && errors.As(err, &crashed) {
		l.Failed(*now, fmt.Errorf("%s: %w", now.Algorithm.Name, crashed))
		return nil
	}
	return err
}

// A PanicError says that the program which measures has ended by a panic or another error of
// the Go runtime. While a lock is measured, the lock is the reason.
type PanicError struct{ Says string }

func (e *PanicError) Error() string { return "the program that measures has crashed: " + e.Says }

// ask starts the program and hands each event to tell.
func (p Program) ask(ctx context.Context, q question, tell func(event) error) error {
	err := isolate.Converse(ctx, string(p), service, q, tell)
	var crash *isolate.Crash
	if errors.As(err, &crash) && crash.Stderr != "" {
		return reason(crash.Stderr)
	}
	return err
}

// reason returns an error with the line in the messages of a crashed program that says why it
// crashed.
func reason(messages string) error {
	first, _, _ := strings.Cut(strings.TrimSpace(messages), "\n")
	for line := range strings.Lines(messages) {
		for _, begin := range []string{"panic: ", "fatal error: ", "WARNING: DATA RACE"} {
			if strings.HasPrefix(line, begin) {
				line, _, _ = strings.Cut(line, " [recovered, repanicked]") // by package bench
				return &PanicError{strings.TrimSpace(line)}
			}
		}
	}
	return errors.New("the program that measures has crashed: " + first)
}
