package spec

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check/internal/verdict"
	"shmbench/shm"
)

// spec is of a lock of reads and writes for two processes or more, with one
// register for each process.
func spec() *shm.Algorithm {
	return &shm.Algorithm{MinProcs: 2, MaxProcs: 3, Class: shm.ReadWrite,
		Claims: shm.Claims{DeadlockFree: true, StarvationFree: true, Bypass: shm.Const(1), Doorway: "2",
			LocalSpin: shm.LocalSpin{CC: true}, References: shm.References{WriteBack: new(shm.Linear(1, 3))}, Weakest: shm.Weakest{Exclusion: shm.Safe, DeadlockFree: shm.Safe, StarvationFree: shm.Regular}},
		Space: shm.Space{{Name: "want", Count: shm.Const(2), Values: shm.Const(2), SingleWriter: true}}}
}

// findings are those of a lock that is what the specification says. Everything holds except the
// violated properties, and except two that are not claimed: first-come-first-served order and a
// bound on references with distributed memory.
func findings(t Terms, violated ...string) Found {
	one := 1
	violated = append(violated, verdict.FirstComeFirstServed, DistributedReferences)
	is := func(p string) bool { return slices.Contains(violated, p) }
	return Found{Terms: t, Exhausted: true, Required: Required(spec(), t), Bypass: &one, Class: shm.ReadWrite,
		Violated: is, Holds: func(p string) bool { return !is(p) },
		References: map[shm.RMRModel]*int{shm.WriteBack: new(t.N + 3)},
		Kinds:      []Kind{{Name: "want", Count: 2, Values: 2, SingleWriter: true}}}
}

var pure = Terms{N: 2, Modes: []shm.Mode{shm.Exclusive}}

// TestCompare: a lock that is what its specification says disagrees in nothing. Each difference
// makes one disagreement, and a claim is lost where the lock is worse.
func TestCompare(t *testing.T) {
	s := Expected{Algorithm: spec()}
	require.Equal(t, Comparison{}, s.Compare(findings(pure)))
	changed := func(change func(*Found)) Found {
		f := findings(pure)
		change(&f)
		return f
	}
	less, more := 0, 2
	for _, c := range []struct {
		found       Found
		says, claim string
	}{
		{findings(pure, verdict.MutualExclusion), "mutual exclusion is violated", verdict.MutualExclusion},
		{findings(pure, verdict.StarvationFreedom), "starvation freedom is violated", verdict.StarvationFreedom},
		{findings(pure, verdict.WaitFreeDoorway), "the doorway up to line 2 is not wait-free", verdict.WaitFreeDoorway},
		{changed(func(f *Found) { f.DoorwayLost, f.Bypass = true, &less }), "no access to shared memory is on line 2, where the doorway of the specification ends", verdict.WaitFreeDoorway},
		{findings(pure, CoherentReferences), CoherentReferences + " is violated", CoherentReferences},
		{changed(func(f *Found) { f.Bypass = &more }), "the bypass is 2, the specification says 1", verdict.BoundedBypass},
		{changed(func(f *Found) { f.Bypass = &less }), "the bypass is 0, the specification says 1", ""},
		{changed(func(f *Found) { f.References[shm.WriteBack] = new(6) }), "a passage makes at most 6 remote memory references (cc write-back), the specification says at most 5", References(shm.WriteBack)},
		{changed(func(f *Found) { f.References[shm.WriteBack] = new(4) }), "a passage makes at most 4 remote memory references (cc write-back), the specification says at most 5", ""},
		{changed(func(f *Found) { f.References[shm.WriteBack] = new(shm.Unbounded) }), "a passage makes an unbounded number of remote memory references (cc write-back), the specification says at most 5", References(shm.WriteBack)},
		{changed(func(f *Found) { f.Class = shm.Swap }), "the class is swap, the specification says read/write", ""},
		{changed(func(f *Found) { f.Kinds[0].Count = 3 }), "there are 3 registers want, the specification says 2", ""},
		{changed(func(f *Found) { f.Kinds[0].Values = 3 }), "want takes 3 values, the specification says 2", ""},
		{changed(func(f *Found) { f.Kinds[0].SingleWriter = false }), "want has more than one writer, the specification says one", ""},
		{changed(func(f *Found) { f.Kinds[0].Name = "turn"; f.N = 2 }), "no register called want is accessed", ""},
		{findings(Terms{N: 2, Registers: shm.Safe}, verdict.MutualExclusion), "mutual exclusion is violated on safe registers, the specification says that it holds on them", ""},
	} {
		got := s.Compare(c.found)
		require.Contains(t, got.Disagreements, c.says)
		if c.claim == "" {
			require.Empty(t, got.Lost, c.says)
		} else {
			require.Equal(t, []Loss{{c.claim, c.says}}, got.Lost)
		}
	}
	require.Equal(t, Comparison{}, s.Compare(findings(Terms{N: 2, Registers: shm.Safe}, verdict.StarvationFreedom)), "claimed on regular registers only")
	require.Equal(t, Comparison{}, Expected{}.Compare(findings(pure, verdict.MutualExclusion)), "a lock without a specification")
}

