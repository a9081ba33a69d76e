package forks

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"

	"shmbench/bench"
	"shmbench/catalog"
	"shmbench/internal/build/foreign"
	"shmbench/internal/run/isolate"
	"shmbench/shm"
	"shmbench/shm/spin"
)

// Main is the main function of the program that "shmbench run ./PACKAGE" builds. The lock is
// either its specification or the function that builds it: a func(n int) T or a func(n
// int) (T, error).
func Main(lock any) {
	serve(isolate.Tied(context.Background(), func() { os.Exit(2) }), lock)
}

// Serve answers a parent's question, if there is one, and then ends the program. A parent
// that measures between processes asks for one of these processes.
func Serve(ctx context.Context) { serve(ctx, nil) }

func serve(ctx context.Context, lock any) {
	bench.ServeProcesses(ctx)
	isolate.Serve(ctx, service, func(ctx context.Context, q question, tell func(event) error) error {
		t := teller{tell: tell, lock: lock}
		if q.Describe != nil {
			return t.describe(*q.Describe)
		}
		return t.measure(ctx, *q.Measure)
	})
}

// teller tells a parent the events of a suite.
type teller struct {
	tell  func(event) error
	lock  any // the user's, nil if there is none
	cases []bench.Case
}

// describe tells the parent about the user's lock.
func (t *teller) describe(q about) error {
	a, err := foreign.Spec(t.lock, q.Name, q.Procs...)
	if err != nil {
		return err
	}
	if _, err := catalog.Get(a.Name); err == nil {
		return fmt.Errorf("its specification has the name %s, which a lock of the catalog has: give it another", a.Name)
	}
	if !bench.Nameable(a.Name) {
		return fmt.Errorf("its specification has the name %q: give it a name of letters and digits, such as mylock/mylock", a.Name)
	}
	d := &Description{Name: a.Name, MinProcs: a.MinProcs, MaxProcs: a.MaxProcs, Modes: a.Modes(), Loop: bench.LoopPlace()}
	if _, specified := t.lock.(shm.Algorithm); specified {
		if d.Specification, err = json.Marshal(bench.SpecifyForFile(a)); err != nil {
			return err
		}
	}
	return t.tell(event{Lock: d})
}

func (t *teller) measure(ctx context.Context, x Experiment) error {
	var own []shm.Algorithm
	if t.lock != nil {
		a, err := foreign.Spec(t.lock, x.Own, x.Procs...)
		if err != nil {
			return err
		}
		own = append(own, a)
	}
	suite, err := x.Suite(own...)
	if err != nil {
		return err
	}
	policy, err := spin.ParsePolicy(x.Wait)
	if err != nil {
		return err
	}
	spin.Use(policy)
	if counters, err := bench.OpenCounters(); err == nil {
		defer counters.Close()
		suite.Options.Counters = counters
	}
	t.cases, _ = suite.Cases()
	return suite.Run(ctx, t)
}

func (t *teller) number(c bench.Case) int {
	return slices.IndexFunc(t.cases, func(o bench.Case) bool {
		return o.Procs == c.Procs && o.Algorithm.Name == c.Algorithm.Name
	})
}

// Start tells nothing: the parent knows which suite it asked for.
func (t *teller) Start(bench.Suite) {}

// Begin tells the parent that a sample begins.
func (t *teller) Begin(c bench.Case, round int) {
	t.tell(event{Begin: true, Case: t.number(c), Round: round})
}

// Line tells the parent a result.
func (t *teller) Line(l bench.Line) error { return t.tell(event{Line: &l}) }

// Failed tells the parent that a sample failed.
func (t *teller) Failed(c bench.Case, err error) {
	ev := event{Case: t.number(c), Failed: err.Error()}
	errors.As(err, &ev.Broken)
	errors.As(err, &ev.Stuck)
	t.tell(ev)
}
