package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"shmbench/check"
	"shmbench/cmd/shmbench/artifact"
	"shmbench/internal/cli"
)

// parts are the verbs that are run for the data of an artifact.
func (c *artifactCommand) parts(data string) []part {
	others, lock := []string{"-alg", exactly(c.against())}, []string{c.Lock}
	measured := []string{"-alg", exactly(append(c.against(), c.Lock))}
	if cli.IsPackage(c.Lock) {
		measured = append(others[:2:2], lock...)
	}
	procs := "1,2"
	if cores := runtime.NumCPU(); cores > 2 {
		procs += fmt.Sprint(",", cores)
	}
	checked := []string{"-json", "-procs", c.Procs, "-max-states", "3000000"}
	witnesses := checked[:len(checked):len(checked)]
	for _, bound := range check.Witnesses {
		witnesses = append(witnesses, "-witness", bound)
	}
	here, machine := []string{"-machine", filepath.Join(data, "machine.json"), "-procs", procs}, []string{"-procs", "1,4,16,64"}
	with := func(flags, more []string) []string { return append(flags[:len(flags):len(flags)], more...) }
	return []part{
		{"check", "proofs, counterexamples and witnesses", 20 * time.Second, checkVerb, with(witnesses, lock), "check.json", ""},
		{"check-against", "verdicts on the other locks", 15 * time.Second, checkVerb, with(checked, others), "check-against.json", ""},
		{"run", "measurements", 10 * time.Second, runVerb, with(measured, []string{"-procs", procs}), "run.txt", "o"},
		{"machine", "a model of this machine", time.Second, predictMeasureVerb, nil, "machine.json", ""},
		{"predict-here", "predictions for this machine", 2 * time.Second, predictVerb, with(here, others), "predict-here.txt", "o"},
		{"predict-here-lock", "predictions for this machine, of the lock", 2 * time.Second, predictVerb, with(here, lock), "predict-here-lock.txt", "o"},
		{"predict", "predictions for a larger machine", 3 * time.Second, predictVerb, with(machine, others), "predict.txt", "o"},
		{"predict-lock", "predictions for a larger machine, of the lock", 3 * time.Second, predictVerb, with(machine, lock), "predict-lock.txt", "o"},
	}
}

// makeParts runs the parts whose files are not in a folder yet. A file is there only when it is complete.
func makeParts(ctx context.Context, e env, parts []part, data string) error {
	pace := newPace()
	for i, p := range parts {
		if _, err := os.Stat(filepath.Join(data, p.file)); err == nil {
			fmt.Fprintf(e.Stderr, "%d of %d, %s: done before\n", i+1, len(parts), p.about)
			continue
		}
		fmt.Fprintf(e.Stderr, "%d of %d, %s; %s left\n", i+1, len(parts), p.about, pace.left(parts[i:]))
		if err := makePart(ctx, e, p, data); err != nil {
			return err
		}
		pace.done(p)
	}
	return nil
}

// makePart runs a part into a folder of its own, and moves its file when it is complete.
func makePart(ctx context.Context, e env, p part, data string) error {
	unfinished := filepath.Join(data, "unfinished")
	if err := os.RemoveAll(unfinished); err != nil {
		return err
	}
	if err := os.MkdirAll(unfinished, 0o777); err != nil {
		return err
	}
	code, err := p.make(ctx, e, unfinished)
	if err != nil {
		return err
	}
	if ctx.Err() != nil {
		return interrupted(ctx, "what is done is kept, and the same command continues")
	}
	file := filepath.Join(unfinished, p.file)
	if _, err := os.Stat(file); err != nil && p.name == "check" {
		return errors.New("there is no artifact of a lock without verdicts")
	} else if err != nil {
		fmt.Fprintf(e.Stderr, "shmbench %s has made no file, and ended with status %d\n", p.verb.Name, code)
	} else if err := os.Rename(file, filepath.Join(data, p.file)); err != nil {
		return err
	}
	return os.RemoveAll(unfinished)
}

// readClaims reads what check -json has written.
func readClaims(file string) ([]*check.Report, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return artifact.ReadClaims(text)
}
