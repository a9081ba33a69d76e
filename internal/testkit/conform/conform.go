// Package conform holds this module's own locks to package locktest. Their tests run
// on every change, so that they make a part of what locktest.Run makes for a user's
// lock. The test flag -all makes them do everything.
package conform

import (
	"testing"

	"shmbench/internal/testkit/sample"
	"shmbench/locktest"
	"shmbench/shm"
)

// usual is what a conformance test does without -all: each rule with fewer passages
// and trials, and exclusion with fewer numbers of processes.
var usual = locktest.Options{Passages: 100, Trials: 3}

// Run checks algorithm a, each rule in a subtest.
func Run(t *testing.T, a shm.Algorithm) {
	t.Helper()
	if sample.All() {
		locktest.Run(t, a)
		return
	}
	o := usual
	for _, n := range []int{1, 2, 3, 8, min(24, a.MaxProcs)} {
		if n >= a.MinProcs && n <= a.MaxProcs && (len(o.Procs) == 0 || n > o.Procs[len(o.Procs)-1]) {
			o.Procs = append(o.Procs, n)
		}
	}
	locktest.RunWith(t, a, o)
}
