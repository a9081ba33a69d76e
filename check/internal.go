package check

import (
	"errors"
	"fmt"
	"strings"

	"shmbench/check/internal/crew"
	"shmbench/check/internal/source"
)

// InternalErrors returns the internal errors that make up an error of a check, or nil if the
// error is another one.
func InternalErrors(err error) (all []*source.InternalError) {
	var one *source.InternalError
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

// caught must be deferred. It turns a panic during the check into an internal error.
func (c *checking) caught(r **Report, err *error) {
	if !crew.Guarded() {
		return
	}
	if x := recover(); x != nil {
		why, _, _ := strings.Cut(fmt.Sprint(x), "\n")
		*r, *err = nil, &source.InternalError{Algorithm: c.b.Lock.Called(), N: c.n, Step: c.stage, Why: why + "; please report it (with GOTRACEBACK=all there is a stack)"}
	}
}
