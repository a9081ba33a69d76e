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

// TestCompareRecoveryWithinLimits: a claim that is missing is named only if at least three
// processes crashed as the specification has it, or all that the lock allows, without limits.
func TestCompareRecoveryWithinLimits(t *testing.T) {
	const starvation = "the specification is too weak: starvation freedom holds under crashes and is not claimed"
	for _, c := range []struct {
		name   string
		most   int
		change func(*spec.Recovered)
		says   []string
	}{
		{"three of eight", 8, func(*spec.Recovered) {}, []string{starvation}},
		{"two of eight", 8, func(f *spec.Recovered) { f.N = 2 }, nil},
		{"two of two", 2, func(f *spec.Recovered) { f.N = 2 }, []string{starvation}},
		{"one", 1, func(f *spec.Recovered) { f.N = 1 }, nil},
		{"a limit of passages", 8, func(f *spec.Recovered) { f.Passages = 2 }, nil},
		{"a limit of crashes", 8, func(f *spec.Recovered) { f.Limited = true }, nil},
		{"crashes of all processes", 8, func(f *spec.Recovered) { f.SystemWide = true }, nil},
		{"states are left", 8, func(f *spec.Recovered) { f.Exhausted = false }, nil},
	} {
		f := recovered(verdict.StrongStarvationFreedom, verdict.FirstComeFirstServed, verdict.StrongFirstComeFirstServed)
		f.Steps, f.References = nil, nil
		c.change(&f)
		a := &shm.Algorithm{MaxProcs: c.most, Claims: shm.Claims{Recovery: &shm.Recovery{}}}
		require.Equal(t, spec.Comparison{Disagreements: c.says}, spec.Expected{Algorithm: a}.CompareRecovery(f), c.name)
	}
	require.Empty(t, spec.Expected{}.CompareRecovery(recovered(verdict.Reentry)), "without a specification")
}

// TestCompareRecoveryBounds: a bound may be less than the specification says under fewer or weaker
// crashes, and a limit of passages shows nothing of one that is unbounded. It may never be more.
func TestCompareRecoveryBounds(t *testing.T) {
	for _, c := range []struct {
		name  string
		says  shm.Formula
		got   int
		claim string // that is lost
		other bool
		f     spec.Recovered
	}{
		{name: "equal", says: shm.Const(4), got: 4},
		{name: "more", says: shm.Const(4), got: 5, claim: verdict.BoundedRecovery, other: true},
		{name: "no bound", says: shm.Const(4), got: shm.Unbounded, claim: verdict.BoundedRecovery, other: true},
		{name: "less", says: shm.Const(4), got: 3, other: true},
		{name: "less, within a limit of passages", says: shm.Const(4), got: 3, other: true, f: spec.Recovered{Passages: 1}},
		{name: "less, within a limit of crashes", says: shm.Const(4), got: 3, f: spec.Recovered{Limited: true}},
		{name: "less, under crashes of all processes", says: shm.Const(4), got: 3, f: spec.Recovered{SystemWide: true}},
		{name: "more, within a limit of crashes", says: shm.Const(4), got: 5, claim: verdict.BoundedRecovery, other: true, f: spec.Recovered{Limited: true}},
		{name: "a bound that the specification does not have", got: 3, other: true},
		{name: "the same, within a limit of passages", got: 3, f: spec.Recovered{Passages: 1}},
		{name: "unbounded in both", got: shm.Unbounded},
	} {
		f := recovered(verdict.StarvationFreedom, verdict.StrongStarvationFreedom, verdict.FirstComeFirstServed, verdict.StrongFirstComeFirstServed)
		f.Passages, f.Limited, f.SystemWide = c.f.Passages, c.f.Limited, c.f.SystemWide
		f.References, f.Steps = nil, map[string]*int{verdict.BoundedRecovery: &c.got}
		a := &shm.Algorithm{MaxProcs: 8, Claims: shm.Claims{Recovery: &shm.Recovery{Recover: c.says}}}
		got := spec.Expected{Algorithm: a}.CompareRecovery(f)
		require.Equal(t, c.other, got.Disagreements != nil, c.name)
		require.Equal(t, c.claim != "", got.Lost != nil, c.name)
		if c.claim != "" {
			require.Equal(t, c.claim, got.Lost[0].Claim, c.name)
		}
		f.Recovers = false
		require.Empty(t, spec.Expected{Algorithm: a}.CompareRecovery(f), "a lock without Recover: %s", c.name)
	}
}

// TestCompareSystemWideRecovery: what a specification claims under crashes of all processes is not
// compared with crashes of single ones, but the lock may be better than it says there.
func TestCompareSystemWideRecovery(t *testing.T) {
	const better = "the specification is too weak: the lock is recoverable under crashes of single processes too"
	a := &shm.Algorithm{MaxProcs: 8, Claims: shm.Claims{Recovery: &shm.Recovery{SystemWide: true, StarvationFree: true}}}
	for _, c := range []struct {
		name string
		f    spec.Recovered
		says []string
		lost []string
	}{
		{"single processes", recovered(), []string{better}, nil},
		{"single processes, and one can starve", recovered(verdict.StarvationFreedom), []string{better}, nil},
		{"single processes, and the lock is not recoverable", recovered(verdict.Reentry), nil, []string{verdict.Reentry}},
	} {
		got := spec.Expected{Algorithm: a}.CompareRecovery(c.f)
		require.Equal(t, c.says, got.Disagreements, c.name)
		var lost []string
		for _, l := range got.Lost {
			lost = append(lost, l.Claim)
		}
		require.Equal(t, c.lost, lost, c.name)
		c.f.Limited = true
		require.Empty(t, spec.Expected{Algorithm: a}.CompareRecovery(c.f).Disagreements, "a limit of crashes: %s", c.name)
	}
	f := recovered(verdict.StarvationFreedom, verdict.StrongStarvationFreedom, verdict.FirstComeFirstServed, verdict.StrongFirstComeFirstServed)
	f.SystemWide, f.Steps, f.References = true, nil, nil
	require.Equal(t, []string{"starvation freedom is violated"}, spec.Expected{Algorithm: a}.CompareRecovery(f).Disagreements)
	none := &shm.Algorithm{MaxProcs: 8}
	f = recovered()
	f.Limited = true
	require.Empty(t, spec.Expected{Algorithm: none}.CompareRecovery(f).Disagreements, "few crashes show no recovery")
}
