package locktest

import (
	"errors"
	"fmt"
	"strings"

	"shmbench/shm"
)

// misuse uses the lock wrongly under shm.Checked: each call must panic with a
// plain message, and leave the lock fit for use.
func misuse(s *suite, n int) error {
	c, err := s.newCrew(n)
	if err != nil {
		return err
	}
	c.lock = shm.Checked(c.lock, n)
	c.start(0, func(p *process) error {
		var errs []error
		try := func(what string, call func(int), id int) {
			if err := panics(func() { call(id) }); err != nil {
				errs = append(errs, fmt.Errorf("%s: %w", what, err))
			}
		}
		lock, unlock := c.lock.Lock, c.lock.Unlock
		for range 2 {
			try("Lock with id -1", lock, -1)
			try("Lock with id n", lock, n)
			try("Unlock with id -1", unlock, -1)
			try("Unlock with id n", unlock, n)
			try("Unlock without Lock", unlock, 0)
			c.lockFor(p)
			try("Lock twice", lock, 0)
			if n > 1 {
				try("Unlock by a process that is not inside", unlock, n-1)
			}
			c.unlockFor(p)
		}
		return errors.Join(errs...)
	})
	return c.join(true)
}

// panics returns nil if call panics with a message of this module, and what
// is wrong if it does not.
func panics(call func()) (wrong error) {
	defer func() {
		switch v := recover().(type) {
		case nil:
			wrong = errors.New("it does not panic")
		case string:
			if !strings.HasPrefix(v, "shm: ") {
				wrong = fmt.Errorf("it panics with %q, which is not a message of shm.Checked", v)
			}
		default:
			wrong = fmt.Errorf("it panics with %v, which is not a message of shm.Checked", v)
		}
	}()
	call()
	return nil
}
