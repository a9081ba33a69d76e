// Package gocmd runs the go command. An interruption leaves nothing of it behind:
// neither a compiler that runs, nor its temporary folder.
package gocmd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"shmbench/internal/build/scratch"
	"shmbench/internal/build/sources"
)

// ErrMissing says that there is no go command.
var ErrMissing = errors.New("this needs the Go toolchain, and there is no \"go\" command in PATH")

// A Failure is the error of a go command that failed.
type Failure struct {
	Verb     string // "build", "list"
	Messages string // what the command printed to standard error
}

func (f *Failure) Error() string { return fmt.Sprintf("go %s failed: %s", f.Verb, f.Messages) }

// unpacked are settings for the copy of the sources in the user's cache folder. What
// the user has set for modules of their own, such as a workspace or -mod=vendor, does
// not hold there, and the copy is under no version control of its own. Without -trimpath
// the path of the folder is a part of each compiled package, and a copy in another folder,
// such as that of the next version of the program, compiles every package again.
var unpacked = []string{"GOWORK=off", "GO111MODULE=on", "GOFLAGS=-mod=readonly -buildvcs=false -trimpath"}

// Place is where the go command runs.
type Place struct {
	Dir string   // the folder, "" for the current one
	Env []string // settings, such as "GOWORK=off", beside those of the user
}

// In returns the place of a folder, "" for the current one.
func In(dir string) Place { return Place{Dir: dir} }

// Run runs the go command in a folder, "" for the current one: see Place.Run.
func Run(ctx context.Context, dir string, args ...string) (stdout, messages string, err error) {
	return In(dir).Run(ctx, args...)
}

// Run runs the go command with the arguments and returns its standard output and its
// messages. The error is a *Failure if the command failed, ErrMissing if there is none,
// and that of ctx if ctx has ended.
func (p Place) Run(ctx context.Context, args ...string) (stdout, messages string, err error) {
	if _, err := exec.LookPath("go"); err != nil {
		return "", "", ErrMissing
	}
	tmp, remove, err := scratch.Folder(os.Getenv("GOTMPDIR"), "shmbench-go-")
	if err != nil {
		return "", "", err
	}
	defer remove()
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = p.Dir
	cmd.Env = append(cmd.Environ(), "GOTMPDIR="+tmp)
	if sources.Unpacked(p.Dir) {
		cmd.Env = append(cmd.Env, unpacked...)
	}
	cmd.Env = append(cmd.Env, p.Env...)
	var out, says bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &says
	err = scratch.Run(cmd)
	messages = strings.TrimSpace(says.String())
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return "", "", ctx.Err()
	case errors.As(err, &exit):
		return out.String(), messages, &Failure{Verb: args[0], Messages: messages}
	}
	return out.String(), messages, err
}
