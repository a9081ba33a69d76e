// Package stress stress-tests locks on real processors. It builds locks for several numbers
// of processes one after another, and uses some for more passages than a 16-bit counter can
// count. The use of a lock has phases, which a seed determines. In a phase, processes start
// and end, hold the lock briefly or sometimes for long, and yield. They are threads with a
// processor each; or more threads than processors; or goroutines on one processor that are
// preempted every few microseconds at any instruction; or, if a lock claims starvation
// freedom, goroutines that let one another run only in their critical sections.
//
// Several oracles watch. The result is a table of outcomes, each acceptable, interesting or
// forbidden. A run that finds nothing is evidence, and no proof. A forbidden overlap or order
// is a proof: a process counts as past its doorway only if that is certain. Starvation and a
// hang are decided by a time limit: 20 seconds; 3 seconds if all processes wait for one
// another; or 0.3 seconds and 5000 passages of others, between which the process ran.
package stress

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"shmbench/internal/run/watchdog"
	"shmbench/shm"
	"shmbench/shm/region"
	"shmbench/shm/spin"
)

// Options say how long and how to stress; the zero Options are good for a
// test.
type Options struct {
	// Procs are the numbers of processes from which each lock's is drawn; nil
	// means 2, 4, 5 and 8, as far as the specification allows.
	Procs []int
	// Duration is how long to go on; 0 means 300 ms. The first lock's life is
	// finished, so that there is always one.
	Duration time.Duration
	// Passages is how many passages to make at least, unless that takes five
	// times the duration.
	Passages uint64
	// Seed draws the plan of phases; 0 draws a seed, which the report has.
	Seed uint64
	// Processes: those of each lock are processes of the operating system, in memory that
	// they share. The program must call ServeProcesses.
	Processes bool
	Topology  string // where the processes of a lock for several nodes are, for the children
	// Deadline is how long nothing may move before the lock is called hung; 0
	// means 20 seconds. It is 3 seconds where all processes are seen to wait for
	// one another.
	Deadline time.Duration
}

// Run stresses the algorithms one after another and fails the test on a
// forbidden outcome.
func Run(t testing.TB, algorithms ...shm.Algorithm) {
	t.Helper()
	for _, a := range algorithms {
		r, err := Test(t.Context(), a, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if r.Found != nil {
			var text strings.Builder
			r.WriteText(&text)
			t.Error(text.String())
		}
	}
}

// exclusive keeps runs apart: each sets GOMAXPROCS and the waiting policy.
var exclusive sync.Mutex

// Test stresses algorithm a, and reports what it saw. It ends when the duration has passed,
// the first phase with a forbidden outcome has ended, or ctx is canceled. The error is
// about wrong options, never about the lock.
//
// While it runs it sets GOMAXPROCS and spin's policy, which it restores; calls
// wait for one another. Processes that hang in the lock cannot be stopped:
// their goroutines and threads stay until the program ends.
func Test(ctx context.Context, a shm.Algorithm, o Options) (*Report, error) {
	if err := a.Validate(); err != nil {
		return nil, err
	}
	if err := o.Complete(a); err != nil {
		return nil, err
	}
	exclusive.Lock()
	defer exclusive.Unlock()
	policy, processors := spin.InUse(), runtime.GOMAXPROCS(0)
	if o.Processes {
		if err := region.Movable(a, slices.Max(o.Procs)); err != nil {
			return nil, fmt.Errorf("%s: %w", a.Name, err)
		}
	}
	r := newRunner(a, o, min(processors, runtime.NumCPU()))
	defer runtime.GOMAXPROCS(processors)
	err := r.run(ctx)
	if !r.stuck || r.apart {
		spin.Use(policy)
	}
	if err != nil {
		return nil, err
	}
	return r.report(), nil
}

// Complete refuses what makes no sense for the lock, and sets what is zero to
// what it means: a seed, for one, is drawn.
func (o *Options) Complete(a shm.Algorithm) error {
	if o.Duration < 0 || o.Deadline < 0 {
		return errors.New("duration and deadline must not be negative")
	}
	for _, n := range o.Procs {
		if err := shm.CheckProcs(a.Name, n, a.MinProcs, a.MaxProcs); err != nil {
			return err
		}
	}
	if len(o.Procs) == 0 {
		for _, n := range []int{2, 4, 5, 8} {
			o.Procs = append(o.Procs, max(a.MinProcs, min(n, a.MaxProcs)))
		}
		o.Procs = slices.Compact(o.Procs)
	}
	o.Duration = cmp.Or(o.Duration, 300*time.Millisecond)
	o.Seed = cmp.Or(o.Seed, rand.Uint64(), 1)
	o.Deadline = cmp.Or(o.Deadline, watchdog.Deadline)
	return nil
}
