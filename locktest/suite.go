package locktest

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"shmbench/internal/machine/race"
	"shmbench/shm"
)

// suite is the check of one algorithm.
type suite struct {
	ctx         context.Context
	a           shm.Algorithm
	o           Options
	stuck       bool     // a process did not come back from the lock
	notes       []string // what the last rule could not check, and why
	pollsUnseen bool     // it waits in loops of its own; see awaitDoorway
}

// newSuite returns a suite for a and the completed options.
func newSuite(ctx context.Context, a shm.Algorithm, o Options) (*suite, error) {
	if err := o.complete(a); err != nil {
		return nil, err
	}
	return &suite{ctx: ctx, a: a, o: o}, nil
}

// exclusive keeps checks apart, as some change GOMAXPROCS.
var exclusive sync.Mutex

// check holds the lock to one rule, and returns a *Failure for each number of
// processes at which it breaks it.
func (s *suite) check(r rule) []error {
	exclusive.Lock()
	defer exclusive.Unlock()
	var failures []error
	s.notes = nil
	for _, n := range r.procs(s) {
		if s.stuck || s.ctx.Err() != nil {
			break
		}
		if err := r.check(s, n); err != nil && s.ctx.Err() == nil {
			failures = append(failures, &Failure{Algorithm: s.a.Name, Rule: r.name, N: n, Err: err})
		}
	}
	return failures
}

// largeProcs is the large number of processes; some of them take part.
const largeProcs = 256

// complete refuses what makes no sense, and sets what is zero.
func (o *Options) complete(a shm.Algorithm) error {
	for _, name := range o.Rules {
		if !slices.ContainsFunc(rules, func(r rule) bool { return r.name == name }) {
			return fmt.Errorf("no rule %q; the rules are %s", name, strings.Join(Rules(), ", "))
		}
	}
	if err := a.Validate(); err != nil {
		return err
	}
	if o.Passages < 0 || o.Trials < 0 || o.Deadline < 0 {
		return fmt.Errorf("passages, trials and deadline must not be negative")
	}
	for _, n := range o.Procs {
		if n < a.MinProcs || n > a.MaxProcs {
			return &shm.ProcsError{Algorithm: a.Name, N: n, Min: a.MinProcs, Max: a.MaxProcs}
		}
	}
	if o.Procs == nil {
		for _, n := range []int{1, 2, 3, 4, 5, 6, 7, 8, min(largeProcs, a.MaxProcs)} {
			if n >= a.MinProcs && n <= a.MaxProcs && !slices.Contains(o.Procs, n) {
				o.Procs = append(o.Procs, n)
			}
		}
		if o.Procs == nil { // a lock for many only
			o.Procs = []int{a.MinProcs}
		}
	}
	passages := 1000
	if race.Enabled {
		passages = 200
	}
	o.Passages = cmp.Or(o.Passages, passages)
	o.Trials = cmp.Or(o.Trials, 20)
	o.Deadline = cmp.Or(o.Deadline, 30*time.Second)
	return nil
}
