package check_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check"
	"shmbench/exhibits"
	"shmbench/peterson"
	"shmbench/shm"
)

// TestExhibitsAreHeld: a card that says something else than what the lock does is
// noticed, whatever it says.
func TestExhibitsAreHeld(t *testing.T) {
	t.Parallel()
	right := exhibits.All()[0]
	require.Equal(t, "exhibits/peterson-regular", right.Name)
	change := func(to func(*exhibits.Exhibit)) exhibits.Exhibit {
		e := right
		to(&e)
		return e
	}
	want := []string{
		"",
		"its card says that 11 steps show it; found: 12",
		"its card says that it lacks deadlock freedom for n = 2; found: mutual exclusion",
		"its card says that it lacks mutual exclusion for n = 2; found: nothing",
		"it lacks mutual exclusion also for n = 2, regular registers",
		"its card says total store order, released stores, but it was checked under sc",
		`its mended form is not in the catalogue: no algorithm "peterson/none"`,
		"its mended form, tas/tas, lacks starvation freedom too",
		"it is to fail for n = 3, and is for 1 to 2 processes",
	}
	shown, err := check.Exhibits(t.Context(), []exhibits.Exhibit{
		right,
		change(func(e *exhibits.Exhibit) { e.Steps = 11 }),
		change(func(e *exhibits.Exhibit) { e.Property = check.DeadlockFreedom }),
		change(func(e *exhibits.Exhibit) { e.Memory = exhibits.Consistent }),
		change(func(e *exhibits.Exhibit) { e.Memory, e.Steps = exhibits.Safe, 9 }),
		change(func(e *exhibits.Exhibit) { e.Memory = exhibits.Released }),
		change(func(e *exhibits.Exhibit) { e.Mended = "peterson/none" }),
		change(func(e *exhibits.Exhibit) { e.Property, e.Mended = check.StarvationFreedom, "tas/tas" }),
		change(func(e *exhibits.Exhibit) { e.Procs = 3 }),
	}, check.Options{})
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
}

// TestWhatIsLikeACardIsNoCard: an exhibit that is a lock of the catalogue under
// another name keeps nothing of the card that would speak for it.
func TestWhatIsLikeACardIsNoCard(t *testing.T) {
	e, card := exhibits.All()[0], peterson.Peterson(shm.Packed, shm.Sequential)
	require.Empty(t, e.Claims.Weakest)
	require.Empty(t, e.Invariants)
	require.Equal(t, card.Source, e.Source)
}
