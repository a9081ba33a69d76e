package check

import (
	"errors"
	"fmt"
	"strings"

	"shmbench/check/internal/crew"
)

// InternalError is a fault of the checker and not of the lock: the checker's own
// code fails, or the interpreter and the compiled code of the lock disagree. There is
// no report then of the lock for N processes; those that there are stand.
type InternalError struct {
	Algorithm string
	N         int
	Step      string // of the check, or of the schedule that was replayed
	Why       string
}

func (e *InternalError) Error() string {
	return fmt.Sprintf("internal error: %s, n=%d: %s: %s", e.Algorithm, e.N, e.Step, e.Why)
}

// InternalErrors returns the internal errors that an error of a check consists of, or
// nil if it is something else.
func InternalErrors(err error) (all []*InternalError) {
	var one *InternalError
	var several interface{ Unwrap() []error }
	switch {
	case errors.As(err, &several):
		for _, err := range several.Unwrap() {
			all = append(all, InternalErrors(err)...)
		}
	case errors.As(err, &one):
		all = append(all, one)
	}
	return all
}

// The parts of a check, as a panic in one of them is reported.
const (
	whileLearning  = "while its processes are learned"
	whileDeciding  = "while its states are explored and its properties decided"
	whileReplaying = "while it is replayed on the compiled code"
)

// caught is deferred: it makes a panic while a lock is checked for n processes an
// internal error.
func (l *lock) caught(n int, step *string, r **Report, err *error) {
	if !crew.Guarded() {
		return
	}
	if x := recover(); x != nil {
		why, _, _ := strings.Cut(fmt.Sprint(x), "\n")
		*r, *err = nil, &InternalError{l.called(), n, *step, why + "; please report it (with GOTRACEBACK=all there is a stack)"}
	}
}
