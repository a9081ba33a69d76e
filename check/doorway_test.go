package check_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check"
)

// TestDoorways: a loop is a wait only if others can keep a process in it, and
// where the wait begins with the first access no doorway is known.
func TestDoorways(t *testing.T) {
	const holds, violated = check.Holds, check.Violated
	for _, c := range []struct {
		constructor  string
		n            int
		bypass       int // -2: unknown
		fcfs         check.Verdict
		exitWaitFree check.Verdict
	}{
		{"NewOnce", 2, 1, holds, holds},
		{"NewCounted", 2, 1, holds, violated},
		{"NewGated", 2, -2, check.NoDoorway, holds},
		{"NewTAS", 2, -2, check.NoDoorway, holds},
		{"NewTriesFirst", 2, -1, violated, holds},
		{"NewLastWaits", 2, -2, check.NoDoorway, violated},
	} {
		r := checked(t, c.constructor, c.n)
		bypass := -2
		if r.Bypass != nil {
			bypass = *r.Bypass
		}
		require.Equal(t, c.bypass, bypass, c.constructor)
		require.Equal(t, c.fcfs, r.FCFS, c.constructor)
		require.Equal(t, c.exitWaitFree, r.ExitWaitFree, c.constructor)
		require.NotNil(t, r.BypassFromStart, c.constructor)
	}
}

// TestNodesInTurns: two nodes a process cost no bound of a passage.
func TestNodesInTurns(t *testing.T) {
	r := checked(t, "NewInTurns", 2)
	require.NoError(t, r.Err())
	require.Equal(t, check.Holds, r.FCFS)
	require.Equal(t, 1, *r.Bypass)
	require.Equal(t, 8, *r.RMR.WriteThrough.Among)
	require.Equal(t, 8, *r.RMR.WriteBack.Among)
	require.Equal(t, 4, *r.RMR.DSM.Among, "it spins on its own node, and swaps, links, swaps back and lets go")
	for _, constructor := range []string{"NewExchanges", "NewRing"} {
		r = checked(t, constructor, 2)
		require.NoError(t, r.Err(), constructor)
		require.Zero(t, r.Passages, "any number of them")
		require.Equal(t, check.Holds, r.FCFS, constructor)
		require.Equal(t, 5, *r.RMR.WriteThrough.Among, constructor)
		require.Equal(t, 5, *r.RMR.WriteBack.Among, constructor)
		require.Equal(t, -1, *r.RMR.DSM.Among, "%s spins on the node of another", constructor)
	}
	r = checked(t, "NewTAS", 2)
	require.Equal(t, -1, *r.RMR.WriteThrough.Among)
	require.Equal(t, -1, *r.RMR.DSM.Among)
}
