// Package filelock locks open files, so that two programs do not use one at the same time.
// A lock ends with its program, and when the file is closed. It hinders no program that
// does not ask for it.
package filelock

import "errors"

// ErrHeld is the error of Try if another program, or another open file of this one, has
// the lock.
var ErrHeld = errors.New("another program has the lock of the file")
