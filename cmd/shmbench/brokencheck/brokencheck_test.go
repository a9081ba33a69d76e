package brokencheck_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/catalog/knownbroken"
	"shmbench/check"
	"shmbench/cmd/shmbench/brokencheck"
	"shmbench/internal/testkit/sample"
	"shmbench/peterson"
	"shmbench/shm"
)

func named(t *testing.T, name string) knownbroken.Lock {
	t.Helper()
	all := knownbroken.All()
	i := slices.IndexFunc(all, func(e knownbroken.Lock) bool { return e.Name == name })
	require.GreaterOrEqual(t, i, 0, name)
	return all[i]
}

// TestSpecificationsAreChecked: a specification that differs from the lock's behavior is
// noticed, whatever it says.
func TestSpecificationsAreChecked(t *testing.T) {
	sample.NeedsAll(t)
	t.Parallel()
	right := named(t, "knownbroken/peterson-regular")
	change := func(to func(*knownbroken.Lock)) knownbroken.Lock {
		e := right
		to(&e)
		return e
	}
	want := []string{
		"",
		"its specification says that 11 steps show it; found: 12",
		"its specification says that it lacks deadlock freedom for n = 2; found: mutual exclusion",
		"its specification says that it lacks mutual exclusion for n = 2; found: nothing",
		"it lacks mutual exclusion also for n = 2, regular registers",
		"its specification says total store order, released stores, but it was checked under sc",
		`its fixed form is not in the catalog: no lock "peterson/none"`,
		"its fixed form, tas/tas, lacks starvation freedom too",
		"it is to fail for n = 3, and is for 1 to 2 processes",
		"turn takes 2 values, the specification says 3",
	}
	var shown []*brokencheck.Result
	err := brokencheck.Check(t.Context(), []knownbroken.Lock{
		right,
		change(func(e *knownbroken.Lock) { e.Steps = 11 }),
		change(func(e *knownbroken.Lock) { e.Property = check.DeadlockFreedom }),
		change(func(e *knownbroken.Lock) { e.Memory = knownbroken.Consistent }),
		change(func(e *knownbroken.Lock) { e.Memory, e.Steps = knownbroken.Safe, 9 }),
		change(func(e *knownbroken.Lock) { e.Memory = knownbroken.Released }),
		change(func(e *knownbroken.Lock) { e.Fixed = "peterson/none" }),
		change(func(e *knownbroken.Lock) { e.Property, e.Fixed = check.StarvationFreedom, "tas/tas" }),
		change(func(e *knownbroken.Lock) { e.Procs = 3 }),
		change(func(e *knownbroken.Lock) {
			e.Space = slices.Clone(e.Space)
			e.Space[slices.IndexFunc(e.Space, func(r shm.Registers) bool { return r.Name == "turn" })].Values = shm.Const(3)
		}),
	}, check.Options{}, func(x *brokencheck.Result) { shown = append(shown, x) })
	require.NoError(t, err)
	require.Len(t, shown, len(want))
	for i, x := range shown {
		if want[i] == "" {
			require.NoError(t, x.Err())
			require.True(t, x.Fixed.MutualExclusion.Holds())
			continue
		}
		require.Contains(t, x.Wrong, want[i], "%d", i)
	}
	var text strings.Builder
	require.NoError(t, brokencheck.Results(shown).WriteText(&text))
	for _, line := range []string{
		`2 +regular registers +144 +mutual exclusion +mutual exclusion +12 +peterson/peterson +agrees\n`,
		`2 +sequentially consistent +32 +mutual exclusion +nothing +- +peterson/peterson +DISAGREES\n`,
		`2 +regular registers +144 +starvation freedom +mutual exclusion +- +tas/tas FAILS +DISAGREES\n`,
		`3 +regular registers +\? +mutual exclusion +nothing +- +peterson/peterson FAILS +DISAGREES\n`,
		`\n  DISAGREES: its specification says that 11 steps show it; found: 12\n`,
		`\n12 +3  turn = 0 \[enters\] +peterson/peterson.go:\d+\n`,
	} {
		require.Regexp(t, line, text.String())
	}
}

// TestLikeKeepsNoClaim: a known-broken lock that is a lock of the catalog under
// another name keeps nothing of the specification that would speak for it.
func TestLikeKeepsNoClaim(t *testing.T) {
	e, spec := named(t, "knownbroken/peterson-regular"), peterson.Peterson(shm.Packed, shm.Sequential)
	require.Empty(t, e.Claims.Weakest)
	require.Empty(t, e.Invariants)
	require.Equal(t, spec.Source, e.Source)
}
