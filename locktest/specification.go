package locktest

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"shmbench/shm"
)

// claims says which claims of a specification contradict one another.
func claims(a shm.Algorithm) error {
	var errs []error
	wrong := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	c := a.Claims
	if c.StarvationFree && !c.DeadlockFree {
		wrong("it claims freedom from starvation, but not from deadlock")
	}
	if c.FCFS && c.DeadlockFree && !c.StarvationFree {
		wrong("first-come-first-served without deadlock is without starvation, which it does not claim")
	}
	for n := a.MinProcs; n <= min(a.MaxProcs, a.MinProcs+8); n++ {
		bound := c.Bypass.Of(n)
		if bound < 0 && bound != shm.Unbounded {
			wrong("for n = %d it claims a bypass of %d", n, bound)
			break
		}
		if c.FCFS && (bound == shm.Unbounded || bound > n-1) {
			wrong("first-come-first-served means a bypass of at most n-1; for n = %d it claims %v", n, c.Bypass)
			break
		}
	}
	return errors.Join(errs...)
}

// refuses says whether New takes a number of processes that the specification does not
// allow, or refuses it without saying which it allows.
func refuses(a shm.Algorithm) error {
	var errs []error
	for _, n := range slices.Compact([]int{-1, 0, a.MinProcs - 1, a.MaxProcs + 1}) {
		if err := refusal(a, n); err != nil {
			errs = append(errs, err)
		}
	}
	for _, n := range []int{a.MinProcs, a.MaxProcs} {
		if lock, err := a.New(n); err != nil || lock == nil {
			errs = append(errs, fmt.Errorf("New(%d) returned the lock %v and the error %v, though the specification allows %d to %d", n, lock, err, a.MinProcs, a.MaxProcs))
		}
	}
	return errors.Join(errs...)
}

func refusal(a shm.Algorithm, n int) (wrong error) {
	defer func() {
		if v := recover(); v != nil {
			wrong = fmt.Errorf("New(%d) panics instead of returning an error: %v", n, v)
		}
	}()
	_, err := a.New(n)
	if err == nil {
		return fmt.Errorf("New(%d) builds a lock, though the specification allows %d to %d", n, a.MinProcs, a.MaxProcs)
	}
	var range_ *shm.ProcsError
	if errors.As(err, &range_) {
		if range_.N != n || range_.Min != a.MinProcs || range_.Max != a.MaxProcs {
			return fmt.Errorf("New(%d) returns an error about n = %d and a range of %d to %d; the specification says %d to %d",
				n, range_.N, range_.Min, range_.Max, a.MinProcs, a.MaxProcs)
		}
		return nil
	}
	for _, bound := range []int{a.MinProcs, a.MaxProcs} {
		if !strings.Contains(err.Error(), strconv.Itoa(bound)) {
			return fmt.Errorf("New(%d) returns %q, which does not name the range %d to %d", n, err, a.MinProcs, a.MaxProcs)
		}
	}
	return nil
}
