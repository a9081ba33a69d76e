// Package locktest is the conformance suite of mutual exclusion locks. It takes a
// specification and reports every rule that the lock breaks. It tests the locks of this
// module, and your own:
//
//	func TestMyLock(t *testing.T) { locktest.Run(t, mylock.Spec) }
//
// The rules are mutual exclusion and the claims of the specification. The suite runs the lock
// on goroutines, and no rule depends on the speed of the machine. A run that finds nothing is
// evidence, and no proof.
package locktest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"shmbench/shm"
)

// Options say how much to check. The zero Options check everything.
type Options struct {
	// Rules are the names of the rules to check; nil means all.
	Rules []string
	// Procs are the numbers of processes at which exclusion is checked; nil
	// means 1 to 8 and a large one, as far as the specification allows.
	Procs []int
	// Passages is the approximate number of critical sections of a case, all processes together;
	// 0 means 1000, and 200 under the race detector.
	Passages int
	// Trials is the number of times that an order of arrival is tried; 0 means 20.
	Trials int
	// Deadline is the time without any progress after which a lock is called hung; 0 means 30
	// seconds.
	Deadline time.Duration
}

// A Failure is one broken rule.
type Failure struct {
	Algorithm string
	Rule      string
	N         int // the number of processes, 0 where the rule is about the specification
	Err       error
}

func (f *Failure) Error() string {
	if f.N == 0 {
		return fmt.Sprintf("%s breaks the rule %q: %v", f.Algorithm, f.Rule, f.Err)
	}
	return fmt.Sprintf("%s with %d processes breaks the rule %q: %v", f.Algorithm, f.N, f.Rule, f.Err)
}

func (f *Failure) Unwrap() error { return f.Err }

// Verify checks algorithm a and returns nil or an error. The error joins a
// *Failure for each broken rule and number of processes, or is ctx's error if
// ctx is canceled.
//
// Some rules set GOMAXPROCS for a while. Calls of Verify and Run wait for one
// another; other tests should not run in parallel with them. A process that
// is stuck in a lock cannot be stopped: after a hang the rest of the rules is
// skipped, and the stuck goroutines stay until the program ends.
func Verify(ctx context.Context, a shm.Algorithm, o Options) error {
	s, err := newSuite(ctx, a, o)
	if err != nil {
		return err
	}
	var failures []error
	for _, r := range rules {
		if o.Rules == nil || slices.Contains(o.Rules, r.name) {
			failures = append(failures, s.check(r)...)
		}
	}
	return errors.Join(append(failures, ctx.Err())...)
}

// Run checks algorithm a, as Verify does with the zero Options, each rule in
// a subtest.
func Run(t *testing.T, a shm.Algorithm) {
	t.Helper()
	RunWith(t, a, Options{})
}

// RunWith checks algorithm a, as Verify does with options o, each rule in a
// subtest.
func RunWith(t *testing.T, a shm.Algorithm, o Options) {
	t.Helper()
	s, err := newSuite(t.Context(), a, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rules {
		if len(r.procs(s)) == 0 || o.Rules != nil && !slices.Contains(o.Rules, r.name) {
			continue
		}
		t.Run(r.name, func(t *testing.T) {
			if s.stuck {
				t.Skip("skipped, as the lock hung before")
			}
			for _, err := range s.check(r) {
				t.Error(err)
			}
			for _, note := range s.notes {
				t.Log(note)
			}
		})
	}
}
