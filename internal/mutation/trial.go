package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// A verdict says what became of a mutant.
type verdict int

const (
	survived verdict = iota
	killed
	invalid // it does not compile
)

// A trial puts mutants into a copy of a module, one at a time. An overlay of "go build" would not do: tests read sources, too,
// as those of the checker do.
type trial struct {
	dir     string          // of the copy
	timeout time.Duration   // of the tests of one package
	quick   bool            // only those of the package itself
	passes  map[string]bool // packages whose tests pass without a mutant
}

// newTrial copies the module in a folder. What it returns must be closed.
func newTrial(dir string, timeout time.Duration, quick bool) (*trial, error) {
	to, err := os.MkdirTemp("", "mutation-")
	if err != nil {
		return nil, err
	}
	t := &trial{dir: to, timeout: timeout, quick: quick, passes: map[string]bool{}}
	if err := os.CopyFS(to, os.DirFS(dir)); err != nil {
		return nil, errors.Join(err, t.Close())
	}
	return t, nil
}

// Close removes the copy.
func (t *trial) Close() error { return os.RemoveAll(t.dir) }

// run runs the tests of the packages in turn until one fails, and returns which. The mutant's file is relative to the module.
func (t *trial) run(ctx context.Context, m mutant, packages []string) (v verdict, by string, err error) {
	file := filepath.Join(t.dir, m.file)
	text, err := os.ReadFile(file)
	if err != nil {
		return 0, "", err
	}
	restore := func() { err = errors.Join(err, os.WriteFile(file, text, 0o600)) }
	if err := os.WriteFile(file, m.apply(text), 0o600); err != nil {
		return 0, "", err
	}
	for _, by = range packages {
		if t.quick && by != m.pkg {
			continue
		}
		if v, err = t.test(ctx, by); err != nil || v != survived {
			break
		}
	}
	if restore(); v == killed && err == nil {
		err = t.mustPass(ctx, by)
	}
	return v, by, err
}

// mustPass returns an error if the tests of a package fail without a mutant.
func (t *trial) mustPass(ctx context.Context, pkg string) error {
	if t.passes[pkg] {
		return nil
	}
	v, err := t.test(ctx, pkg)
	if err == nil && v != survived {
		err = fmt.Errorf("the tests of %s fail without a fault, so they cannot notice one", pkg)
	}
	t.passes[pkg] = err == nil
	return err
}

// test runs the tests of one package.
func (t *trial) test(ctx context.Context, pkg string) (verdict, error) {
	cmd := exec.CommandContext(ctx, "go", "test", "-vet=off", "-failfast", "-timeout", t.timeout.String(), pkg)
	cmd.Dir = t.dir
	cmd.WaitDelay = time.Second
	out, err := cmd.CombinedOutput()
	switch {
	case ctx.Err() != nil:
		return 0, ctx.Err()
	case err == nil:
		return survived, nil
	case bytes.Contains(out, []byte("[build failed]")), bytes.Contains(out, []byte("[setup failed]")):
		return invalid, nil
	}
	return killed, nil
}
