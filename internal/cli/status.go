package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"shmbench/internal/run/isolate"
)

// Exit statuses of every verb.
const (
	Holds     = 0
	Violated  = 1
	Usage     = 2
	Undecided = 3
)

// statuses is the table of them for help. The README has the same.
const statuses = `exit status:
  0  everything was done, and holds
  1  a property is violated, or a comparison regressed
  2  wrong use, or an error
  3  undecided or cut short: an interrupt, a bound, a missing sample, or no figure to judge by
`

// ErrViolated ends a verb whose report, already printed, shows a violation.
var ErrViolated = errors.New("violated")

// undecided ends a verb that has not decided, or not done, all that was asked
// of it; its text says what is missing.
type undecided string

func (u undecided) Error() string { return string(u) }

// CutShort makes the error of such a verb.
func CutShort(format string, args ...any) error { return undecided(fmt.Sprintf(format, args...)) }

// Interrupted is what a verb ends with that has printed what it had when ctx
// ended; nil where it has not.
func Interrupted(ctx context.Context, format string, args ...any) error {
	if ctx.Err() == nil {
		return nil
	}
	return CutShort("interrupted: "+format, args...)
}

// Within does work that may not heed ctx: once ctx has ended it leaves work
// behind if that does not end soon, and the verb prints what it has.
func Within(ctx context.Context, work func() error) error {
	if ended, err := within(ctx, Grace/2, work); ended {
		return err
	}
	return ctx.Err()
}

// within does work, and leaves it behind if it does not end within grace after ctx has ended.
func within(ctx context.Context, grace time.Duration, work func() error) (ended bool, err error) {
	done := make(chan error, 1)
	go func() { done <- unpanicked(work) }()
	select {
	case err := <-done:
		return true, err
	case <-ctx.Done():
	}
	select {
	case err := <-done:
		return true, err
	case <-time.After(grace):
		return false, nil
	}
}

// unpanicked does work and returns a panic of it as an error of one line: it
// is a fault of this program, but no reason to print its stack at its users.
// To see the stack, set GOTRACEBACK.
func unpanicked(work func() error) (err error) {
	defer func() {
		if os.Getenv("GOTRACEBACK") != "" {
			return
		}
		if p := recover(); p != nil {
			line, _, _ := strings.Cut(fmt.Sprint(p), "\n")
			err = fmt.Errorf("a fault of the program itself, please report it (with GOTRACEBACK=all there is a stack): %s", line)
		}
	}()
	return work()
}

// childStatus is the exit status of a child that did a verb's work, as an error. The
// child has printed what there is to say.
type childStatus int

func (c childStatus) Error() string { return fmt.Sprintf("exit status %d", int(c)) }

// RunChild runs a program that does the work of a verb, and returns the error that
// ends the verb with the same exit status.
func RunChild(ctx context.Context, cmd *exec.Cmd) error {
	err := isolate.Ended(ctx, cmd.Run())
	state := cmd.ProcessState
	switch {
	case state != nil && state.Exited():
		return childStatus(state.ExitCode())
	case ctx.Err() != nil:
		return ctx.Err()
	case state != nil:
		return fmt.Errorf("the program that does the work was ended from outside: %v", state)
	}
	return err
}

// status returns the exit status that err means, and what to say about it.
func status(err error) (code int, says string) {
	var u undecided
	var child childStatus
	switch {
	case errors.As(err, &child):
		return int(child), ""
	case err == nil:
		return Holds, ""
	case errors.Is(err, ErrViolated):
		return Violated, ""
	case errors.As(err, &u):
		return Undecided, string(u)
	case errors.Is(err, context.Canceled):
		return Undecided, "interrupted"
	}
	return Usage, withoutSystemCall(err)
}

// withoutSystemCall is the text of an error, without the name of the system call that did
// not find a file, or found a folder.
func withoutSystemCall(err error) string {
	var failed *fs.PathError
	if !errors.As(err, &failed) {
		return err.Error()
	}
	says := ""
	switch {
	case errors.Is(failed, fs.ErrNotExist):
		says = noFile
	case errors.Is(failed, syscall.EISDIR):
		says = isFolder
	default:
		return err.Error()
	}
	named := failed.Path + ": "
	text := strings.Replace(err.Error(), failed.Error(), named+says, 1)
	return strings.Replace(text, named+named, named, 1)
}

// First returns the first of the errors that is not nil.
func First(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
