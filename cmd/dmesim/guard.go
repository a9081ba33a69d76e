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
	"shmbench/internal/cli"
	"shmbench/internal/isolate"
	"shmbench/internal/scratch"
	"shmbench/internal/tty"
)

// guardMarker is the environment variable by which a parent tells a guarded
// child the file in which to count and the computations that do not end.
const guardMarker = "DMESIM_GUARDED"

// guarded runs a verb that explores nodes in a process of its own: a node that
// recurses without end kills the process, and that is a verdict. The child
// counts the nodes' computations in a file; if its stack overflows another one
// is told which computation not to make.
func guarded(fs *flag.FlagSet, do cli.Body) cli.Body {
	return func(ctx context.Context, e cli.Env, args []string) error {
		if text, inside := os.LookupEnv(guardMarker); inside {
			return do(explore.WithGuard(ctx, counter(text)), e, args)
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
			overflowed, err := guardedRun(ctx, e, program, commandLine(fs, args), count.Name(), endless)
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
		if _, inside := os.LookupEnv(guardMarker); inside {
			debug.SetMaxStack(smallStack)
			return do(ctx, e, args)
		}
		program, err := os.Executable()
		if err != nil || ctx.Err() != nil {
			return do(ctx, e, args)
		}
		overflowed, err := guardedRun(ctx, e, program, commandLine(fs, args), "", nil)
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
func guardedRun(ctx context.Context, e cli.Env, program string, line []string, count string, endless []int64) (overflowed bool, err error) {
	cmd, err := isolate.Command(ctx, program, line...)
	if err != nil {
		return false, err
	}
	cmd.Env = append(cmd.Env, guardMarker+"="+fmt.Sprint(count, " ", cli.Joined(endless)))
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

// counter returns the guard of a child.
func counter(text string) func() bool {
	path, list, _ := strings.Cut(text, " ")
	var endless []int64
	for _, word := range strings.Split(list, ",") {
		var k int64
		if _, err := fmt.Sscan(word, &k); err == nil {
			endless = append(endless, k)
		}
	}
	debug.SetMaxStack(smallStack)
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return func() bool { return false }
	}
	var made int64
	var at [8]byte
	return func() bool {
		made++
		binary.LittleEndian.PutUint64(at[:], uint64(made))
		file.WriteAt(at[:], 0)
		return slices.Contains(endless, made)
	}
}
