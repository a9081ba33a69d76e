package check_test

import (
	"context"
	"flag"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check"
	"shmbench/internal/testkit/sample"
)

// modal is a lock of package modes, and what it lacks, for two processes: by Lock and
// Unlock alone, and by all of its calls. With it goes in how many steps that is shown.
type modal struct{ constructor, alone, all string }

var modals = []modal{
	{"NewTicket", "", "strong TryLock 5"},
	{"NewLeaves", "", "deadlock freedom 11; starvation freedom 11; no effect of failed calls 11; strong TryLock 5"},
	{"NewLooks", "", "mutual exclusion 7; deadlock freedom 9; starvation freedom 9; no effect of failed calls 14; strong TryLock 5"},
	{"NewNever", "starvation freedom 5", "starvation freedom 8; no effect of failed calls 2; strong TryLock 2"},
	{"NewCLH", "", "mutual exclusion 14; bounded bypass 26; strong TryLock 6"},
	{"NewWaits", "", "wait-free TryLock 14; strong TryLock 6"},
	{"NewTAS", "starvation freedom 5", "starvation freedom 8"},
	{"NewIdles", "starvation freedom 5", "starvation freedom 8"},
	{"NewQueue", "", "concurrent readers 14"},
	{"NewAgain", "starvation freedom 5", "panic freedom 5"},
	{"NewStays", "", "wait-free abort 9"},
	{"NewAbandons", "", "deadlock freedom 14; starvation freedom 14"},
	{"NewCounts", "starvation freedom 8; bounded bypass 8; first-come-first-served order 4",
		"exit progress 12; starvation freedom 10; bounded bypass 10"},
	{"NewRW", "starvation freedom 5", "starvation freedom 8"},
	{"NewLooksFirst", "starvation freedom 5", "mutual exclusion 5; starvation freedom 8; starvation freedom of readers 8"},
	{"NewAlone", "starvation freedom 5", "starvation freedom 8; starvation freedom of readers 8; concurrent readers 5"},
	{"NewRetries", "starvation freedom 5", "starvation freedom 8; starvation freedom of readers 7; concurrent readers 8"},
	{"NewGate", "starvation freedom 6; bounded bypass 6; first-come-first-served order 3",
		"starvation freedom 8; bounded bypass 8; starvation freedom of readers 10"},
	{"NewSharesReader", "starvation freedom 5", "starvation freedom 8"},
	{"NewSharesFailing", "starvation freedom 5", "starvation freedom 8"},
	{"NewSharesLost", "starvation freedom 5", "deadlock freedom 6; starvation freedom 8; no effect of failed calls 3; strong TryLock 4"},
	{"NewSharesFirst", "starvation freedom 5", "starvation freedom 8"},
	{"NewSharesStays", "starvation freedom 5", "starvation freedom 8; wait-free abort 7"},
	{"NewSharesAgain", "starvation freedom 5", "panic freedom 6"},
	{"NewSharesMCS", "", "strong TryLock 10"},
	{"NewTryRW", "starvation freedom 5", "starvation freedom 8; strong TryLock 4"},
	{"NewTryRWLeaves", "starvation freedom 5", "deadlock freedom 8; starvation freedom 8; no effect of failed calls 7; strong TryLock 4"},
	{"NewTryRWLooks", "starvation freedom 5", "mutual exclusion 5; starvation freedom 8; strong TryLock 4"},
	{"NewTryRWOnce", "starvation freedom 5", "starvation freedom 8; strong TryLock 5"},
	{"NewTryRWAgain", "starvation freedom 5", "starvation freedom 8; wait-free TryLock 8; strong TryLock 4"},
}

// mixed returns the two reports of each, which are made once.
func mixed(t *testing.T) []*check.Report {
	t.Helper()
	src := check.Testdata(t, "modes")
	mixedOnce.Do(func() {
		for _, m := range modals {
			var reports []*check.Report
			if reports, mixedError = src.Once(context.Background(), m.constructor, check.Options{N: []int{2}, Replays: 1000}); mixedError != nil {
				return
			}
			mixedReports = append(mixedReports, reports...)
		}
	})
	require.NoError(t, mixedError)
	return mixedReports
}