// TestLimitedReferences: one passage of each process may cost less than a formula says, and
// limited passages less than without bound. Two passages may not, and none may cost more.
func TestLimitedReferences(t *testing.T) {
	for _, c := range []struct {
		says             shm.Formula
		passages, counts int
		agrees           bool
	}{
		{shm.Linear(1, 3), 1, 4, true}, {shm.Linear(1, 3), 2, 4, false}, {shm.Linear(1, 3), 0, 4, false}, {shm.Linear(1, 3), 1, 6, false}, {shm.Linear(1, 3), 1, shm.Unbounded, false},
		{shm.Found(5), 0, 5, true}, {shm.Found(5), 0, 4, false}, {shm.Found(5), 0, 6, false}, {shm.Found(), 0, 6, true},
		{shm.Formula{}, 2, 9, true}, {shm.Formula{}, 0, 9, false}, {shm.Formula{}, 0, shm.Unbounded, true},
	} {
		a := spec()
		a.Claims.References.WriteBack = &c.says
		f := findings(pure)
		f.Passages, f.References[shm.WriteBack] = c.passages, new(c.counts)
		got := Expected{Algorithm: a}.Compare(f)
		require.Equal(t, c.agrees, got.Disagreements == nil, c)
	}
	f := findings(pure)
	f.References[shm.WriteBack] = nil
	require.Empty(t, Expected{Algorithm: spec()}.Compare(f).Disagreements, "not found out")
}

// TestUnboundedNumberOfRegisters: a specification may say so where the search had to limit
// passages, and not where it found a number for any passages.
func TestUnboundedNumberOfRegisters(t *testing.T) {
	space := shm.Space{{Name: "want", Values: shm.Const(2)}}
	f := findings(pure)
	require.Equal(t, []string{"there are 2 registers want, the specification says that their number is unbounded"}, SpaceDisagreements(f, space, 0))
	f.Passages = 2
	require.Empty(t, SpaceDisagreements(f, space, 0))
}

// TestTooWeak: what holds for every n and is not claimed is named, and nothing is if one n
// was not checked.
func TestTooWeak(t *testing.T) {
	three := pure
	three.N = 3
	s := Expected{Algorithm: spec()}
	require.Empty(t, s.TooWeak([]Found{findings(pure), findings(three)}))
	s.Algorithm.Claims.StarvationFree = false
	s.Algorithm.Space[0].SingleWriter = false
	want := []string{"the specification is too weak: starvation freedom holds for every n that was checked and is not claimed",
		"the specification is too weak: want has a single writer for every n that was checked"}
	require.Equal(t, want, s.TooWeak([]Found{findings(pure), findings(three)}))
	require.Empty(t, s.TooWeak([]Found{findings(pure)}), "n = 3 is missing")
	s.Algorithm.Claims.ExitProcs = 2
	require.Contains(t, s.TooWeak([]Found{findings(pure), findings(three)}), "the specification is too weak: exit progress holds for every n that was checked and is not claimed")
	s.Algorithm.Claims.ExitProcs = 0
	require.Equal(t, want[1:], s.TooWeak([]Found{findings(pure, verdict.StarvationFreedom), findings(three)}), "it does not hold for n = 2")
}

// TestRequired: without a specification every lock must have the basic properties; with
// one, what it claims in all modes and on registers that are not atomic decides.
func TestRequired(t *testing.T) {
	basic := []string{verdict.MutualExclusion, verdict.DeadlockFreedom, verdict.ExitProgress, verdict.DataRaceFreedom, verdict.PanicFreedom}
	require.Equal(t, basic, Required(nil, pure))
	require.Equal(t, basic, Required(spec(), pure))
	mixed := Terms{N: 2, Modes: []shm.Mode{shm.Exclusive, shm.Try}, Mixed: true}
	require.Equal(t, append(slices.Clone(basic), verdict.NoEffect), Required(nil, mixed))
	require.Equal(t, []string{verdict.MutualExclusion, verdict.DataRaceFreedom, verdict.PanicFreedom, verdict.NoEffect}, Required(spec(), mixed),
		"the specification claims no deadlock freedom in all modes")
	bounded := spec()
	bounded.Claims.ExitProcs = 2
	require.Equal(t, basic, Required(bounded, pure))
	require.Equal(t, slices.DeleteFunc(slices.Clone(basic), func(p string) bool { return p == verdict.ExitProgress }), Required(bounded, Terms{N: 3}),
		"the specification says that the exit section ends for two processes only")
	weak := spec()
	weak.Claims.Weakest.DeadlockFree = shm.Regular
	require.Equal(t, []string{verdict.MutualExclusion, verdict.DataRaceFreedom, verdict.PanicFreedom}, Required(weak, Terms{N: 2, Registers: shm.Safe}))
	require.True(t, Owes(spec(), pure, verdict.StarvationFreedom))
	require.False(t, Owes(spec(), pure, verdict.FirstComeFirstServed))
}
