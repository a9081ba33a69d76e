package spec_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check/internal/spec"
	"shmbench/check/internal/verdict"
	"shmbench/shm"
)

// recovered is what a check finds of a lock that has all properties under crashes except
// those that are lost.
func recovered(lost ...string) spec.Recovered {
	violated := func(name string) bool {
		for _, l := range lost {
			if l == name {
				return true
			}
		}
		return false
	}
	return spec.Recovered{N: 3, Exhausted: true, Recovers: true, Violated: violated, Holds: func(name string) bool { return !violated(name) },
		Steps:      map[string]*int{verdict.BoundedReentry: new(1), verdict.BoundedRecovery: new(4), verdict.BoundedExit: new(5)},
		References: map[shm.RMRModel]*int{shm.WriteThrough: new(19)}}
}

// TestCompareRecovery: each claim about crashes is compared in both directions, and the lower
// bounds only with all the crashes that the specification speaks of.
func TestCompareRecovery(t *testing.T) {
	whole := shm.Recovery{StarvationFree: true, StronglyStarvationFree: true, FCFS: true, StronglyFCFS: true, Reentry: shm.Const(1), Recover: shm.Const(4), Exit: shm.Const(5),
		References: shm.References{WriteThrough: new(shm.Const(19))}}
	compare := func(f spec.Recovered, change func(*shm.Recovery)) spec.Comparison {
		says := whole
		change(&says)
		a := &shm.Algorithm{MaxProcs: 8, Claims: shm.Claims{Recovery: &says}}
		return spec.Expected{Algorithm: a}.CompareRecovery(f)
	}
	require.Equal(t, spec.Comparison{}, compare(recovered(), func(*shm.Recovery) {}))
	for want, change := range map[string]func(*shm.Recovery){
		"the specification is too weak: starvation freedom holds under crashes and is not claimed":                                 func(r *shm.Recovery) { r.StarvationFree = false },
		"the specification is too weak: strong starvation freedom holds under crashes and is not claimed":                          func(r *shm.Recovery) { r.StronglyStarvationFree = false },
		"the specification is too weak: first-come-first-served order holds under crashes and is not claimed":                      func(r *shm.Recovery) { r.FCFS = false },
		"the specification is too weak: strong first-come-first-served order holds under crashes and is not claimed":               func(r *shm.Recovery) { r.StronglyFCFS = false },
		"under crashes, re-entry takes at most 1 steps, the specification says an unbounded number of":                             func(r *shm.Recovery) { r.Reentry = shm.Formula{} },
		"under crashes, Recover takes at most 4 steps, the specification says at most 5":                                           func(r *shm.Recovery) { r.Recover = shm.Const(5) },
		"under crashes, the exit section takes at most 5 steps, the specification says at most 4":                                  func(r *shm.Recovery) { r.Exit = shm.Const(4) },
		"under crashes, a passage makes at most 19 remote memory references (cc write-through), the specification says at most 20": func(r *shm.Recovery) { r.References.WriteThrough = new(shm.Const(20)) },
		"the specification is too weak: the lock is recoverable under crashes of single processes too":                             func(r *shm.Recovery) { r.SystemWide = true },
	} {
		require.Equal(t, []string{want}, compare(recovered(), change).Disagreements)
	}
	for _, name := range []string{verdict.StarvationFreedom, verdict.StrongStarvationFreedom, verdict.FirstComeFirstServed, verdict.StrongFirstComeFirstServed} {
		c := compare(recovered(name), func(*shm.Recovery) {})
		require.Equal(t, []spec.Loss{{Claim: name, Says: name + " is violated"}}, c.Lost)
		require.Len(t, c.Disagreements, 1)
	}
	few := recovered()
	few.Limited = true
	require.Empty(t, compare(few, func(r *shm.Recovery) { r.Recover, r.StarvationFree = shm.Const(5), false }).Disagreements)
	require.Equal(t, verdict.BoundedExit, compare(few, func(r *shm.Recovery) { r.Exit = shm.Const(4) }).Lost[0].Claim)
	for _, name := range spec.MustRecover() {
		require.Equal(t, []spec.Loss{{Claim: name, Says: name + " is violated"}}, compare(recovered(name), func(*shm.Recovery) {}).Lost)
	}
	none := spec.Expected{Algorithm: &shm.Algorithm{MaxProcs: 8}}
	require.Contains(t, none.CompareRecovery(recovered()).Disagreements[0], "claims no recovery")
	require.Empty(t, none.CompareRecovery(recovered(verdict.Reentry)).Disagreements)
}

// TestClaimedUnderCrashes: a claim for crashes of all processes says nothing of single ones.
func TestClaimedUnderCrashes(t *testing.T) {
	a := &shm.Algorithm{Claims: shm.Claims{Recovery: &shm.Recovery{SystemWide: true, StarvationFree: true, Exit: shm.Const(1)}}}
	require.Equal(t, []string{verdict.StarvationFreedom, verdict.BoundedExit}, spec.ClaimedUnderCrashes(a, 2, true))
	require.Empty(t, spec.ClaimedUnderCrashes(a, 2, false))
	require.Empty(t, spec.ClaimedUnderCrashes(nil, 2, false))
}
