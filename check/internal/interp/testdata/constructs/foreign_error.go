package constructs

import "errors"

// ForeignError calls a method of what a function has made that is not read.
type ForeignError struct{ n, m int }

func NewForeignError(int) *ForeignError {
	err := errors.New("no")
	return &ForeignError{n: len(err.Error()), m: 4}
}

// Lock makes these accesses:
//
//	m = 4, m := 5, n = unknown
func (l *ForeignError) Lock(int) {
	l.m++
	if l.n == 2 { // refused: uses the result of errors.New, which cannot be modeled
		l.m++
	}
}

func (l *ForeignError) Unlock(int) {}
