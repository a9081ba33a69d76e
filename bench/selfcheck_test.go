package bench

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/internal/testkit/deadline"
)

func TestLocksWithAKnownAnswerAreMeasuredRight(t *testing.T) {
	if raceDetector {
		t.Skip("everything takes many times as long")
	}
	deadline.Try(t, 0.5, func() bool { // all of 8 runs were right at load 15 to 20
		checks, err := SelfCheck(t.Context())
		require.NoError(t, err)
		require.Greater(t, len(checks), 30)
		wrong := Wrong(checks)
		if wrong != "" {
			t.Log(wrong)
		}
		return wrong == ""
	})
}

// What is not a lock with a known answer is checked too.
func TestTheBasicsAreChecked(t *testing.T) {
	checks, err := basics(t.Context())
	require.NoError(t, err)
	names := map[string]bool{}
	for _, c := range checks {
		names[c.Name] = true
	}
	for _, name := range []string{
		"worked out by hand: ns/op", "violations of exclusion that are seen", "cost of an operation by five trials", "steps a ns by three trials",
		"work of 100 us, in us", "mean wait of an M/D/1 queue, in service times", "mean wait of an M/M/1 queue, in service times",
		"processes that draw the same lots", "jain of the counted window", "passages in a window of 1000",
		"windows without their work", "stale stamps of a release", "steps of 10 us at 2.5 a ns",
	} {
		require.True(t, names[name], name)
	}
	require.Equal(t, min(runtime.GOMAXPROCS(0), runtime.NumCPU()) >= 2, names["answers for a transfer"])
}

func TestAWrongFigureIsNamed(t *testing.T) {
	require.Empty(t, Wrong([]Check{{"a", 1, 1, 1}, {"b", 2, 1, 3}}))
	require.Equal(t, "a is 2 and must be 1; c is 0.5 and must be between 1 and 3",
		Wrong([]Check{{"a", 2, 1, 1}, {"b", 2, 1, 3}, {"c", 0.5, 1, 3}}))
}

// Every unit that a sample can have is held by a lock with a known answer, or by
// the tests that are named here.
func TestEveryUnitIsHeld(t *testing.T) {
	held := map[string]bool{
		leastPassages: true,                                       // TestASampleSaysHowFewPassagesThereWere
		reached:       true,                                       // TestNotesAreOfTheirWindows
		overheadNS:    true, xfersPerOp: true, atomicsPerOp: true, // TestDerive
		"cycles/op": true, "instructions/op": true, "cache-misses/op": true, // TestASampleOfKnownNotes
		killCount: true, restartP50: true, recoverP50: true, recoverMax: true, // TestKilled
		otherLoad: true, stolen: true, slowestMHz: true, fastestMHz: true, // TestLoadIsWhatOthersUsed and TestTimesAreRead in internal/machine/topo
		"B/op": true, "allocs/op": true, // of package testing
	}
	for _, e := range exams {
		for _, b := range e.bounds {
			held[b.unit] = true
		}
	}
	for _, u := range Units {
		require.True(t, held[u.Name], u.Name)
	}
}
