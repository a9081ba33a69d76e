package check

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSafetyTable: the table of -safety names the locks whose states were counted up to renaming, or left out by
// partial-order reduction, and says why a lock is undecided.
func TestSafetyTable(t *testing.T) {
	var out strings.Builder
	require.NoError(t, Table{
		{Algorithm: "a/all", N: 2, States: 7, Exhausted: true, Bytes: 2e6, MutualExclusion: Holds, DeadlockFreedom: Holds, DataRaceFreedom: Holds, PanicFreedom: Holds},
		{Algorithm: "a/renamed", N: 3, States: 8, Exhausted: true, Renamings: 6, MutualExclusion: Violated, DeadlockFreedom: Violated, DataRaceFreedom: Violated, PanicFreedom: Violated},
		{Algorithm: "a/reduced", N: 4, States: 9, PartialOrder: true},
		{Algorithm: "a/refused", N: 2, Refused: "it has a channel"},
	}.writeSafety(&out))
	rows := map[string][]string{}
	for line := range strings.Lines(out.String()) {
		words := strings.Fields(line)
		rows[words[0]] = words[1:]
	}
	require.Equal(t, []string{"2", "any", "7", "2", "MB", "yes", "free", "none", "none", "-"}, rows["a/all"])
	require.Equal(t, []string{"3", "any", "8", "0", "MB", "BROKEN", "DEADLOCK", "RACES", "PANICS", "-"}, rows["a/renamed"])
	require.Contains(t, out.String(), "undecided: it has a channel")
	require.Contains(t, out.String(), "registers and values count as one: a/renamed")
	require.Contains(t, out.String(), "reached a bound: a/reduced")

	require.Empty(t, (&Report{}).upTo())
	require.Equal(t, " up to renaming of processes", (&Report{Renamings: 2}).upTo())
}
