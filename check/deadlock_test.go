package check_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/catalog"
	"shmbench/catalog/knownbroken"
	"shmbench/catalog/mutants"
	"shmbench/check"
	"shmbench/internal/testkit/sample"
	"shmbench/shm"
)

// sameDeadlocks compares reports of checks with and without edges on deadlock freedom: the verdict and the execution
// against it. It returns how many reports there are with each verdict. Where a bound ends the check with edges, the other
// one may decide on its fewer states.
func sameDeadlocks(t *testing.T, of func(o check.Options) []*check.Report) map[check.Verdict]int {
	t.Helper()
	o := check.Options{MaxStates: 1 << 15, NoCosts: true}
	whole := of(o)
	o.Safety = true
	states := of(o)
	require.Len(t, states, len(whole))
	count := map[check.Verdict]int{}
	for i, r := range whole {
		s := states[i]
		count[r.DeadlockFreedom]++
		if r.DeadlockFreedom == check.Unknown && !r.Exhausted {
			continue
		}
		require.Equal(t, r.DeadlockFreedom, s.DeadlockFreedom, "%s, n=%d", r.Algorithm, r.N)
		a, b := r.Counterexample(check.DeadlockFreedom), s.Counterexample(check.DeadlockFreedom)
		require.Equal(t, a == nil, b == nil, "%s, n=%d", r.Algorithm, r.N)
		if a != nil {
			require.Equal(t, a.Schedule(), b.Schedule(), "%s, n=%d", r.Algorithm, r.N)
			require.Equal(t, a.Cycle, b.Cycle, "%s, n=%d", r.Algorithm, r.N)
			require.Equal(t, a.End, b.End, "%s, n=%d", r.Algorithm, r.N)
		}
	}
	return count
}

// TestDeadlockWithoutEdges: a check without edges decides deadlock freedom as one with edges does, for locks of all
// shapes.
func TestDeadlockWithoutEdges(t *testing.T) {
	t.Parallel()
	src := check.Testdata(t, "locks")
	count := sameDeadlocks(t, func(o check.Options) []*check.Report {
		o.N = []int{2, 3}
		reports, err := src.Locks(t.Context(), []string{"NewTAS", "NewPatient", "NewLastWaits", "NewGate", "NewLoops", "NewRelays", "NewPlain", "NewPanics", "NewFunctions"}, o)
		require.NoError(t, err)
		return reports
	})
	require.Greater(t, min(count[check.Holds], count[check.Violated]), 3, "%v", count)
	reports, err := src.Lock(t.Context(), "NewGate", check.Options{N: []int{2}, Safety: true})
	require.NoError(t, err)
	require.ErrorContains(t, reports[0].Err(), "deadlock freedom is violated")
	reports, err = src.Lock(t.Context(), "NewTAS", check.Options{N: []int{2}, Safety: true, MaxBytes: 1 << 20, MaxStates: 2})
	require.NoError(t, err)
	require.Equal(t, check.Unknown, reports[0].DeadlockFreedom)
	require.Contains(t, reports[0].Undecided[0].Properties, check.DeadlockFreedom)
}

// TestDeadlockWithoutEdgesOfAll: the same for some mutants, for the known-broken locks, and for some locks of the catalog
// with three processes.
func TestDeadlockWithoutEdgesOfAll(t *testing.T) {
	sample.NeedsAll(t)
	t.Parallel()
	broken := slices.DeleteFunc(mutants.All(), func(m mutants.Mutant) bool { return m.Crashes != "" || m.Procs != 2 })
	broken = sample.Some(t, broken, func(m mutants.Mutant) string { return m.Name }, 10)
	src, err := check.OpenMutants(broken)
	require.NoError(t, err)
	var algorithms []shm.Algorithm
	for _, m := range broken {
		algorithms = append(algorithms, m.Algorithm)
	}
	count := sameDeadlocks(t, func(o check.Options) []*check.Report {
		o.N = []int{2}
		reports, err := src.Alone(t.Context(), algorithms, o)
		require.NoError(t, err)
		return reports
	})
	require.Greater(t, count[check.Violated], 0, "%v", count)

	wrong, err := check.Open(t.Context(), "", "shmbench/catalog/knownbroken")
	require.NoError(t, err)
	algorithms = nil
	for _, l := range knownbroken.All() {
		algorithms = append(algorithms, l.Algorithm)
	}
	count = sameDeadlocks(t, func(o check.Options) []*check.Report {
		reports, err := wrong.Alone(t.Context(), algorithms, o)
		require.NoError(t, err)
		return reports
	})
	require.Greater(t, count[check.Violated], 0, "%v", count)

	locks := slices.DeleteFunc(catalog.All(), func(a shm.Algorithm) bool { return a.VariantOf != "" })
	locks = sample.Some(t, locks, check.AlgorithmName, 8)
	count = sameDeadlocks(t, func(o check.Options) []*check.Report {
		o.N, o.LockOnly = []int{3}, true // TestSafetyIsTheSame has two processes
		return reportsOf(t, o, locks...)
	})
	require.Greater(t, count[check.Holds], 5, "%v", count)
}

// TestDeadlockIsReplayed: the execution against deadlock freedom that a check without edges finds runs on the
// compiled code.
func TestDeadlockIsReplayed(t *testing.T) {
	sample.NeedsAll(t)
	reports, err := check.Testdata(t, "locks").Once(t.Context(), "NewGate", check.Options{N: []int{2}, Safety: true, Replays: 1})
	require.NoError(t, err)
	require.NotNil(t, reports[0].Counterexample(check.DeadlockFreedom))
	require.Empty(t, reports[0].Replay.Omitted)
	require.Equal(t, 1, reports[0].Replay.Counterexamples)
}
