package region

import (
	"reflect"
	"testing"

	"shmbench/shm"
)

// Movable returns why the lock of a specification cannot be shared between n processes, as
// a *Refusal, or nil if it can. It builds the lock, looks at all its memory, and makes some
// passages alone to see that they allocate nothing. What only contended passages allocate is
// found by Verify, and package-level variables by package globals. Another error says that the
// platform has no regions, or that the lock cannot be built.
func Movable(a shm.Algorithm, n int) error {
	p, err := ready()
	if err != nil {
		return err
	}
	lock, err := a.New(n)
	if err != nil {
		return err
	}
	if _, err := plan(p, &lock); err != nil {
		return err
	}
	t := reflect.TypeOf(lock)
	if a.Class.Sleeps() {
		return refuse(t.String(), t, whySleeps)
	}
	if _, ok := lock.(shm.Delegating); ok {
		return refuse(t.String()+".Execute", t, whyRequests)
	}
	modes := shm.Modes(lock)
	if testing.AllocsPerRun(passagesToLookAt, func() { passages(lock, modes) }) > 0 {
		return refuse(t.String()+".Lock", t, whyAllocates)
	}
	return nil
}

// passagesToLookAt are enough for each node of a lock to be used again.
const passagesToLookAt = 50

// passages makes a passage of process 0 in each of the modes of the lock.
func passages(lock shm.Mutex, modes []shm.Mode) {
	for _, mode := range modes {
		if mode.Enter(lock, 0, never) {
			mode.Leave(lock, 0)
		}
	}
}

func never() bool { return false }
