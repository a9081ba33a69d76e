package check_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"shmbench/check"
	"shmbench/internal/testkit/sample"
)

// crashing checks locks of testdata/crashes whose processes crash.
func crashing(t *testing.T, kind string, o check.Options, constructors ...string) map[string]*check.Report {
	t.Helper()
	crashes, err := check.ParseCrashes(kind)
	require.NoError(t, err)
	src := check.Testdata(t, "crashes")
	o.Crashes = &crashes
	if o.N == nil {
		o.N = []int{2}
	}
	reports, err := src.Locks(t.Context(), constructors, o)
	require.NoError(t, err)
	found := map[string]*check.Report{}
	for i, r := range reports {
		found[constructors[i]] = r
	}
	return found
}

// lost names the properties that a report finds violated, in short.
func lost(r *check.Report) (all string) {
	for _, p := range []struct {
		name string
		v    check.Verdict
	}{
		{"exclusion ", r.MutualExclusion}, {"reentry ", r.Crashes.Reentry}, {"deadlock ", r.DeadlockFreedom}, {"starvation ", r.StarvationFreedom},
		{"strong ", r.Crashes.StrongStarvationFreedom}, {"exit ", r.ExitProgress},
	} {
		if !p.v.Holds() {
			all += p.name
			if p.v != check.Violated {
				all += "is " + string(p.v) + " "
			}
		}
	}
	return all
}

// wrongUnderCrashes has what each wrong lock loses under any number of crashes, of one
// process each or of all at once.
var wrongUnderCrashes = map[string]struct{ independent, system string }{
	"NewTAS":             {"deadlock starvation strong ", "deadlock starvation strong "},
	"NewTASRelease":      {"exclusion reentry starvation strong ", "exclusion reentry starvation strong "},
	"NewTASTwoWords":     {"deadlock starvation strong ", "deadlock starvation strong "},
	"NewTASFree":         {"reentry starvation strong ", "reentry starvation strong "},
	"NewPetersonRedo":    {"reentry ", "reentry "},
	"NewPetersonAbandon": {"reentry ", "reentry "},
	"NewPetersonJump":    {"exclusion reentry strong ", "exclusion reentry "},
	"NewPetersonNoRaise": {"exclusion reentry strong ", "exclusion reentry "},
	"NewYANoWake":        {"deadlock starvation strong ", ""},
	"NewYANoExit":        {"deadlock starvation strong ", ""},
	"NewYAWhole":         {"", ""},
	"NewBakeryChoosing":  {"deadlock starvation strong ", "deadlock starvation strong "},
	"NewBakeryExitOrder": {"exclusion reentry ", "exclusion reentry "},
	"NewMCS":             {"deadlock starvation strong exit ", "deadlock starvation strong "},
	"NewTASFinished":     {"starvation strong ", "starvation strong "},
}

// TestWrongUnderCrashes: each lock loses what the table says, and keeps the rest. A crash of
// all processes is as many crashes of one process in a row, so what holds under those holds
// under it.
func TestWrongUnderCrashes(t *testing.T) {
	var constructors []string
	for c, want := range wrongUnderCrashes {
		if sample.Has(c, 4) {
			constructors = append(constructors, c)
		}
		for _, property := range strings.Fields(want.system) {
			require.Contains(t, strings.Fields(want.independent), property, c)
		}
	}
	for kind, want := range map[string]func(c string) string{
		"any":    func(c string) string { return wrongUnderCrashes[c].independent },
		"system": func(c string) string { return wrongUnderCrashes[c].system },
	} {
		for c, r := range crashing(t, kind, check.Options{AcceptUnreplayed: true}, constructors...) {
			assert.Equal(t, want(c), lost(r), "%s, crashes %s", c, kind)
		}
	}
}

// TestReplayCrashes: the compiled code crashes at the same accesses, and Recover finds the
// same. A trace is read again and run.
func TestReplayCrashes(t *testing.T) {
	sample.NeedsAll(t)
	found := crashing(t, "any", check.Options{Replays: 2000}, "NewPetersonRedo", "NewTASFinished", "NewYANoExit")
	for c, r := range found {
		require.NotNil(t, r.Replay, c)
		require.Empty(t, r.Replay.Omitted, c)
		require.Positive(t, r.Replay.Transitions, c)
		require.Equal(t, len(r.Counterexamples), r.Replay.Counterexamples, c)
	}
	trace := found["NewPetersonRedo"].Counterexample(check.Reentry)
	require.Equal(t, "any", trace.Crashes)
	text, err := json.Marshal(trace)
	require.NoError(t, err)
	var again check.Trace
	require.NoError(t, json.Unmarshal(text, &again))
	var out bytes.Buffer
	require.NoError(t, again.Replay(t.Context(), &out))
	require.Contains(t, out.String(), "crashes in its critical section")
	again.Steps[len(again.Steps)-1].After = "7"
	require.Error(t, again.Replay(t.Context(), &out))
}

