package spec

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check/internal/verdict"
	"shmbench/shm"
)

// TestTooWeakNeedsSmallNumbers: nothing is too weak unless two and three processes, or all that the
// lock allows, were checked, and every state was visited.
func TestTooWeakNeedsSmallNumbers(t *testing.T) {
	of := func(n int) Found { return findings(Terms{N: n, Modes: pure.Modes}) }
	refused, open := of(3), of(3)
	refused.Refused, open.Exhausted = true, false
	for _, c := range []struct {
		name string
		most int
		all  []Found
		says bool
	}{
		{"two and three", 3, []Found{of(2), of(3)}, true},
		{"and more", 8, []Found{of(2), of(3), of(4)}, true},
		{"a lock for two", 2, []Found{of(2)}, true},
		{"only two", 3, []Found{of(2)}, false},
		{"only three", 3, []Found{of(3)}, false},
		{"three is refused", 3, []Found{of(2), refused}, false},
		{"states of three are left", 3, []Found{of(2), open}, false},
	} {
		a := spec()
		a.MaxProcs, a.Claims.StarvationFree = c.most, false
		const says = "the specification is too weak: starvation freedom holds for every n that was checked and is not claimed"
		if c.says {
			require.Equal(t, []string{says}, Expected{Algorithm: a}.TooWeak(c.all), c.name)
		} else {
			require.Empty(t, Expected{Algorithm: a}.TooWeak(c.all), c.name)
		}
		require.Empty(t, Expected{Algorithm: a, Placed: true}.TooWeak(c.all), "few nodes show nothing: %s", c.name)
		require.Empty(t, Expected{}.TooWeak(c.all), "without a specification: %s", c.name)
	}
}

// TestTooWeakOnRegisters: a lock of reads and writes has to claim the weakest registers on which a
// property holds. Other locks may claim nothing, and none has to where bounded registers overflow.
func TestTooWeakOnRegisters(t *testing.T) {
	all := func(change func(*Found)) []Found {
		found := []Found{findings(Terms{N: 2, Registers: shm.Safe}), findings(Terms{N: 3, Registers: shm.Safe})}
		for i := range found {
			change(&found[i])
		}
		return found
	}
	as := func(*Found) {}
	a := spec()
	const regular = "the specification is too weak: starvation freedom holds on safe registers for every n that was checked, the specification says regular"
	const nothing = "the specification is too weak: starvation freedom holds on safe registers for every n that was checked, the specification says nothing"
	require.Equal(t, []string{regular}, Expected{Algorithm: a}.TooWeak(all(as)))
	require.Empty(t, Expected{Algorithm: a}.TooWeak(all(func(f *Found) { f.Overflows = true })), "registers that the specification bounds overflow")
	a.Space[0].Values = shm.Formula{}
	require.Equal(t, []string{regular}, Expected{Algorithm: a}.TooWeak(all(func(f *Found) { f.Overflows = true })), "the specification bounds no register")
	a.Claims.Weakest.StarvationFree = ""
	require.Equal(t, []string{nothing}, Expected{Algorithm: a}.TooWeak(all(as)))
	a.Class = shm.Swap
	require.Equal(t, []string{nothing}, Expected{Algorithm: a}.TooWeak(all(as)), "it claims something of registers")
	a.Claims.Weakest = shm.Weakest{}
	require.Empty(t, Expected{Algorithm: a}.TooWeak(all(as)))
	a.Class = shm.ReadWrite
	require.Len(t, Expected{Algorithm: a}.TooWeak(all(as)), 3)
}

