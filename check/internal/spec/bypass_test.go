package spec

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check/internal/verdict"
	"shmbench/shm"
)

// TestIfMore: only a bound that is greater than the one of the specification loses a claim.
func TestIfMore(t *testing.T) {
	for _, c := range []struct {
		got, want int
		more      bool
	}{
		{1, 2, false}, {2, 2, false}, {3, 2, true}, {shm.Unbounded, 2, true}, {shm.Unbounded, 0, true}, {0, 0, false},
		{3, shm.Unbounded, false}, {shm.Unbounded, shm.Unbounded, false},
	} {
		require.Equal(t, c.more, ifMore("claim", c.got, c.want) == "claim", c)
		require.Equal(t, !c.more, ifMore("claim", c.got, c.want) == "", c)
	}
}

// TestAtLimit: with a limit of passages, a process is passed at most by all passages of all others.
func TestAtLimit(t *testing.T) {
	for _, c := range []struct {
		n, passages, bypass int
		at                  bool
	}{
		{3, 2, 3, false}, {3, 2, 4, true}, {3, 2, 5, true}, {3, 0, 4, false}, {3, 1, 2, true}, {3, 1, 1, false}, {2, 1, 1, true}, {1, 1, 0, false},
	} {
		require.Equal(t, c.at, AtLimit(c.n, c.passages, c.bypass), c)
	}
}

// TestOtherBypass: a bypass that is not the one of the specification is a disagreement, unless the
// limit of passages bounds it.
func TestOtherBypass(t *testing.T) {
	for _, c := range []struct {
		n, asked, passages int
		says               shm.Formula
		got                int
		other              bool
	}{
		{2, 0, 0, shm.Const(1), 1, false},
		{2, 0, 0, shm.Const(1), 2, true},
		{2, 3, 3, shm.Const(1), 2, true},
		{1, 0, 0, shm.Const(1), 0, false},
		{2, 0, 0, shm.Formula{}, 2, true},
		{2, 0, 2, shm.Formula{}, 1, true},
		{2, 0, 2, shm.Formula{}, 2, false},
		{2, 2, 2, shm.Formula{}, 1, false},
		{2, 0, 0, shm.Formula{}, shm.Unbounded, false},
		{2, 0, 0, shm.Const(1), shm.Unbounded, true},
	} {
		s := Expected{Passages: c.asked}
		require.Equal(t, c.other, s.otherBypass(Found{Terms: Terms{N: c.n}, Passages: c.passages}, c.says, c.got), c)
	}
}

// TestPlacedBypass: how often a process is passed behind the place of the specification must be
// what the specification says. Within a limit of passages it may be less.
func TestPlacedBypass(t *testing.T) {
	for _, c := range []struct {
		n, passages, got int
		says             string // "" if nothing
		lost             bool
	}{
		{2, 0, 2, "", false},
		{2, 0, 1, "behind line 3 a process is passed 1 times, the specification says 2", false},
		{2, 0, 3, "behind line 3 a process is passed 3 times, the specification says 2", true},
		{2, 1, 1, "", false},
		{2, 1, 3, "behind line 3 a process is passed 3 times, the specification says 2", true},
		{1, 0, 0, "", false},
	} {
		a := spec()
		a.Claims.Place, a.Claims.Placed, a.Claims.References = "3", new(shm.Const(2)), shm.References{}
		f := findings(Terms{N: c.n, Modes: pure.Modes})
		f.Passages, f.Placed = c.passages, &c.got
		var want Comparison
		if c.says != "" {
			want.Disagreements = []string{c.says}
		}
		if c.lost {
			want.Lost = []Loss{{verdict.PlacedBypass, c.says}}
		}
		require.Equal(t, want, Expected{Algorithm: a}.Compare(f), c)
	}
}

// TestCompareOneProcess: one process makes no remote memory reference that it shares, so the
// bounds of the specification say nothing of it.
func TestCompareOneProcess(t *testing.T) {
	f := findings(Terms{N: 1, Modes: pure.Modes}, CoherentReferences)
	f.Bypass, f.References[shm.WriteBack], f.Class, f.Kinds = new(0), new(9), shm.Swap, nil
	require.Equal(t, Comparison{}, Expected{Algorithm: spec()}.Compare(f))
}