var (
	mixedOnce    sync.Once
	mixedReports []*check.Report
	mixedError   error
)

// shown lists what a report has executions against, and how long they are.
func shown(r *check.Report) string {
	var all []string
	for _, t := range r.Counterexamples {
		all = append(all, fmt.Sprintf("%s %d", t.Property, len(t.Steps)))
	}
	return strings.Join(all, "; ")
}

// TestModes: what locks lack by Lock and Unlock alone, and what by all of their
// calls.
func TestModes(t *testing.T) {
	sample.NeedsAll(t)
	t.Parallel()
	reports := mixed(t)
	require.Len(t, reports, 2*len(modals))
	for i, m := range modals {
		alone, all := reports[2*i], reports[2*i+1]
		require.Equal(t, m.alone, shown(alone), m.constructor)
		require.Equal(t, m.all, shown(all), m.constructor)
		for _, r := range []*check.Report{alone, all} {
			require.Empty(t, r.Replay.Omitted, m.constructor)
			require.Equal(t, len(r.Counterexamples), r.Replay.Counterexamples, m.constructor)
			require.Positive(t, r.Replay.Transitions, m.constructor)
		}
		require.Nil(t, alone.Modes)
		readers := check.Verdict("")
		switch m.constructor {
		case "NewAlone":
			readers = check.Violated
			require.ErrorContains(t, all.Err(), "readers together is violated")
		case "NewQueue", "NewRW", "NewLooksFirst", "NewRetries", "NewGate", "NewSharesReader", "NewTryRW", "NewTryRWLeaves", "NewTryRWLooks", "NewTryRWOnce", "NewTryRWAgain":
			readers = check.Holds
		}
		require.True(t, readers == all.Modes.ReadersTogether || readers == check.Holds && all.Modes.ReadersTogether.Holds(), m.constructor)
	}
}

// TestSharedChain: an abortable queue lock is right whose nodes lead to the ones
// before them, as far as it can be told.
func TestSharedChain(t *testing.T) {
	sample.NeedsAll(t)
	t.Parallel()
	src := check.Testdata(t, "modes")
	reports, err := src.Once(t.Context(), "NewSharesCLH", check.Options{N: []int{2}, Passages: 2, Replays: 1000})
	require.NoError(t, err)
	require.ErrorContains(t, check.Err(reports), ": holds within 2 passages only; ")
	require.Equal(t, check.Verdict("holds within 2 passages"), reports[1].MutualExclusion)
	require.Positive(t, reports[1].Replay.Transitions)
}

// TestUnmade: a method that has the name of one by which a passage begins, and not
// what goes with it, is not checked, and the report says so.
func TestUnmade(t *testing.T) {
	t.Parallel()
	src := check.Testdata(t, "modes")
	reports, err := src.Once(t.Context(), "NewUnmade", check.Options{N: []int{2}})
	require.NoError(t, err)
	require.Len(t, reports, 1)
	require.Equal(t, []string{"RLock needs RUnlock(pid int)", "TryLock is a func() bool; a func(pid int) bool is",
		"LockUntil is a func(int) bool; a func(pid int, giveUp func() bool) bool is", "TryRLock needs RUnlock(pid int)"}, reports[0].NotCalled)
	var text strings.Builder
	require.NoError(t, reports[0].WriteText(&text))
	require.Contains(t, text.String(), "modes/NewUnmade, n = 2: not checked: RLock needs RUnlock(pid int)\n")
}

