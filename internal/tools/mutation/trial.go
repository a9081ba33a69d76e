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
	how    sampling
	copied string          // the folder of the copy
	dir    string          // of the module in it
	passes map[string]bool // packages whose tests pass without a mutant, and the command if it does
}

// newTrial copies the module in a folder, with the modules around it, which it may be built from. The caller
// closes the trial.
func newTrial(dir string, s sampling) (*trial, error) {
	to, err := os.MkdirTemp("", "mutation-")
	if err != nil {
		return nil, err
	}
	root := outermost(dir)
	within, err := filepath.Rel(root, dir)
	t := &trial{how: s, copied: to, dir: filepath.Join(to, within), passes: map[string]bool{}}
	if err := errors.Join(err, os.CopyFS(to, os.DirFS(root))); err != nil {
		return nil, errors.Join(err, t.Close())
	}
	return t, nil
}

// outermost returns the folder of the outermost module around the module in a folder.
func outermost(dir string) string {
	root := dir
	for parent := filepath.Dir(dir); parent != dir; dir, parent = parent, filepath.Dir(parent) {
		if _, err := os.Stat(filepath.Join(parent, "go.mod")); err == nil {
			root = parent
		}
	}
	return root
}

// Close removes the copy.
func (t *trial) Close() error { return os.RemoveAll(t.copied) }

// run runs the tests of the packages in turn until one fails, and returns which. The mutant's file is relative to the module.
func (t *trial) run(ctx context.Context, m mutant, packages []string) (v verdict, by string, err error) {
	file := filepath.Join(t.dir, m.file)
	text, err := os.ReadFile(file)
	if err != nil {
		return 0, "", err
	}
	if err := os.WriteFile(file, m.apply(text), 0o600); err != nil {
		return 0, "", err
	}
	by, v, err = t.witness(ctx, m.pkg, packages)
	if err = errors.Join(err, os.WriteFile(file, text, 0o600)); v == killed && err == nil {
		err = t.mustPass(ctx, by)
	}
	return v, by, err
}

// witness returns which package's tests notice the fault in a package, or the command, if one does.
func (t *trial) witness(ctx context.Context, pkg string, packages []string) (by string, v verdict, err error) {
	for _, by := range packages {
		if t.how.quick && by != pkg {
			continue
		}
		if v, err := t.test(ctx, by); err != nil || v != survived {
			return by, v, err
		}
	}
	if t.how.then == "" {
		return "", survived, nil
	}
	v, err = t.test(ctx, t.how.then)
	return t.how.then, v, err
}

// mustPass returns an error if the tests of a package, or the command, fail without a mutant.
func (t *trial) mustPass(ctx context.Context, by string) error {
	if t.passes[by] {
		return nil
	}
	v, err := t.test(ctx, by)
	if err == nil && v != survived {
		err = fmt.Errorf("%s fails without a fault, so it cannot notice one", by)
	}
	t.passes[by] = err == nil
	return err
}

// test runs the tests of a package, or the command.
func (t *trial) test(ctx context.Context, by string) (verdict, error) {
	args := []string{"go", "test", "-vet=off", "-failfast", "-timeout", t.how.timeout.String(), by}
	if by == t.how.then {
		args = []string{"sh", "-c", by}
	}
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
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
