package main

import (
	"bytes"
	"context"
	"encoding/json"
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

// A trial puts mutants into a module, through the overlay of "go build": no
// file is changed.
type trial struct {
	dir     string
	timeout time.Duration // of the tests of one package
	quick   bool          // only those of the package itself
}

// run runs the tests of the packages in turn until one fails, and returns which.
func (t trial) run(ctx context.Context, m mutant, packages []string) (verdict, string, error) {
	dir, err := os.MkdirTemp("", "mutation-")
	if err != nil {
		return 0, "", err
	}
	defer os.RemoveAll(dir)
	text, err := os.ReadFile(m.file)
	if err != nil {
		return 0, "", err
	}
	changed, overlay := filepath.Join(dir, "mutant.go"), filepath.Join(dir, "overlay.json")
	table, err := json.Marshal(map[string]any{"Replace": map[string]string{m.file: changed}})
	if err != nil {
		return 0, "", err
	}
	if err := os.WriteFile(changed, m.apply(text), 0o600); err != nil {
		return 0, "", err
	}
	if err := os.WriteFile(overlay, table, 0o600); err != nil {
		return 0, "", err
	}
	for _, p := range packages {
		if t.quick && p != m.pkg {
			continue
		}
		v, err := t.test(ctx, overlay, p)
		if err != nil || v != survived {
			return v, p, err
		}
	}
	return survived, "", nil
}

// test runs the tests of one package.
func (t trial) test(ctx context.Context, overlay, pkg string) (verdict, error) {
	cmd := exec.CommandContext(ctx, "go", "test", "-overlay", overlay, "-vet=off", "-failfast",
		"-timeout", t.timeout.String(), pkg)
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
