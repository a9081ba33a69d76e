package check_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check"
	"shmbench/internal/testkit/sample"
)

// TestRobust: with one death, each rule of the kernel loses a wake-up except the last, and so do
// the two errors of glibc. Three threads show more than two.
func TestRobust(t *testing.T) {
	wakes := map[string]int{ // the least n at which a wake-up is lost, or 0
		"NewRobustNoPending": 2, "NewRobustTwoSteps": 2,
		"NewRobustZero": 3, "NewRobustNoOwner": 3, "NewRobustForgets": 3,
		"NewRobustAlways": 0,
	}
	ns := []int{2}
	if sample.All() {
		ns = append(ns, 3)
	}
	var all []string
	for name := range wakes {
		all = append(all, name)
	}
	for _, n := range ns {
		for name, r := range crashing(t, "1", check.Options{N: []int{n}, AcceptUnreplayed: true}, all...) {
			require.True(t, r.MutualExclusion.Holds(), "%s, n=%d", name, n)
			require.Equal(t, check.Violated, r.Crashes.Reentry, "%s, n=%d: the next owner enters first", name, n)
			require.Equal(t, wakes[name] > 0 && n >= wakes[name], r.DeadlockFreedom == check.Violated, "%s, n=%d", name, n)
		}
	}
}
