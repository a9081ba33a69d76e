package check

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/catalog"
	"shmbench/check/internal/verdict"
	"shmbench/shm"
)

// releasedLock checks a lock of package locks with release stores, if need be
// against a specification, and replays it on the compiled code.
func releasedLock(t *testing.T, constructor string, spec *shm.Algorithm) *Report {
	t.Helper()
	src := Testdata(t, "locks")
	s := src.pkg.Lock(constructor)
	s.Spec = spec
	reports, err := src.once(t.Context(), s, Options{N: []int{2}, Replays: 1_000})
	require.NoError(t, err)
	r := reports[0]
	require.Equal(t, len(r.Counterexamples), r.Replay.Counterexamples, constructor)
	require.Positive(t, r.Replay.Transitions, constructor)
	return r
}

// TestReleasedFlags: with the flags in memory two processes exclude each other;
// if one of them may still be in the buffer, or is plain, they do not.
func TestReleasedFlags(t *testing.T) {
	t.Parallel()
	for constructor, want := range map[string]Verdict{
		"NewFlags": Holds, "NewFlagReleased": Violated, "NewFlagsReleased": Violated, "NewPlainFlags": Violated,
	} {
		r := releasedLock(t, constructor, nil)
		require.Equal(t, "tso", r.Memory, constructor)
		require.False(t, r.Unfenced, constructor)
		require.Equal(t, want, r.MutualExclusion, constructor)
	}
}

// TestReleasedOwnStore: a process finds its own store before anybody else does.
func TestReleasedOwnStore(t *testing.T) {
	t.Parallel()
	r := releasedLock(t, "NewOwnStore", nil)
	require.NoError(t, r.Err())
	require.Equal(t, "tso", r.Memory)
}

// TestReleasedRegisters: values and registers that turn up only under store
// buffers are learned.
func TestReleasedRegisters(t *testing.T) {
	t.Parallel()
	r := releasedLock(t, "NewMeets", nil)
	require.Equal(t, Violated, r.MutualExclusion)
	require.Equal(t, Holds, r.ExitProgress)
	require.True(t, slices.ContainsFunc(r.Registers, func(k Registers) bool { return k.Name == "both" && k.Values == 2 }), "%v", r.Registers)
	require.True(t, slices.ContainsFunc(r.Registers, func(k Registers) bool { return k.Name == "inside" && k.Values == 3 }), "%v", r.Registers)
}

// TestReleasedTrace: a trace says which stores have not reached memory, and when
// they do.
func TestReleasedTrace(t *testing.T) {
	t.Parallel()
	r := releasedLock(t, "NewFlagReleased", nil)
	require.Equal(t, `mutual exclusion is violated for n = 2: processes 0 and 1 are in their critical sections at once
step  process 0                 process 1                 not in memory yet   source
1                               flag[1] := true           1: flag[1] := true  check/testdata/locks/released.go:21
2                               flag[0] = false [enters]  1: flag[1] := true  check/testdata/locks/released.go:22
3     flag[0] := true                                     1: flag[1] := true  check/testdata/locks/released.go:21
4     flag[1] = false [enters]                            1: flag[1] := true  check/testdata/locks/released.go:22
`, r.Counterexample(verdict.MutualExclusion).String())
}

// TestReleasedOrder: a doorway ends when its last store is issued, so that a specification
// must not claim the order of those whose stores are still in the buffers, nor a
// bound on how often they are passed.
func TestReleasedOrder(t *testing.T) {
	t.Parallel()
	a, err := catalog.Get("peterson/peterson")
	require.NoError(t, err)
	a.Claims.References = shm.References{} // it makes one access more than the lock of the catalog
	spec := shm.Algorithm{Name: "drains", Class: shm.Swap, MinProcs: 1, MaxProcs: 2, Claims: a.Claims, Space: append(slices.Clone(a.Space),
		shm.Registers{Name: "scratch", Count: shm.Const(2), Values: shm.Const(2), SingleWriter: true})}
	r := releasedLock(t, "NewDrains", &spec)
	require.Empty(t, r.Disagreements)
	require.Equal(t, "sc", r.Memory)
	r = releasedLock(t, "NewDrainsReleased", &spec)
	require.Equal(t, []string{verdict.FirstComeFirstServed + " is violated", "the bypass is unbounded, the specification says 1"}, r.Disagreements)
	spec.Claims.FCFS, spec.Claims.Bypass = false, shm.Formula{}
	r = releasedLock(t, "NewDrainsReleased", &spec)
	require.Empty(t, r.Disagreements)
	require.Equal(t, "agrees", r.agreement())
	require.True(t, r.StarvationFreedom.Holds(), "every store gets to memory")
}

// TestReleasedForms: the checker explores a released form with store buffers that never
// overflow, and compares it with its compiled code.
func TestReleasedForms(t *testing.T) {
	t.Parallel()
	reports := CatalogueReports(t)
	forms := map[string]bool{}
	for _, r := range reports {
		a, err := catalog.Get(r.Algorithm)
		require.NoError(t, err)
		if a.Stores == shm.Sequential {
			require.Equal(t, "sc", r.Memory, r.Algorithm)
			continue
		}
		if r.Memory == "sc" { // RUnlock may be all that releases
			require.True(t, r.Modes == nil && a.Claims.Mixed.Concurrent, r.Algorithm)
			continue
		}
		forms[r.Algorithm] = true
		require.Equal(t, "tso", r.Memory, r.Algorithm)
		require.Zero(t, r.BufferedStores, r.Algorithm)
		require.Positive(t, r.Replay.Transitions, r.Algorithm)
		require.Positive(t, r.Replay.Schedules, r.Algorithm)
	}
	require.GreaterOrEqual(t, len(forms), 4)
}

// TestReleasedTable: the table says whose stores went through buffers.
func TestReleasedTable(t *testing.T) {
	var b strings.Builder
	require.NoError(t, Table{{Algorithm: "a", Memory: "tso"}, {Algorithm: "a", Memory: "tso"}, {Algorithm: "b", Memory: "sc"},
		{Algorithm: "c", Memory: "tso", Unfenced: true}, {Algorithm: "d", Memory: "tso"}}.WriteText(&b))
	require.Contains(t, b.String(), "in store buffers: a and d.\n")
}
