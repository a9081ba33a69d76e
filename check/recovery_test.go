package check_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/catalog"
	"shmbench/check"
	"shmbench/internal/testkit/sample"
	"shmbench/shm"
)

// cheapRecoveries are the recoverable locks that are looked at without -all too.
var cheapRecoveries = map[string]bool{"recoverable/rtas": true, "recoverable/rya": true, "recoverable/rmcs": true}

// TestRecoveryClaims: the specification of each recoverable lock claims exactly what holds
// under crashes of single processes, and no more than the properties that hold under crashes of all.
// Each changed claim is noticed.
func TestRecoveryClaims(t *testing.T) {
	var some []shm.Algorithm
	for _, a := range catalog.All() {
		if a.Claims.Recovery != nil && (sample.All() || cheapRecoveries[a.Name]) {
			some = append(some, a)
		}
	}
	require.GreaterOrEqual(t, len(some), len(cheapRecoveries))
	src, err := check.OpenFor(t.Context(), catalog.Path, some)
	require.NoError(t, err)
	checker := src.Checker("All")
	defer checker.Close()
	report := func(a shm.Algorithm, crashes check.Crashes) *check.Report {
		o := check.Options{N: []int{2}, AcceptUnreplayed: true, Crashes: &crashes}
		if !a.Space.Bounded(2) {
			o.Passages = 2
		}
		reports, err := checker.Check(t.Context(), a, o)
		require.NoError(t, err)
		return reports[0]
	}
	for _, a := range some {
		for _, crashes := range []check.Crashes{{}, {System: true}} {
			err := report(a, crashes).Err()
			if a.Space.Bounded(2) {
				require.NoError(t, err, "%s, crashes %v", a.Name, crashes)
			} else {
				require.ErrorContains(t, err, ": holds within 2 passages only; ", "%s, crashes %v", a.Name, crashes)
			}
		}
		says := a.Claims.Recovery
		for i, change := range []func(*shm.Recovery){
			func(r *shm.Recovery) { r.StarvationFree = !r.StarvationFree },
			func(r *shm.Recovery) { r.FCFS = !r.FCFS },
			func(r *shm.Recovery) { r.Reentry = shm.Const(20) },
			func(r *shm.Recovery) { r.References.WriteThrough = new(shm.Const(20)) },
		} {
			if !a.Space.Bounded(2) {
				continue // two passages do not show all that a specification leaves out
			}
			if i < 2 && a.MaxProcs > 2 && says.StarvationFree {
				continue // and two processes do not show that more starve, or are passed
			}
			changed, wrong := *says, a
			change(&changed)
			wrong.Claims.Recovery = &changed
			require.Len(t, report(wrong, check.Crashes{}).Disagreements, 1, "%s: %+v", a.Name, changed)
		}
	}
}
