package check_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check"
	"shmbench/internal/testkit/sample"
)

func contains(s, part string) bool { return strings.Contains(s, part) }

// TestControls has, for each property, a lock that must be found to violate
// it, and the others of its properties that must be found to hold.
func TestControls(t *testing.T) {
	const holds, violated, within2 = check.Holds, check.Violated, "holds within 2 passages"
	type want struct{ exclusion, deadlock, starvation, exit, race, panics check.Verdict }
	for _, c := range []struct {
		constructor string
		want
	}{
		{"NewTAS", want{holds, holds, violated, holds, holds, holds}},
		{"NewPatient", want{holds, holds, violated, holds, holds, holds}},
		{"NewEmbedded", want{holds, holds, violated, holds, holds, holds}},
		{"NewOwner", want{holds, holds, violated, holds, holds, holds}},
		{"NewGivesUp", want{violated, holds, holds, holds, holds, holds}},
		{"NewPlain", want{holds, violated, violated, holds, violated, holds}},
		{"NewLastWaits", want{holds, holds, violated, violated, holds, holds}},
		{"NewGate", want{holds, violated, violated, holds, holds, holds}},
		{"NewLoops", want{holds, violated, violated, holds, holds, holds}},
		{"NewNothing", want{violated, holds, holds, holds, holds, holds}},
		{"NewPanics", want{holds, check.Unknown, check.Unknown, check.Unknown, holds, violated}},
		{"NewFunctions", want{holds, holds, holds, holds, holds, holds}},
		{"NewBits", want{holds, holds, violated, holds, holds, holds}},
	} {
		r := checked(t, c.constructor, 2)
		got := want{r.MutualExclusion, r.DeadlockFreedom, r.StarvationFreedom, r.ExitProgress, r.DataRaceFreedom, r.PanicFreedom}
		require.Equal(t, c.want, got, "%s\n%v", c.constructor, r.Counterexamples)
		for _, trace := range r.Counterexamples {
			require.NotEmpty(t, trace.Steps, "%s, %s", c.constructor, trace.Property)
		}
	}
}

// TestWords checks one lock over each atomic type: the same verdicts and the
// same number of states.
func TestWords(t *testing.T) {
	for _, word := range []string{"Bool", "Int32", "Int64", "Uint32", "Uint64", "Uintptr", "Pointer"} {
		r := checked(t, "New"+word, 3)
		require.NoError(t, r.Err(), word)
		require.Equal(t, 19, r.States, word)
		require.Equal(t, "compare-and-swap", r.Class, word)
		require.Equal(t, "owner", r.Registers[0].Name, word)
	}
}

// TestStrangersHeld checks locks of all shapes against the compiled code.
func TestStrangersHeld(t *testing.T) {
	sample.NeedsAll(t)
	src := check.Testdata(t, "locks")
	constructors := []string{"NewGlobal", "NewFunctions", "NewBits", "NewInt32", "NewInt64", "NewUintptr",
		"NewPointer", "NewEmbedded", "NewPanics", "NewStuckExit", "NewPatient", "NewLoops", "NewPlain", "NewOwner",
		"NewNothing"} // without an access, Lock and Unlock end
	for _, constructor := range constructors {
		reports, err := src.Once(t.Context(), constructor, check.Options{N: []int{2}, Replays: 2_000})
		require.NoError(t, err)
		require.Empty(t, reports[0].Replay.Omitted, constructor)
		require.Equal(t, constructor != "NewNothing", reports[0].Replay.Accesses > 0, constructor)
	}
}

// TestRefusals wants what cannot be modeled to be refused by line, function and
// name.
func TestRefusals(t *testing.T) {
	for constructor, want := range map[string]string{
		"NewGoes":     "refused.go:44: (*Goes).Lock: starts a goroutine",
		"NewSends":    "refused.go:45: (*Sends).Lock: sends on a channel",
		"NewReceives": "refused.go:46: (*Receives).Lock: receives from a channel",
		"NewMutexes":  "refused.go:47: (*Mutexes).Lock: calls (*sync.Mutex).Lock",
		"NewClocks":   "refused.go:48: (*Clocks).Lock: calls time.Now",
		"NewDraws":    "refused.go:49: (*Draws).Lock: uses the result of math/rand/v2.IntN",
		"NewCalls":    "refused.go:50: (*Calls).Lock: calls os.Getpid",
		"NewMaps":     "refused.go:51: (*Maps).Lock: writes to a map",
	} {
		r := checked(t, constructor, 2)
		require.Contains(t, r.Refused, want, constructor)
		require.Equal(t, check.Unknown, r.MutualExclusion, constructor)
		require.Error(t, r.Err())
	}
	r := checked(t, "NewSpins", 2)
	require.Equal(t, check.Violated, r.PanicFreedom)
	require.Contains(t, r.Counterexample("panic freedom").End, "refused.go:57: (*Spins).Lock: runs without end")
}

// TestWrongUse wants one plain line for an argument that is no lock.
func TestWrongUse(t *testing.T) {
	for constructor, want := range map[string]string{
		"NewNotALock": "has no method Lock(pid int)",
		"NewTwo":      "must be a func(n int) T or func(n int) (T, error)",
		"NewMissing":  "has no function NewMissing",
	} {
		_, err := check.Package(t.Context(), locks, constructor, check.Options{})
		require.ErrorContains(t, err, want)
		require.NotContains(t, err.Error(), "\n")
	}
	_, err := check.Package(t.Context(), "shmbench/nowhere", "New", check.Options{})
	require.ErrorContains(t, err, "shmbench/nowhere")
}

// TestFurther: what a constructor takes of package shm beside n is zero.
func TestFurther(t *testing.T) {
	src := check.Testdata(t, "locks")
	reports, err := src.Once(t.Context(), "NewLaid", check.Options{N: []int{2}, Replays: 200})
	require.NoError(t, err)
	require.Equal(t, "locks/NewLaid(n, shm.Layout(0))", reports[0].Algorithm)
	require.Equal(t, check.Holds, reports[0].MutualExclusion)
	require.Empty(t, reports[0].Replay.Omitted)
}

// TestAfterAPanic: of a lock that panics, only the properties of single states and its operations are decided,
// whatever the search: a process that has panicked does not wait for anything.
func TestAfterAPanic(t *testing.T) {
	src := check.Testdata(t, "locks")
	for name, o := range map[string]check.Options{"": {}, "safety": {Safety: true}, "tso": {TSO: true}, "crashes": {Crashes: &check.Crashes{}}} {
		o.N = []int{2}
		reports, err := src.Lock(t.Context(), "NewPanics", o)
		require.NoError(t, err)
		r := reports[0]
		require.Equal(t, check.Violated, r.PanicFreedom, name)
		require.Equal(t, check.Unknown, r.DeadlockFreedom, name)
		require.Equal(t, check.Unknown, r.StarvationFreedom, name)
		require.Nil(t, r.Bypass, name)
		require.Nil(t, r.RMR, name)
		require.Equal(t, name == "" || name == "tso", r.Registers != nil, name)
		require.Regexp(t, `: panic freedom is violated\.$`, r.Sentence(), name)
		require.Equal(t, "a process panics", r.Undecided[0].Why, name)
	}
}