// TestReleasedReaders: a writer that has returned has left when its last store is in
// memory, for readers as for TryLock; a reader's store is waited for by readers.
func TestReleasedReaders(t *testing.T) {
	sample.NeedsAll(t)
	t.Parallel()
	src := check.Testdata(t, "modes")
	var reports []*check.Report
	for _, constructor := range []string{"NewLingers", "NewLingersReading"} {
		of, err := src.Once(t.Context(), constructor, check.Options{N: []int{2}, Replays: 1000})
		require.NoError(t, err)
		reports = append(reports, of...)
	}
	require.Len(t, reports, 4)
	for i, want := range []check.Verdict{check.Holds, check.Violated} {
		r := reports[2*i+1]
		require.Equal(t, "tso", r.Memory)
		require.Equal(t, want, r.Modes.ConcurrentReaders, r.Algorithm)
		require.Equal(t, check.Violated, r.Modes.ReaderStarvationFreedom, r.Algorithm)
		require.Equal(t, len(r.Counterexamples), r.Replay.Counterexamples)
	}
	trace := reports[3].Counterexample(check.ConcurrentReaders).String()
	require.NotContains(t, trace, "calls Lock")
}

// inAllModes is the trace of a lock of package modes against a property.
func inAllModes(t *testing.T, constructor, property string) *check.Trace {
	t.Helper()
	reports := mixed(t)
	for i, m := range modals {
		if m.constructor == constructor {
			return reports[2*i+1].Counterexample(property)
		}
	}
	return nil
}

// fairQueue has the fair queue lock of 1991 checked for three processes and for four.
var fairQueue = flag.Bool("fairqueue", false, "check the fair reader-writer lock with a queue as it is remembered, in some three million states")

// TestFairQueue: a writer gets in beside readers where a reader that was the last one is
// slow. That takes four processes with one passage each, or three processes where one
// makes more passages.
func TestFairQueue(t *testing.T) {
	if !*fairQueue {
		t.Skip("-fairqueue")
	}
	src := check.Testdata(t, "modes")
	for _, c := range []struct{ n, passages, states, steps int }{{3, 1, 44380, 0}, {3, 0, 572462, 43}, {4, 1, 2772885, 42}} {
		reports, err := src.Once(t.Context(), "NewQueue", check.Options{N: []int{c.n}, Passages: c.passages, Replays: 1000, NoCosts: true})
		require.NoError(t, err)
		all := reports[1]
		require.Equal(t, c.states, all.States)
		trace := all.Counterexample(check.MutualExclusion)
		if c.steps == 0 {
			require.Nil(t, trace)
			continue
		}
		require.Len(t, trace.Steps, c.steps)
		require.Equal(t, len(all.Counterexamples), all.Replay.Counterexamples)
	}
}

// TestModeTraces: a trace names the calls and what giveUp returns, and the compiled
// code does the same.
func TestModeTraces(t *testing.T) {
	sample.NeedsAll(t)
	t.Parallel()
	require.Equal(t, `no effect of failed calls is violated in all modes for n = 2: no process is in a passage, and TryLock of process 0 fails
step  process 0                  process 1
1     calls Lock
2     1  add next: 0 -> 1
3     2  serving = 0 [enters]
4     3  serving = 0 [leaves]
5                                calls TryLock
6                                4  add next: 1 -> 2
7                                5  serving = 0 [fails]
8     3  serving := 1 [is done]
9     calls TryLock
10    4  add next: 2 -> 3
11    5  serving = 1 [fails]
`, withoutSource(inAllModes(t, "NewLeaves", check.NoEffect).String()))
	abort := inAllModes(t, "NewStays", check.WaitFreeAbort)
	require.Equal(t, `The lock does not bound the steps of a process that gives up in all modes for n = 2, and claims no such thing: in this schedule process 0 makes steps forever, though giveUp has returned true, while process 1 can stand still
step    process 0              process 1
1                              calls Lock
2                              1  locked[1] := true
3                              2  swap tail: 2 -> 1
4       calls LockUntil
5       10  locked[0] := true
6       11  swap tail: 1 -> 0
7       12  locked[1] = true
8       13  giveUp() = true
cycle:
9       12  locked[1] = true
`, withoutSource(abort.String()))
	require.True(t, abort.Mixed)
	var out strings.Builder
	require.NoError(t, abort.Replay(t.Context(), &out))
	require.Contains(t, out.String(), "makes the same 108 accesses")
}