// TestFewestCrashes: a limit on crashes is a bound of the verdict, and the locks of one
// process each fail with one.
func TestFewestCrashes(t *testing.T) {
	found := crashing(t, "1", check.Options{AcceptUnreplayed: true}, "NewTAS", "NewPetersonRedo", "NewMCS", "NewTicketFAI", "NewBakeryAgain", "NewBakeryReset", "NewYAWhole")
	require.Equal(t, "deadlock starvation strong exit ", lost(found["NewMCS"]))
	require.Equal(t, check.Verdict("holds with at most 1 crash"), found["NewMCS"].MutualExclusion)
	require.Equal(t, "deadlock starvation strong ", lost(found["NewTicketFAI"]))
	require.Equal(t, "reentry ", lost(found["NewPetersonRedo"]))
	require.Equal(t, "reentry ", lost(found["NewBakeryAgain"]))
	require.Equal(t, "reentry ", lost(found["NewBakeryReset"]))
	require.Equal(t, "", lost(found["NewYAWhole"]))
	require.NoError(t, found["NewYAWhole"].Err())
	require.ErrorContains(t, found["NewPetersonRedo"].Err(), "critical-section re-entry is violated")
}

// TestBoundsUnderCrashes: the most own steps of re-entry, Recover and the exit section.
func TestBoundsUnderCrashes(t *testing.T) {
	found := crashing(t, "any", check.Options{AcceptUnreplayed: true}, "NewYAWhole", "NewMCS", "NewTASFinished")
	for c, want := range map[string][3]int{"NewYAWhole": {1, 4, 5}, "NewTASFinished": {2, 3, 3}, "NewMCS": {-1, 0, -1}} {
		r := found[c].Crashes
		require.Equal(t, want, [3]int{*r.ReentrySteps, *r.RecoverySteps, *r.ExitSteps}, c)
	}
}

// TestOrderUnderCrashes: which locks let a process that waits keep its place, also when it crashes.
// Recover of the bakery makes no access.
func TestOrderUnderCrashes(t *testing.T) {
	sample.NeedsAll(t)
	const yes, no, none = check.Verdict("holds within 2 passages"), check.Violated, check.NoDoorway
	wants := map[string][2]check.Verdict{
		"NewBakeryChoosing": {yes, yes}, "NewYAWhole": {yes, no}, "NewPetersonNoRaise": {no, no}, "NewTAS": {none, none}, "NewTASFinished": {none, none},
	}
	found := crashing(t, "any", check.Options{Passages: 2, AcceptUnreplayed: true}, slices.Collect(maps.Keys(wants))...)
	for c, want := range wants {
		require.Equal(t, want, [2]check.Verdict{found[c].FCFS, found[c].Crashes.StrongFCFS}, c)
	}
	require.Contains(t, found["NewYAWhole"].Counterexample(check.StrongFirstComeFirstServed).End, "although it had crashed")
}

// TestUnknownOutcome: a Recover that returns an unknown outcome violates a property of its own, and the
// compiled code does the same.
func TestUnknownOutcome(t *testing.T) {
	wants := map[string]string{
		"NewTASUnknown":  "tas.go:37: returns 3 from Recover, which is none of shm.Enter, shm.Inside and shm.Finished",
		"NewTASNegative": "tas.go:107: returns -1 from Recover,",
		"NewTASAtOnce":   "tas.go:114: returns 7 from Recover,",
	}
	found := crashing(t, "any", check.Options{Replays: sample.Amount(0, 100)}, slices.Collect(maps.Keys(wants))...)
	for c, want := range wants {
		r := found[c]
		require.Equal(t, check.Violated, r.Crashes.RecoverResult, c)
		require.ErrorContains(t, r.Err(), "result of Recover is violated", c)
		require.Contains(t, r.Counterexample(check.RecoverResult).End, want)
		require.Equal(t, check.Holds, r.PanicFreedom, c)
		require.Equal(t, check.Unknown, r.DeadlockFreedom, c)
		require.Equal(t, "Recover returns an unknown outcome", r.Undecided[0].Why, c)
		if sample.All() {
			require.Equal(t, 1, r.Replay.Counterexamples, c)
		}
	}
	require.Empty(t, crashing(t, "any", check.Options{}, "NewMCS")["NewMCS"].Crashes.RecoverResult, "it has no Recover")
	require.Equal(t, check.Holds, crashing(t, "any", check.Options{}, "NewTASFinished")["NewTASFinished"].Crashes.RecoverResult)
}

// TestEndlessCrashes: a register that grows with each crash leaves a lock undecided.
func TestEndlessCrashes(t *testing.T) {
	sample.NeedsAll(t)
	r := crashing(t, "any", check.Options{}, "NewBakeryAgain")["NewBakeryAgain"]
	require.Contains(t, r.Undecided[0].Why, "takes ever more values as processes crash again and again")
	require.Equal(t, check.Unknown, r.DeadlockFreedom)
}

func TestParseCrashes(t *testing.T) {
	for _, text := range []string{"any", "1", "255", "system", "system:3"} {
		c, err := check.ParseCrashes(text)
		require.NoError(t, err)
		require.Equal(t, text, c.String())
	}
	for _, text := range []string{"", "0", "-1", "256", "all", "system:", "system:0", "systems", "any:1"} {
		_, err := check.ParseCrashes(text)
		require.ErrorContains(t, err, "is not a kind of crashes", text)
	}
}
