// Package replay runs schedules on compiled locks: the lock's own code, built
// by the Go compiler with a sync/atomic whose accesses wait to be scheduled,
// and with plain accesses that do.
package replay

import (
	"bytes"
	"context"
	"encoding/gob"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"shmbench/check/internal/replay/harness"
	"shmbench/internal/build/scratch"
)

// binary is the name of the program that is built.
const binary = "replay.exe"

// Program is a program with locks in it.
type Program struct {
	ctx    context.Context
	dir    string
	remove func()    // removes the directory; nil if that is another's
	cmd    *exec.Cmd // nil while it is not running

	stdin  io.WriteCloser
	enc    *gob.Encoder
	dec    *gob.Decoder
	stderr bytes.Buffer
}

// Start builds the program.
func Start(ctx context.Context, t Target) (*Program, error) {
	tmp, remove, err := scratch.Folder("", "shmbench-replay-")
	if err != nil {
		return nil, err
	}
	p := &Program{ctx: ctx, dir: tmp, remove: remove}
	if err := t.build(ctx, filepath.Join(tmp, binary)); err != nil {
		remove()
		return nil, err
	}
	return p, nil
}

// Again returns the same program, to be run at the same time as p, until p is closed.
func (p *Program) Again() *Program { return &Program{ctx: p.ctx, dir: p.dir} }

// launch starts the program that was built.
func (p *Program) launch() error {
	p.stderr.Reset()
	p.cmd = exec.CommandContext(p.ctx, filepath.Join(p.dir, binary), p.dir)
	p.cmd.Stderr = &p.stderr
	var err error
	if p.stdin, err = p.cmd.StdinPipe(); err != nil {
		return err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	p.enc, p.dec = gob.NewEncoder(p.stdin), gob.NewDecoder(out)
	if err := p.cmd.Start(); err != nil {
		p.cmd = nil
		return &CannotRunError{err}
	}
	return nil
}

// Stop ends the program. The next run starts it afresh, with package variables
// as they were at the start.
func (p *Program) Stop() {
	if p.cmd != nil {
		p.cmd.Process.Kill()
		p.cmd.Wait()
		p.cmd = nil
	}
}

// CannotRunError says that the program cannot be started: it may have been built
// for another machine.
type CannotRunError struct{ Why error }

func (e *CannotRunError) Error() string {
	return fmt.Sprintf("what was compiled cannot be run here: %v", e.Why)
}

func (e *CannotRunError) Unwrap() error { return e.Why }

// Stuck says that a lock did not come back from a schedule: it ran for longer
// than the limit, or the program ended, for the reason given.
type Stuck struct {
	After  time.Duration // 0 if it ended
	Reason string
}

func (s *Stuck) Error() string {
	if s.After > 0 {
		return fmt.Sprintf("the compiled lock does not come back within %v", s.After)
	}
	return "the compiled lock ends its program: " + s.Reason
}

// Run runs a job, for no longer than the limit. Its lock is the name of a specification or of a
// constructor.
func (p *Program) Run(job harness.Job, limit time.Duration) (*harness.Result, error) {
	if p.cmd == nil {
		if err := p.launch(); err != nil {
			return nil, err
		}
	}
	var r harness.Result
	done := make(chan error, 1)
	go func() {
		err := p.enc.Encode(job)
		if err == nil {
			err = p.dec.Decode(&r)
		}
		done <- err
	}()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case err := <-done:
		if err == nil {
			return &r, nil
		}
		p.cmd.Wait()
		p.cmd = nil
		if p.ctx.Err() != nil {
			return nil, p.ctx.Err()
		}
		reason, _, _ := strings.Cut(strings.TrimSpace(p.stderr.String()), "\n")
		return nil, &Stuck{Reason: reason}
	case <-timer.C:
		p.Stop()
		<-done
		return nil, &Stuck{After: limit}
	}
}

// Close ends the program and removes it, unless it is another's.
func (p *Program) Close() {
	p.Stop()
	if p.remove != nil {
		p.remove()
	}
}
