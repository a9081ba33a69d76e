package lockstep_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/catalog"
	"shmbench/check/lockstep"
	"shmbench/internal/testkit/sample"
)

// homework is the exercise at the end of the lecture notes: eight processes in
// a tournament, seven lines a round, one round in the critical section.
var homework = lockstep.Execution{N: 8, Lines: 7, CS: 1, Ask: map[int][]int{1: {0, 1, 3, 5, 6}, 2: {2, 4, 7}}}

func run(t *testing.T, algorithm string, ls lockstep.Execution) *lockstep.Report {
	t.Helper()
	a, err := catalog.Get(algorithm)
	require.NoError(t, err)
	r, err := ls.Run(t.Context(), a)
	require.NoError(t, err)
	return r
}

func TestHomework(t *testing.T) {
	r := run(t, "tournament/priority", homework)
	require.Equal(t, []int{0, 5, 3, 6, 1, 4, 2, 7}, r.Entries)
	require.Equal(t, 16, r.LastRound)
	// In the first round 0 and 1 meet at node 4 and 1 gives way, by line 5.
	first := r.Rounds[0]
	require.Equal(t, []int{0, 1, 3, 5, 6}, first.Processes())
	require.Len(t, first.Steps, 7)
	require.Equal(t, "6  node[4].want[1] = 0 [wins a node]", first.Steps[6][0].String())
	require.Equal(t, "2  node[4].want[0] = 1, node[4].priority = 0", first.Steps[6][1].String(), "a line that reads two registers is one step")
	var out strings.Builder
	err := r.WriteText(&out)
	require.NoError(t, err)
	require.Contains(t, out.String(), "entries: 0, 5, 3, 6, 1, 4, 2, 7\nlast round: 16\n")
}

// TestLockstepOtherLocks runs locks whose order can be told by hand.
func TestLockstepOtherLocks(t *testing.T) {
	sample.NeedsAll(t)
	// Tickets drawn at the same time go to the ids in order.
	r := run(t, "queue/ticket", lockstep.Execution{N: 3, Lines: 5, CS: 2, Ask: map[int][]int{1: {2, 1}, 2: {0}}})
	require.Equal(t, []int{1, 2, 0}, r.Entries)
	// Two that choose at the same time draw equal numbers; the less id wins.
	r = run(t, "bakery/lamport", lockstep.Execution{N: 2, Lines: 9, CS: 1, Ask: map[int][]int{1: {0, 1}}})
	require.Equal(t, []int{0, 1}, r.Entries)
	require.Equal(t, "2  number[0] = 0, number[1] = 0, number[0] := 1", r.Rounds[0].Steps[1][0].String())
	require.Equal(t, "2  number[0] = 0, number[1] = 0, number[1] := 1", r.Rounds[0].Steps[1][1].String())
	// No process asks: nothing happens.
	r = run(t, "bakery/lamport", lockstep.Execution{N: 2, Lines: 9, CS: 1})
	require.Empty(t, r.Entries)
	require.Zero(t, r.LastRound)
}

func TestLockstepWrongUse(t *testing.T) {
	a, err := catalog.Get("peterson/peterson")
	require.NoError(t, err)
	for _, ls := range []lockstep.Execution{
		{N: 3, Lines: 1, CS: 1}, {N: 2, CS: 1}, {N: 2, Lines: 1},
		{N: 2, Lines: 1, CS: 1, Ask: map[int][]int{1: {2}}}, {N: 2, Lines: 1, CS: 1, Ask: map[int][]int{0: {1}}},
	} {
		_, err := ls.Run(t.Context(), a)
		require.Error(t, err)
	}
}
