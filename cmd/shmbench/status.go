package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"
)

// Exit statuses of every verb.
const (
	exitHolds     = 0
	exitViolated  = 1
	exitUsage     = 2
	exitUndecided = 3
)

// statuses is the table of them for help. The README has the same.
const statuses = `exit status:
  0  all that was asked for was done, and holds
  1  a property is violated, or a comparison regressed
  2  wrong use, or an error
  3  not decided or cut short: interrupted, a bound was reached, nothing to judge by
`

// errViolated ends a verb whose report, already printed, shows a violation.
var errViolated = errors.New("violated")

// undecided ends a verb that has not decided, or not done, all that was asked
// of it; its text says what is missing.
type undecided string

func (u undecided) Error() string { return string(u) }

func cutShort(format string, args ...any) error { return undecided(fmt.Sprintf(format, args...)) }

// interrupted is what a verb ends with that has printed what it had when ctx
// ended; nil where it has not.
func interrupted(ctx context.Context, format string, args ...any) error {
	if ctx.Err() == nil {
		return nil
	}
	return cutShort("interrupted: "+format, args...)
}

// within does work that may not heed ctx: once ctx has ended it leaves work
// behind if that does not end soon, and the verb prints what it has.
func within(ctx context.Context, work func() error) error {
	done := make(chan error, 1)
	go func() { done <- unpanicked(work) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	select {
	case err := <-done:
		return err
	case <-time.After(grace / 2):
		return ctx.Err()
	}
}

// unpanicked does work and returns a panic of it as an error of one line: it
// is a fault of this program, but no reason to print its stack at its users.
// Who wants the stack sets GOTRACEBACK.
func unpanicked(work func() error) (err error) {
	defer func() {
		if os.Getenv("GOTRACEBACK") != "" {
			return
		}
		if p := recover(); p != nil {
			line, _, _ := strings.Cut(fmt.Sprint(p), "\n")
			err = fmt.Errorf("a fault of shmbench itself, please report it (with GOTRACEBACK=all there is a stack): %s", line)
		}
	}()
	return work()
}

// status returns the exit status that err means, and what to say about it.
func status(err error) (code int, says string) {
	var u undecided
	var child childStatus
	switch {
	case errors.As(err, &child):
		return int(child), ""
	case err == nil:
		return exitHolds, ""
	case errors.Is(err, errViolated):
		return exitViolated, ""
	case errors.As(err, &u):
		return exitUndecided, string(u)
	case errors.Is(err, context.Canceled):
		return exitUndecided, "interrupted"
	}
	return exitUsage, err.Error()
}
