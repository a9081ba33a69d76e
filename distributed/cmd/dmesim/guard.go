package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"shmbench/distributed/explore"
	"shmbench/internal/build/scratch"
	"shmbench/internal/cli"
	"shmbench/internal/cli/tty"
	"shmbench/internal/run/isolate"
)

// guardedService is that of a program which does the work of a verb for a parent.
const guardedService = "guarded verb"

// A guardedWork is the question to a guarded child: what it does.
type guardedWork struct {
	Line    []string // the verb, its flags and arguments
	Count   string   // the file in which to count computations; empty: none
	Endless []int64  // the computations that do not end, and must not be made
}

type guardedKey struct{}

// isGuarded returns the work of a guarded child; nil: this is none.
func isGuarded(ctx context.Context) *guardedWork {
	w, _ := ctx.Value(guardedKey{}).(*guardedWork)
	return w
}

// guardedChild does the work of a verb if this process is a child that does it for a parent,
// and then does not return. It returns a context that ends with the parent.
func guardedChild(ctx context.Context) context.Context {
	ctx = isolate.Tied(ctx, func() { os.Exit(cli.Undecided) })
	w := new(guardedWork)
	if is, err := isolate.Asked(guardedService, w); err != nil {
		os.Exit(cli.Undecided) // the parent is gone
	} else if is {
		os.Args = append(os.Args[:1], w.Line...)
		theProgram().Main(context.WithValue(ctx, guardedKey{}, w))
	}
	return ctx
}

// guarded runs a verb that explores nodes in a process of its own: a node that
// recurses without end kills the process, and that is a verdict. The child
// counts the nodes' computations in a file; if its stack overflows another one
// is told which computation not to make.
func guarded(fs *flag.FlagSet, do cli.Body) cli.Body {
	return func(ctx context.Context, e cli.Env, args []string) error {
		if w := isGuarded(ctx); w != nil {
			return do(explore.WithGuard(ctx, w.guard()), e, args)
		}
		program, err := os.Executable()
		if err != nil || ctx.Err() != nil {
			return do(ctx, e, args)
		}
		dir, remove, err := scratch.Folder("", "dmesim-guard-")
		if err != nil {
			return err
		}
		defer remove()
		count, err := os.Create(filepath.Join(dir, "count"))
		if err != nil {
			return err
		}
		defer count.Close()
		var endless []int64
		for {
			overflowed, err := guardedRun(ctx, e, program, guardedWork{commandLine(fs, args), count.Name(), endless})
			if !overflowed {
				return err
			}
			var at [8]byte
			if _, err := count.ReadAt(at[:], 0); err != nil {
				return err
			}
			k := int64(binary.LittleEndian.Uint64(at[:]))
			if slices.Contains(endless, k) {
				return errors.New("the stack overflows outside the nodes")
			}
			endless = append(endless, k)
		}
	}
}

// apart runs a verb that simulates nodes in a process of its own: if one
// recurses without end, which kills the process, that is said in one line.
func apart(fs *flag.FlagSet, do cli.Body) cli.Body {
	return func(ctx context.Context, e cli.Env, args []string) error {
		if isGuarded(ctx) != nil {
			debug.SetMaxStack(smallStack)
			return do(ctx, e, args)
		}
		program, err := os.Executable()
		if err != nil || ctx.Err() != nil {
			return do(ctx, e, args)
		}
		overflowed, err := guardedRun(ctx, e, program, guardedWork{Line: commandLine(fs, args)})
		switch {
		case !overflowed:
			return err
		case cli.Given(fs, "json"):
			if err := writeJSON(e.Stdout, fs.Name(), false, nil); err != nil {
				return err
			}
		}
		fmt.Fprintf(e.Stderr, "dmesim %s: a node recurses without end; \"dmesim explore\" shows how it comes to that\n", fs.Name())
		return cli.ErrViolated
	}
}

// commandLine is the verb, and the flags and arguments that it was given.
func commandLine(fs *flag.FlagSet, args []string) []string {
	line := strings.Fields(fs.Name())
	fs.Visit(func(f *flag.Flag) { line = append(line, "-"+f.Name+"="+f.Value.String()) })
	return append(append(line, "--"), args...)
}

// smallStack is a stack that no node needs and that overflows soon.
const smallStack = 64 << 20

// guardedRun makes one run. It reports whether the stack overflowed, and if not the
// error of the verb.
func guardedRun(ctx context.Context, e cli.Env, program string, w guardedWork) (overflowed bool, err error) {
	cmd, err := isolate.Question(ctx, program, guardedService, w)
	if err != nil {
		return false, err
	}
	if tty.Is(e.Stderr) {
		cmd.Env = append(cmd.Env, tty.Through+"=yes")
		defer tty.NewProgress(e.Stderr, 0).Clear() // the child shows its own
	}
	stderr := &untilOverflow{to: e.Stderr}
	cmd.Stdout, cmd.Stderr = e.Stdout, stderr
	err = cli.RunChild(ctx, cmd)
	return stderr.overflowed, err
}

// untilOverflow passes on what a program says on standard error, but not what
// the Go runtime says when a stack overflows.
type untilOverflow struct {
	to         io.Writer
	overflowed bool
}

func (u *untilOverflow) Write(p []byte) (int, error) {
	if at := bytes.Index(p, []byte("runtime: goroutine stack exceeds")); at >= 0 && !u.overflowed {
		u.to.Write(p[:at])
		u.overflowed = true
	}
	if u.overflowed {
		return len(p), nil
	}
	return u.to.Write(p)
}

// guard returns the guard of a child, which counts the computations and reports whether the
// next one does not end.
func (w *guardedWork) guard() func() bool {
	debug.SetMaxStack(smallStack)
	file, err := os.OpenFile(w.Count, os.O_WRONLY, 0)
	if err != nil {
		return func() bool { return false }
	}
	var made int64
	var at [8]byte
	return func() bool {
		made++
		binary.LittleEndian.PutUint64(at[:], uint64(made))
		file.WriteAt(at[:], 0)
		return slices.Contains(w.Endless, made)
	}
}