// TestTooWeakWithinLimits: starvation freedom and bounds on references show nothing where a process
// starves with narrow words, and starvation freedom in all modes shows nothing within a limit of passages.
func TestTooWeakWithinLimits(t *testing.T) {
	const claimed = " holds for every n that was checked and is not claimed"
	a := spec()
	a.Claims.StarvationFree, a.Claims.LocalSpin.CC, a.Claims.DeadlockFree = false, false, false
	a.Claims.Mixed = shm.Mixed{DeadlockFree: true, Readers: shm.Patient{Bypass: shm.Const(1)}}
	all := func(mixed bool, change func(*Found)) []Found {
		var found []Found
		for n := 2; n <= 3; n++ {
			terms := Terms{N: n, Modes: pure.Modes, Mixed: mixed}
			f := findings(terms, verdict.ReadersTogether, verdict.ReaderStarvationFreedom, verdict.ConcurrentReaders, verdict.WaitFreeTry, verdict.StrongTry, verdict.WaitFreeAbort)
			change(&f)
			found = append(found, f)
		}
		return found
	}
	for _, c := range []struct {
		name  string
		found []Found
		want  []string
	}{
		{"no limit", all(false, func(*Found) {}), []string{verdict.DeadlockFreedom, verdict.StarvationFreedom, CoherentReferences}},
		{"a limit", all(false, func(f *Found) { f.Passages = 2 }), []string{verdict.DeadlockFreedom, verdict.StarvationFreedom, CoherentReferences}},
		{"starves with narrow words for three", all(false, func(f *Found) { f.StarvesNarrow = f.N == 3 }), []string{verdict.DeadlockFreedom}},
		{"all modes", all(true, func(*Found) {}), []string{"in all modes, " + verdict.StarvationFreedom, "in all modes, " + verdict.BoundedBypass}},
		{"all modes, narrow words", all(true, func(f *Found) { f.StarvesNarrow = true }), []string{"in all modes, " + verdict.StarvationFreedom, "in all modes, " + verdict.BoundedBypass}},
		{"all modes, a limit", all(true, func(f *Found) { f.Passages = 1 }), []string{"in all modes, " + verdict.BoundedBypass}},
		{"does not hold for three", all(false, func(f *Found) { holds, n := f.Holds, f.N; f.Holds = func(p string) bool { return holds(p) && n < 3 } }), nil},
	} {
		var want []string
		for _, p := range c.want {
			want = append(want, "the specification is too weak: "+p+claimed)
		}
		require.Equal(t, want, Expected{Algorithm: a}.TooWeak(c.found), c.name)
	}
	a.Claims.Mixed.DeadlockFree = false
	require.Contains(t, Expected{Algorithm: a}.TooWeak(all(true, func(*Found) {})), "the specification is too weak: in all modes, deadlock freedom with exit progress"+claimed)
	one := all(true, func(f *Found) {
		holds := f.Holds
		f.Holds = func(p string) bool { return p != verdict.ExitProgress && holds(p) }
	})
	require.False(t, slices.ContainsFunc(Expected{Algorithm: a}.TooWeak(one), func(says string) bool {
		return says == "the specification is too weak: in all modes, deadlock freedom with exit progress"+claimed
	}), "one of the two properties does not hold")
}

// TestSingleWriters: the specification has to say that registers have a single writer, if they have
// one for every n of two or more.
func TestSingleWriters(t *testing.T) {
	const says = "the specification is too weak: want has a single writer for every n that was checked"
	of := func(terms Terms, single bool) Found {
		f := findings(terms)
		f.Kinds = []Kind{{Name: "other", Count: 1, Values: 2, SingleWriter: true}, {Name: "want", Count: 2, Values: 2, SingleWriter: single}}
		return f
	}
	terms := func(n int, modes ...shm.Mode) Terms { return Terms{N: n, Modes: append(modes, shm.Exclusive)} }
	a := spec()
	a.Claims.FCFS = true
	for _, c := range []struct {
		name    string
		claimed bool
		all     []Found
		want    []string
	}{
		{"for two and three", false, []Found{of(terms(2), true), of(terms(3), true)}, []string{says}},
		{"claimed", true, []Found{of(terms(2), true), of(terms(3), true)}, nil},
		{"not for three", false, []Found{of(terms(2), true), of(terms(3), false)}, nil},
		{"not for two", false, []Found{of(terms(2), false), of(terms(3), true)}, nil},
		{"one process has no say", false, []Found{of(terms(1), false), of(terms(2), true), of(terms(3), true)}, []string{says}},
		{"other modes have a say", false, []Found{of(terms(2, shm.Shared), true), of(terms(3, shm.Shared), true)}, nil},
	} {
		a.Space[0].SingleWriter = c.claimed
		require.Equal(t, c.want, Expected{Algorithm: a}.TooWeak(c.all), c.name)
	}
	a.Space[0].SingleWriter = false
	weak := []Found{of(Terms{N: 2, Registers: shm.Safe}, true), of(Terms{N: 3, Registers: shm.Safe}, true)}
	a.Claims.Weakest.StarvationFree = shm.Safe
	require.Empty(t, Expected{Algorithm: a}.TooWeak(weak), "the writers are those on atomic registers")
	mixed := []Found{of(Terms{N: 2, Modes: []shm.Mode{shm.Exclusive, shm.Shared}, Mixed: true}, true), of(Terms{N: 3, Modes: []shm.Mode{shm.Exclusive, shm.Shared}, Mixed: true}, true)}
	require.Contains(t, Expected{Algorithm: a}.TooWeak(mixed), says, "in all modes")
}

// TestHoldsFromTwo: one process alone decides nothing, for or against a claim.
func TestHoldsFromTwo(t *testing.T) {
	found := func(n int, holds bool) Found {
		return Found{Terms: Terms{N: n}, Holds: func(string) bool { return holds }}
	}
	c := claim{names: []string{verdict.StarvationFreedom}}
	require.True(t, c.holdsIn([]Found{found(1, false), found(2, true), found(3, true)}))
	require.False(t, c.holdsIn([]Found{found(1, true), found(2, false), found(3, true)}))
}
