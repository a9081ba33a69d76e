package knownbroken_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check"
	"shmbench/exhibits"
	"shmbench/internal/knownbroken"
	"shmbench/peterson"
	"shmbench/shm"
)

func exhibit(t *testing.T, name string) exhibits.Exhibit {
	t.Helper()
	all := exhibits.All()
	i := slices.IndexFunc(all, func(e exhibits.Exhibit) bool { return e.Name == name })
	require.GreaterOrEqual(t, i, 0, name)
	return all[i]
}

// TestExhibitsAreHeld: a specification that differs from the lock's behavior is
// noticed, whatever it says.
func TestExhibitsAreHeld(t *testing.T) {
	t.Parallel()
	right := exhibit(t, "exhibits/peterson-regular")
	change := func(to func(*exhibits.Exhibit)) exhibits.Exhibit {
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
		`its fixed form is not in the catalogue: no algorithm "peterson/none"`,
		"its fixed form, tas/tas, lacks starvation freedom too",
		"it is to fail for n = 3, and is for 1 to 2 processes",
	}
	var shown []*knownbroken.Exhibited
	err := knownbroken.Exhibits(t.Context(), []exhibits.Exhibit{
		right,
		change(func(e *exhibits.Exhibit) { e.Steps = 11 }),
		change(func(e *exhibits.Exhibit) { e.Property = check.DeadlockFreedom }),
		change(func(e *exhibits.Exhibit) { e.Memory = exhibits.Consistent }),
		change(func(e *exhibits.Exhibit) { e.Memory, e.Steps = exhibits.Safe, 9 }),
		change(func(e *exhibits.Exhibit) { e.Memory = exhibits.Released }),
		change(func(e *exhibits.Exhibit) { e.Mended = "peterson/none" }),
		change(func(e *exhibits.Exhibit) { e.Property, e.Mended = check.StarvationFreedom, "tas/tas" }),
		change(func(e *exhibits.Exhibit) { e.Procs = 3 }),
	}, check.Options{}, func(x *knownbroken.Exhibited) { shown = append(shown, x) })
	require.NoError(t, err)
	require.Len(t, shown, len(want))
	for i, x := range shown {
		if want[i] == "" {
			require.NoError(t, x.Err())
			require.True(t, x.Mended.MutualExclusion.Holds())
			continue
		}
		require.Contains(t, x.Wrong, want[i], "%d", i)
	}
	var text strings.Builder
	require.NoError(t, knownbroken.Exhibition(shown).WriteText(&text))
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

// TestWhatIsLikeACardIsNoCard: a known-broken lock that is a lock of the catalogue under
// another name keeps nothing of the specification that would speak for it.
func TestWhatIsLikeACardIsNoCard(t *testing.T) {
	e, card := exhibit(t, "exhibits/peterson-regular"), peterson.Peterson(shm.Packed, shm.Sequential)
	require.Empty(t, e.Claims.Weakest)
	require.Empty(t, e.Invariants)
	require.Equal(t, card.Source, e.Source)
}
