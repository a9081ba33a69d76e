// Package replay runs schedules on compiled locks: the lock's own code, built
// by the Go compiler with a sync/atomic whose accesses wait to be scheduled.
package replay

import (
	"bytes"
	"context"
	"embed"
	"encoding/gob"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"shmbench/check/internal/replay/harness"
	"shmbench/internal/overlay"
	"shmbench/internal/twin"
)

//go:embed harness/harness.go
var harnessSource embed.FS

// binary is the name of the program that is built.
const binary = "replay.exe"

// Target says which locks to build.
type Target struct {
	Dir     string   // of the package
	Package string   // its import path
	Atomic  []string // the packages in which sync/atomic is replaced
	Spin    bool     // whether the package waits through package spin
	// List is a function of the package that returns a slice of algorithm
	// cards, whose locks are run by name; if it is empty, Constructor is run,
	// and Fails says whether that returns an error too.
	List        string
	Constructor string
	Fails       bool
}

// Program is a running program with the locks in it.
type Program struct {
	ctx    context.Context
	cmd    *exec.Cmd
	dir    string
	stdin  io.WriteCloser
	enc    *gob.Encoder
	dec    *gob.Decoder
	stderr bytes.Buffer
}

// Start builds and starts the program, as seen from the directory from.
func Start(ctx context.Context, from string, t Target) (*Program, error) {
	tmp, err := os.MkdirTemp("", "shmbench-replay-")
	if err != nil {
		return nil, err
	}
	p := &Program{ctx: ctx, dir: tmp}
	if err := p.start(ctx, from, t); err != nil {
		os.RemoveAll(tmp)
		return nil, err
	}
	return p, nil
}

func (p *Program) start(ctx context.Context, from string, t Target) error {
	const sub = "shmbenchreplay"
	at, pkg := filepath.Join(t.Dir, sub), t.Package+"/"+sub
	add := map[string][]byte{filepath.Join(at, "main.go"): []byte(t.main(pkg))}
	// The sources of this module that go into the program, which may belong to
	// another module.
	for dir, files := range map[string]embed.FS{"twin": twin.Source, ".": harnessSource} {
		err := fs.WalkDir(files, ".", func(name string, _ fs.DirEntry, err error) error {
			if err != nil || path.Ext(name) != ".go" {
				return err
			}
			text, err := files.ReadFile(name)
			add[filepath.Join(at, dir, filepath.FromSlash(name))] = bytes.ReplaceAll(text, []byte(`"shmbench/internal/twin"`), []byte(strconv.Quote(pkg+"/twin")))
			return err
		})
		if err != nil {
			return err
		}
	}
	bin := filepath.Join(p.dir, binary)
	err := overlay.Build(ctx, overlay.Options{Dir: from, Packages: t.Atomic,
		Replace: map[string]string{"sync/atomic": pkg + "/twin"}, Add: add, Target: pkg, Output: bin})
	if err != nil {
		return err
	}
	return p.launch()
}

// launch starts the program that was built.
func (p *Program) launch() error {
	p.cmd = exec.CommandContext(p.ctx, filepath.Join(p.dir, binary))
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
	return p.cmd.Start()
}

// Restart starts the program afresh, with package variables as they were at
// the start.
func (p *Program) Restart() error {
	p.stdin.Close()
	if err := p.cmd.Wait(); err != nil {
		return err
	}
	return p.launch()
}

// main is the source of the program.
func (t Target) main(pkg string) string {
	body := fmt.Sprintf("return p.%s(n)", t.Constructor)
	if !t.Fails {
		body += ", nil"
	}
	imports, start := "", ""
	if t.Spin {
		// Each poll waits to be scheduled; between two, nothing may wait for
		// anything else.
		imports, start = "\t\"shmbench/spin\"\n", "spin.Use(spin.Busy)"
	}
	if t.List != "" {
		imports += "\t\"errors\"\n"
		body = fmt.Sprintf(`for _, a := range p.%s() {
			if a.Name == lock {
				return a.New(n)
			}
		}
		return nil, errors.New("no algorithm " + lock)`, t.List)
	}
	return strings.NewReplacer("PATH", pkg, "PACKAGE", t.Package, "BODY", body, "IMPORTS", imports, "START", start).Replace(`package main

import (
IMPORTS	h "PATH/harness"
	p "PACKAGE"
)

func main() {
	START
	h.Main(func(lock string, n int) (h.Lock, error) {
		BODY
	})
}
`)
}

// Run runs a schedule for the lock of that name.
func (p *Program) Run(lock string, n int, schedule []byte) (*harness.Result, error) {
	var r harness.Result
	err := p.enc.Encode(harness.Job{Lock: lock, N: n, Schedule: schedule})
	if err == nil {
		err = p.dec.Decode(&r)
	}
	if err != nil {
		return nil, fmt.Errorf("the compiled lock stopped: %v %s", err, strings.TrimSpace(p.stderr.String()))
	}
	return &r, nil
}

// Close ends the program and removes it.
func (p *Program) Close() error {
	p.stdin.Close()
	err := p.cmd.Wait()
	if e := os.RemoveAll(p.dir); err == nil {
		err = e
	}
	return err
}
