package source

import "fmt"

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