// TestCompareFewStates: before every state was visited, only violated properties are compared.
func TestCompareFewStates(t *testing.T) {
	f := findings(pure, verdict.StarvationFreedom, verdict.WaitFreeDoorway)
	f.Exhausted, f.Bypass = false, nil
	says := "starvation freedom is violated"
	require.Equal(t, Comparison{[]string{says}, []Loss{{verdict.StarvationFreedom, says}}}, Expected{Algorithm: spec()}.Compare(f))
}

// TestCompareReferencesOfPlacedProcesses: processes on few nodes may cost less than the
// specification says for all nodes.
func TestCompareReferencesOfPlacedProcesses(t *testing.T) {
	f := findings(pure)
	f.References[shm.WriteBack] = new(4)
	require.Len(t, Expected{Algorithm: spec()}.Compare(f).Disagreements, 1)
	require.Empty(t, Expected{Algorithm: spec(), Placed: true}.Compare(f).Disagreements)
}

// TestCompareModes: the findings in all modes are compared with the claims for Lock and for RLock.
// The registers are compared there too. A lock without other modes claims nothing of them, and
// the registers of a lock with other modes are compared in all modes only.
func TestCompareModes(t *testing.T) {
	a := spec()
	a.Claims.Mixed = shm.Mixed{DeadlockFree: true, Concurrent: true,
		Writers: shm.Patient{StarvationFree: true, Bypass: shm.Const(1), Doorway: "2"}, Readers: shm.Patient{StarvationFree: true, Bypass: shm.Const(3), Doorway: "7"}}
	terms := Terms{N: 2, Modes: []shm.Mode{shm.Exclusive, shm.Shared}, Mixed: true}
	found := func(writers, readers int, violated ...string) Found {
		f := findings(terms, violated...)
		f.Required, f.Bypass, f.ReaderBypass = Required(a, terms), &writers, &readers
		return f
	}
	compare := func(f Found) Comparison { return Expected{Algorithm: a}.Compare(f) }
	require.Equal(t, Comparison{}, compare(found(1, 3)))
	for _, c := range []struct {
		found       Found
		says, claim string
	}{
		{found(2, 3), "in all modes, the bypass of Lock is 2, the specification says 1", verdict.BoundedBypass},
		{found(0, 3), "in all modes, the bypass of Lock is 0, the specification says 1", ""},
		{found(1, 4), "in all modes, the bypass of RLock is 4, the specification says 3", verdict.ReaderBoundedBypass},
		{found(1, shm.Unbounded), "in all modes, the bypass of RLock is unbounded, the specification says 3", verdict.ReaderBoundedBypass},
		{found(1, 3, verdict.WaitFreeDoorway), "in all modes, the doorway of Lock up to line 2 is not wait-free", verdict.WaitFreeDoorway},
		{found(1, 3, verdict.ReaderWaitFreeDoorway), "in all modes, the doorway of RLock up to line 7 is not wait-free", verdict.ReaderWaitFreeDoorway},
		{found(1, 3, verdict.MutualExclusion), "in all modes, mutual exclusion is violated", verdict.MutualExclusion},
		{found(1, 3, verdict.ConcurrentReaders), "in all modes, concurrent readers is violated", verdict.ConcurrentReaders},
	} {
		want := Comparison{Disagreements: []string{c.says}}
		if c.claim != "" {
			want.Lost = []Loss{{c.claim, c.says}}
		}
		require.Equal(t, want, compare(c.found), c.says)
	}
	f := found(9, 3, verdict.WaitFreeDoorway)
	f.Bypass = nil
	require.Equal(t, Comparison{}, compare(f), "nothing is known of Lock")
	f = found(9, 4)
	f.Bypass = nil
	require.Len(t, compare(f).Disagreements, 1, "RLock is compared though nothing is known of Lock")
	f = found(1, 3)
	f.Class = shm.Swap
	require.Equal(t, []string{"in all modes, the class is swap, the specification says read/write"}, compare(f).Disagreements)

	require.Equal(t, []string{"the specification claims something of mixed passages, and the lock has Lock and Unlock only"}, compare(findings(pure)).Disagreements)
	f = findings(Terms{N: 2, Modes: terms.Modes})
	f.Class = shm.Swap
	require.Equal(t, Comparison{}, compare(f), "the class is that of all modes")
	a.Claims.Mixed.Readers.Doorway = ""
	require.Equal(t, Comparison{}, compare(found(1, 3, verdict.ReaderWaitFreeDoorway)), "no doorway of RLock is claimed")
	a = spec()
	require.Equal(t, Comparison{}, compare(findings(pure)))
}
